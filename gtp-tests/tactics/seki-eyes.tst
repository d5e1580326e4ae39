# Seki with an eye on each side: eyes count by area, and not by territory. The shared liberty is nobody's.
#    A B C D E F G
# 7  . X . O . O X
# 6  X X X O O O X
# 5  O O O X X X X
# 4  . . O X . X .
# 3  O O O X X X X
# 2  . O . O X . X
# 1  O O O O X X X
boardsize 7
clear_board
komi 0.5
gogui-setup b B7 b G7 b A6 b B6 b C6 b G6 b D5 b E5 b F5 b G5 b D4 b F4 b D3 b E3 b F3 b G3
gogui-setup b E2 b G2 b E1 b F1 b G1
gogui-setup w D7 w F7 w D6 w E6 w F6 w A5 w B5 w C5 w C4 w A3 w B3 w C3 w B2 w D2 w A1 w B1 w C1 w D1
gogui-play_sequence b pass w pass
10 final_status_list seki
#? [A6 .*\n.*D6.*]
20 final_status_list dead
#? []
30 final_score
#? [B\+1\.5]
40 final_status_list dame
#? [C7]
keima-rules japanese
50 final_score
#? [W\+1\.5]
60 final_status_list dame
#? [A7 C7 E7]
70 final_status_list black_territory
#? [F2 E4 G4]
