#args --seed 1 --threads 1 --playouts 2000
# Nothing is left but eyes: whoever fills one loses stones, so both pass, whatever the rules.
#    A B C D E
# 5  . X X O .
# 4  X X X O O
# 3  X . X O O
# 2  X X X O .
# 1  . X X O O
boardsize 5
clear_board
gogui-setup b B5 b C5 b A4 b B4 b C4 b A3 b C3 b A2 b B2 b C2 b B1 b C1
gogui-setup w D5 w D4 w E4 w D3 w E3 w D2 w D1 w E1
komi 2.5
10 reg_genmove b
#? [(?i)pass]
20 reg_genmove w
#? [(?i)pass]
keima-rules as-is
30 reg_genmove b
#? [(?i)pass]
40 reg_genmove w
#? [(?i)pass]
keima-rules tromp-taylor
50 reg_genmove b
#? [(?i)pass]
60 reg_genmove w
#? [(?i)pass]
# Behind on the board, and still no eye is filled.
komi 9.5
70 reg_genmove b
#? [(?i)pass|resign]
komi -9.5
80 reg_genmove w
#? [(?i)pass|resign]
