# Area scoring of finished boards without dead stones.
boardsize 5
clear_board
komi 0.5
10 final_score
#? [W\+0\.5]
keima-rules as-is
gogui-play_sequence b b1 w d1 b b2 w d2 b b3 w d3 b b4 w d4 b b5 w d5
20 final_score
#? [W\+0\.5]
30 final_status_list black_territory
#? [A1 A2 A3 A4 A5]
40 final_status_list white_territory
#? [E1 E2 E3 E4 E5]
50 final_status_list dame
#? [C1 C2 C3 C4 C5]
60 keima-ownership
#? [1 1 0 -1 -1(\n1 1 0 -1 -1){4}]
play b c3
play w c2
70 final_score
#? [W\+0\.5]
# Passing changes nothing, and is no end.
play b pass
80 final_score
#? [W\+0\.5]
play w pass
90 final_score
#? [W\+0\.5]
undo
undo
100 last_move
#? [white C2]
# The komi counts.
komi -4.5
110 final_score
#? [B\+4\.5]
komi 0
120 final_score
#? [0]
