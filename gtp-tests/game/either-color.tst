# Either player may be asked to move, whoever moved last, and the same one twice.
boardsize 9
clear_board
10 genmove w
#? [[A-HJ][1-9]]
20 genmove w
#? [[A-HJ][1-9]]
play b a1
play b a2
30 reg_genmove b
#? [[A-HJ][1-9]|pass|resign]
40 last_move
#? [black A2]
