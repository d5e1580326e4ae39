#args --seed 1 --threads 1 --playouts 2000
# Seki: whoever plays A1 or F1 loses its stones there, Black all of them. Both leave it alone.
#    A B C D E F G
# 7  O O O O O O O
# 6  . O . O . O .
# 5  O O O O O O O
# 4  . O . O . O .
# 3  O O O O O O O
# 2  X X X X X X X
# 1  . O O O O . X
boardsize 7
clear_board
gogui-setup b A2 b B2 b C2 b D2 b E2 b F2 b G2 b G1
gogui-setup w A7 w B7 w C7 w D7 w E7 w F7 w G7 w B6 w D6 w F6 w A5 w B5 w C5 w D5 w E5 w F5
gogui-setup w G5 w B4 w D4 w F4 w A3 w B3 w C3 w D3 w E3 w F3 w G3 w B1 w C1 w D1 w E1
# Black wins if the seki stands.
komi -35.5
10 reg_genmove b
#? [(?i)pass]
play w pass
20 reg_genmove b
#? [(?i)pass]
undo
# White wins if the seki stands.
komi -25.5
30 reg_genmove w
#? [(?i)pass]
play b pass
40 reg_genmove w
#? [(?i)pass]
play w pass
50 final_status_list seki
#? [((B1|C1|D1|E1) ?){4}\n((A2|B2|C2|D2|E2|F2|G2|G1) ?){8}]
60 final_status_list dead
#? []
70 final_status_list dame
#? [A1 F1]
80 final_score
#? [W\+5\.5]
