# Territory and prisoners.
# A dead stone in Black's corner, and one white stone captured.
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
komi 6.5
keima-rules japanese
gogui-setup b B7 b C7 b A6 b B6 b C6 b B5 b C5 b A4 b B4 b C4 b A3 b B3 b C3 b C2 b B1 b C1
gogui-setup w D7 w F7 w D6 w E6 w F6 w G6 w D5 w F5 w D4 w E4 w F4 w G4 w D3 w F3 w A2 w D2
gogui-setup w E2 w F2 w G2 w D1 w F1
10 final_status_list dead
#? [A2]
20 final_status_list black_territory
#? [A1 A2 B2 A5 A7]
# Black: five points and a prisoner; White: eight points.
30 final_score
#? [W\+8\.5]
# To capture the stone costs a point for each move inside; White's passes cost nothing.
play b b2
play w pass
40 final_score
#? [W\+9\.5]
play b a1
50 captures b
#? [1]
60 final_score
#? [W\+10\.5]
# By area the same moves change nothing.
keima-rules chinese
70 final_score
#? [W\+13\.5]
gg-undo 3
80 final_score
#? [W\+13\.5]
keima-rules japanese
# Nobody plays inside: the game is over.
90 reg_genmove b
#? [(?i)pass]
100 reg_genmove w
#? [(?i)pass]
play b pass
110 reg_genmove w
#? [(?i)pass]
undo
keima-rules japanese-draft
120 final_score
#? [W\+8\.5]
130 reg_genmove b
#? [(?i)pass]
kgs-rules japanese
140 keima-rules
#? [japanese]
150 printsgf
#? [.*RU\[japanese\].*]
# Passing lifts the ban of a ko, since there is no superko.
boardsize 9
clear_board
play b d5
play w e5
play b c4
play w f4
play b d3
play w e3
play b a9
play w d4
play b e4
200 is_legal w d4
#? [0]
play w pass
play b pass
210 is_legal w d4
#? [1]
keima-rules chinese
220 is_legal w d4
#? [0]
