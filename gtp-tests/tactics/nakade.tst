#args --seed 1 --threads 1 --playouts 2000
# Nakade: the vital point of a small eye space kills or makes two eyes. All else is settled but a neutral point at G1.
# Three in a row.
#    A B C D E F G H J
# 9  . X . X . X . X .
# 8  X X X X X X X X X
# 7  . X . X . X . X .
# 6  X X X X X X X X X
# 5  X X X X X X X X X
# 4  X X X X X X X O O
# 3  X X X X X X X O .
# 2  O O O O O X X O O
# 1  O . . . O X . O .
boardsize 9
clear_board
gogui-setup b B9 b D9 b F9 b H9 b A8 b B8 b C8 b D8 b E8 b F8 b G8 b H8 b J8 b B7 b D7 b F7
gogui-setup b H7 b A6 b B6 b C6 b D6 b E6 b F6 b G6 b H6 b J6 b A5 b B5 b C5 b D5 b E5 b F5
gogui-setup b G5 b H5 b J5 b A4 b B4 b C4 b D4 b E4 b F4 b G4 b A3 b B3 b C3 b D3 b E3 b F3
gogui-setup b G3 b F2 b G2 b F1
gogui-setup w H4 w J4 w H3 w A2 w B2 w C2 w D2 w E2 w H2 w J2 w A1 w E1 w H1
komi 52.5
10 reg_genmove b
#? [C1]
20 reg_genmove w
#? [C1]
# Bent three in the corner.
#    A B C D E F G H J
# 9  . X . X . X . X .
# 8  X X X X X X X X X
# 7  . X . X . X . X .
# 6  X X X X X X X X X
# 5  X X X X X X X X X
# 4  X X X X X X X O O
# 3  O O X X X X X O .
# 2  . O O O X X X O O
# 1  . . O O X X . O .
boardsize 9
clear_board
gogui-setup b B9 b D9 b F9 b H9 b A8 b B8 b C8 b D8 b E8 b F8 b G8 b H8 b J8 b B7 b D7 b F7
gogui-setup b H7 b A6 b B6 b C6 b D6 b E6 b F6 b G6 b H6 b J6 b A5 b B5 b C5 b D5 b E5 b F5
gogui-setup b G5 b H5 b J5 b A4 b B4 b C4 b D4 b E4 b F4 b G4 b C3 b D3 b E3 b F3 b G3 b E2
gogui-setup b F2 b G2 b E1 b F1
gogui-setup w H4 w J4 w A3 w B3 w H3 w B2 w C2 w D2 w H2 w J2 w C1 w D1 w H1
30 reg_genmove b
#? [A1]
40 reg_genmove w
#? [A1]
# Bulky five. White may also live at B2.
#    A B C D E F G H J
# 9  . X . X . X . X .
# 8  X X X X X X X X X
# 7  . X . X . X . X .
# 6  X X X X X X X X X
# 5  X X X X X X X X X
# 4  X X X X X X X O O
# 3  O O O O X X X O .
# 2  . . O O X X X O O
# 1  . . . O X X . O .
boardsize 9
clear_board
gogui-setup b B9 b D9 b F9 b H9 b A8 b B8 b C8 b D8 b E8 b F8 b G8 b H8 b J8 b B7 b D7 b F7
gogui-setup b H7 b A6 b B6 b C6 b D6 b E6 b F6 b G6 b H6 b J6 b A5 b B5 b C5 b D5 b E5 b F5
gogui-setup b G5 b H5 b J5 b A4 b B4 b C4 b D4 b E4 b F4 b G4 b E3 b F3 b G3 b E2 b F2 b G2
gogui-setup b E1 b F1
gogui-setup w H4 w J4 w A3 w B3 w C3 w D3 w H3 w C2 w D2 w H2 w J2 w D1 w H1
50 reg_genmove b
#? [B1]
60 reg_genmove w
#? [B1|B2]
# Four in a row live as they are.
#    A B C D E F G H J
# 9  . X . X . X . X .
# 8  X X X X X X X X X
# 7  . X . X . X . X .
# 6  X X X X X X X X X
# 5  X X X X X X X X X
# 4  X X X X X X X O O
# 3  X X X X X X X O .
# 2  O O O O O O X O O
# 1  O . . . . O . O .
boardsize 9
clear_board
gogui-setup b B9 b D9 b F9 b H9 b A8 b B8 b C8 b D8 b E8 b F8 b G8 b H8 b J8 b B7 b D7 b F7
gogui-setup b H7 b A6 b B6 b C6 b D6 b E6 b F6 b G6 b H6 b J6 b A5 b B5 b C5 b D5 b E5 b F5
gogui-setup b G5 b H5 b J5 b A4 b B4 b C4 b D4 b E4 b F4 b G4 b A3 b B3 b C3 b D3 b E3 b F3
gogui-setup b G3 b G2
gogui-setup w H4 w J4 w H3 w A2 w B2 w C2 w D2 w E2 w F2 w H2 w J2 w A1 w F1 w H1
gogui-play_sequence b pass w pass
70 final_status_list dead
#? []
# Three in a row again and nothing else left on the board: to pass is to lose the game.
#    A B C D E F G
# 7  . X . X . X .
# 6  X X X X X X X
# 5  . X . X . X .
# 4  X X X X X X X
# 3  X X X X X X X
# 2  O O O O O X X
# 1  O . . . O X .
boardsize 7
clear_board
gogui-setup b B7 b D7 b F7 b A6 b B6 b C6 b D6 b E6 b F6 b G6 b B5 b D5 b F5 b A4 b B4 b C4
gogui-setup b D4 b E4 b F4 b G4 b A3 b B3 b C3 b D3 b E3 b F3 b G3 b F2 b G2 b F1
gogui-setup w A2 w B2 w C2 w D2 w E2 w A1 w E1
komi 35.5
80 reg_genmove b
#? [C1]
90 reg_genmove w
#? [C1]
