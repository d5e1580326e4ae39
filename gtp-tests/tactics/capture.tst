#args --seed 1 --threads 1 --playouts 2000
# Captures that decide the game: cutting stones, and a chain in atari that can only be saved by capturing.
# D4 and D5 keep two black groups with one eye each apart: D3 takes them, or links them to White below.
#    A B C D E F G
# 7  . O O . O O .
# 6  O O O X O O O
# 5  X X X O X X X
# 4  X . X O X . X
# 3  X X X . X X X
# 2  O O O O O O O
# 1  . O . O . O .
boardsize 7
clear_board
gogui-setup b D6 b A5 b B5 b C5 b E5 b F5 b G5 b A4 b C4 b E4 b G4 b A3 b B3 b C3 b E3 b F3
gogui-setup b G3
gogui-setup w B7 w C7 w E7 w F7 w A6 w B6 w C6 w E6 w F6 w G6 w D5 w D4 w A2 w B2 w C2 w D2
gogui-setup w E2 w F2 w G2 w B1 w D1 w F1
komi -10.5
10 reg_genmove b
#? [D3]
# Nothing else is left on the board, but to pass is to let Black live.
20 reg_genmove w
#? [D3]
# The black chain on row 5 is in atari and extending at C6 is no use, but the white chain on row 4 is in atari too.
#    A B C D E F G
# 7  . O O O O O .
# 6  O O . O O O O
# 5  X X X X X X O
# 4  O O O O O O X
# 3  X X . X X X X
# 2  X X X X X X X
# 1  . X . X . X .
boardsize 7
clear_board
gogui-setup b A5 b B5 b C5 b D5 b E5 b F5 b G4 b A3 b B3 b D3 b E3 b F3 b G3 b A2 b B2 b C2
gogui-setup b D2 b E2 b F2 b G2 b B1 b D1 b F1
gogui-setup w B7 w C7 w D7 w E7 w F7 w A6 w B6 w D6 w E6 w F6 w G6 w G5 w A4 w B4 w C4 w D4
gogui-setup w E4 w F4
komi 10.5
30 reg_genmove b
#? [C3]
40 reg_genmove w
#? [C6]
