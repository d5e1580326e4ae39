# Whatever the position, there is a score.
boardsize 9
clear_board
komi 6.5
# An empty board, and two passes at move one.
10 final_score
#? [W\+6\.5]
gogui-play_sequence b pass w pass
20 final_score
#? [W\+6\.5]
30 final_status_list dame
#? [A1 B1 .*J9]
40 final_status_list alive
#? []
keima-rules japanese
50 final_score
#? [W\+6\.5]
# A board of one color.
clear_board
keima-rules chinese
play b e5
play w pass
play b c3
60 final_score
#? [B\+74\.5]
70 final_status_list alive
#? [C3\nE5]
80 final_status_list dead
#? []
keima-rules japanese
90 final_score
#? [B\+72\.5]
# A handicap brings White a point a stone by area, beside komi, and none by territory.
keima-rules chinese
clear_board
komi 0.5
fixed_handicap 4
100 final_score
#? [B\+76\.5]
keima-rules as-is
110 final_score
#? [B\+80\.5]
keima-rules japanese
120 final_score
#? [B\+76\.5]
