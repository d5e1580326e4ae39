#args --seed 1 --threads 1 --playouts 2000
# Ko as the last liberty of two chains. White must take it at D4, or loses the chain at F4.
#    A B C D E F G H
# 8  . X . X X X . X
# 7  X X X X X X X X
# 6  X X X X X . X X
# 5  O O O X O O O X
# 4  O X X . X O O X
# 3  O . X X O X X X
# 2  O O O O O O O O
# 1  . O . O . O . O
boardsize 8
clear_board
gogui-setup b B8 b D8 b E8 b F8 b H8 b A7 b B7 b C7 b D7 b E7 b F7 b G7 b H7 b A6 b B6 b C6
gogui-setup b D6 b E6 b G6 b H6 b D5 b H5 b B4 b C4 b E4 b H4 b C3 b D3 b F3 b G3 b H3
gogui-setup w A5 w B5 w C5 w E5 w F5 w G5 w A4 w F4 w G4 w A3 w E3 w A2 w B2 w C2 w D2 w E2
gogui-setup w F2 w G2 w H2 w B1 w D1 w F1 w H1
komi 0.5
10 reg_genmove w
#? [D4]
# Black may not take back at once, but may after a move elsewhere that White has answered.
play w D4
20 is_legal b E4
#? [0]
30 reg_genmove b
#? [!E4]
play b A8
play w A1
40 is_legal b E4
#? [1]
50 reg_genmove b
#? [E4]
# If Black does not take it, White ends the ko by capturing at B3 or by filling it.
play b C8
60 reg_genmove w
#? [B3|E4]
