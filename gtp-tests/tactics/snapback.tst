#args --seed 1 --threads 1 --playouts 2000
# Snapback: Black gives a stone at D3 and takes six back; any other move lets White connect there.
#    A B C D E F G
# 7  . . . . . . .
# 6  . X X X X X .
# 5  . X O O O X .
# 4  X X X O O X X
# 3  O O O . . X .
# 2  . O O O X X .
# 1  . O . O X . .
boardsize 7
clear_board
gogui-setup b B6 b C6 b D6 b E6 b F6 b B5 b F5 b A4 b B4 b C4 b F4 b G4 b F3 b E2 b F2 b E1
gogui-setup w C5 w D5 w E5 w D4 w E4 w A3 w B3 w C3 w B2 w C2 w D2 w B1 w D1
komi 20.5
10 reg_genmove b
#? [D3]
# White sees it coming.
20 reg_genmove w
#? [D3|E3]
# The snap itself.
play b D3
play w E3
30 reg_genmove b
#? [D3]
