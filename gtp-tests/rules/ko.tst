# Simple ko: not at once, but after two other moves.
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
10 is_legal w d4
#? [0]
20 captures b
#? [1]
play w a1
play b a2
30 is_legal w d4
#? [1]
play w d4
40 captures w
#? [1]
# Undo restores that the point was forbidden.
play b h9
play w h8
50 is_legal b e4
#? [1]
gg-undo 2
60 is_legal b e4
#? [0]
undo
70 is_legal w d4
#? [1]
gg-undo 2
80 is_legal w d4
#? [0]
