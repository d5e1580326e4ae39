#args --seed 1 --threads 1 --playouts 1000
# The status of chains and the score when a game is over.
# A dead stone in Black's corner.
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
gogui-play_sequence b pass w pass
10 final_status_list dead
#? [A2]
20 final_status_list seki
#? []
30 final_status_list alive
#? [.*A3.*D1.*]
40 final_score
#? [B\+1\.5]
keima-rules as-is
50 final_score
#? [W\+2\.5]
60 final_status_list dead
#? [A2]
# Three in a row with the vital point taken: the group is dead, and the stone that killed it alive.
#    A B C D E F G
# 7  . X . X . X .
# 6  X X X X X X X
# 5  . X . X . X .
# 4  X X X X X X X
# 3  X X X X X X X
# 2  O O O O O X X
# 1  O . X . O X .
boardsize 7
clear_board
gogui-setup b B7 b D7 b F7 b A6 b B6 b C6 b D6 b E6 b F6 b G6 b B5 b D5 b F5 b A4 b B4 b C4
gogui-setup b D4 b E4 b F4 b G4 b A3 b B3 b C3 b D3 b E3 b F3 b G3 b F2 b G2 b C1 b F1
gogui-setup w A2 w B2 w C2 w D2 w E2 w A1 w E1
keima-rules chinese
komi 0.5
gogui-play_sequence b pass w pass
70 final_status_list dead
#? [((A1|A2|B2|C2|D2|E2|E1) ?){7}]
80 final_status_list seki
#? []
90 final_score
#? [B\+48\.5]
# Two living groups, and a neutral point between them.
#    A B C D E
# 5  . X . O .
# 4  X X X O O
# 3  X . X O .
# 2  X X X O O
# 1  . X X O O
boardsize 5
clear_board
gogui-setup b B5 b A4 b B4 b C4 b A3 b C3 b A2 b B2 b C2 b B1 b C1
gogui-setup w D5 w D4 w E4 w D3 w D2 w E2 w D1 w E1
komi 0.5
gogui-play_sequence b pass w pass
100 final_status_list dead
#? []
110 final_status_list dame
#? [C5]
120 final_score
#? [B\+3\.5]
# White's two stones cannot live, and nothing has to be captured before the count.
boardsize 5
clear_board
komi 6.5
play b c3
play w d4
play b c4
play w c2
play b d2
play w pass
95 final_score
#? [B\+18\.5]
96 final_status_list dead
#? [C2\nD4]
