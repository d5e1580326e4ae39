#args --seed 1 --threads 1 --playouts 2000
# Ladders.
# White has just run to E3. The ladder towards the upper right works, and Black has no other way to hold D2 and E2.
#    A B C D E F G H J
# 9  . . . . . . . . .
# 8  . . . . . . . . .
# 7  . . . . . . . . .
# 6  . . . . . . . . .
# 5  . . . . . . . . .
# 4  . . X X . . . . .
# 3  . O X O O . . . .
# 2  . O O X X . . . .
# 1  . . . . . . . . .
boardsize 9
clear_board
gogui-setup b C4 b D4 b C3 b D2 b E2
gogui-setup w B3 w D3 w E3 w B2 w C2
komi 6.5
10 reg_genmove b
#? [F3]
# Before: White does not run when the ladder works.
#    A B C D E F G H J
# 9  . . . . . . . . .
# 8  . . . . . . . . .
# 7  . . . . . . . . .
# 6  . . . . . . . . .
# 5  . . . . . . . . .
# 4  . . X X . . . . .
# 3  . O X O . . . . .
# 2  . O O X X . . . .
# 1  . . . . . . . . .
boardsize 9
clear_board
gogui-setup b C4 b D4 b C3 b D2 b E2
gogui-setup w B3 w D3 w B2 w C2
30 reg_genmove w
#? [!E3]
