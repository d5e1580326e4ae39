#args --seed 1 --threads 1 --playouts 2000 --rules as-is
# Where stones count as they stand, dead ones are captured before Black agrees to end the game, else they are left.
#    A B C D E F G
# 7  . X X O . O .
# 6  X X X O O O O
# 5  . X X O . O .
# 4  X X X O O O O
# 3  X X X O . O .
# 2  O . X O O O O
# 1  . X X O . O .
boardsize 7
clear_board
gogui-setup b B7 b C7 b A6 b B6 b C6 b B5 b C5 b A4 b B4 b C4 b A3 b B3 b C3 b C2 b B1 b C1
gogui-setup w D7 w F7 w D6 w E6 w F6 w G6 w D5 w F5 w D4 w E4 w F4 w G4 w D3 w F3 w A2 w D2
gogui-setup w E2 w F2 w G2 w D1 w F1
komi -8.5
play w pass
10 reg_genmove b
#? [A1|B2]
keima-rules tromp-taylor
20 reg_genmove b
#? [A1|B2]
keima-rules chinese
30 reg_genmove b
#? [(?i)pass]
40 kgs-genmove_cleanup b
#? [A1|B2]
undo
# All of it, to the end.
keima-rules as-is
50 genmove b
#? [A1|B2]
play w pass
60 genmove b
#? [A1|B2]
play w pass
70 genmove b
#? [(?i)pass]
80 final_score
#? [B\+1\.5]
90 captures b
#? [1]
