#args --seed 1 --threads 1 --playouts 4000
# Capture races between two chains without eyes: whoever begins wins by filling the other's liberties, not its own.
# Two liberties each.
#    A B C D E F G H
# 8  . X . X . X . X
# 7  X X X X X X X X
# 6  X . X . X X X X
# 5  X O O O O O O X
# 4  O X X X X X X O
# 3  O . O . O O O O
# 2  O O O O O O O O
# 1  . O . O . O . O
boardsize 8
clear_board
gogui-setup b B8 b D8 b F8 b H8 b A7 b B7 b C7 b D7 b E7 b F7 b G7 b H7 b A6 b C6 b E6 b F6
gogui-setup b G6 b H6 b A5 b H5 b B4 b C4 b D4 b E4 b F4 b G4
gogui-setup w B5 w C5 w D5 w E5 w F5 w G5 w A4 w H4 w A3 w C3 w E3 w F3 w G3 w H3 w A2 w B2
gogui-setup w C2 w D2 w E2 w F2 w G2 w H2 w B1 w D1 w F1 w H1
komi 0.5
10 reg_genmove b
#? [B6|D6]
20 reg_genmove w
#? [B3|D3]
# Three liberties each. White has just filled one: no time is left for anything else.
#    A B C D E F G H
# 8  . X . X . X . X
# 7  X X X X X X X X
# 6  X . X . X . X X
# 5  X O O O O O O X
# 4  O X X X X X X O
# 3  O . O . O . O O
# 2  O O O O O O O O
# 1  . O . O . O . O
boardsize 8
clear_board
gogui-setup b B8 b D8 b F8 b H8 b A7 b B7 b C7 b D7 b E7 b F7 b G7 b H7 b A6 b C6 b E6 b G6
gogui-setup b H6 b A5 b H5 b B4 b C4 b D4 b E4 b F4 b G4
gogui-setup w B5 w C5 w D5 w E5 w F5 w G5 w A4 w H4 w A3 w C3 w E3 w G3 w H3 w A2 w B2 w C2
gogui-setup w D2 w E2 w F2 w G2 w H2 w B1 w D1 w F1 w H1
30 reg_genmove w
#? [B3|D3|F3]
play b B6
play w B3
40 reg_genmove b
#? [D6|F6]
play b D6
play w D3
50 reg_genmove b
#? [F6]
60 reg_genmove w
#? [F3]
