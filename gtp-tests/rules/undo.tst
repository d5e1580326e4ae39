# Undo goes back to the start, captures included, and set-up stones stay.
boardsize 9
clear_board
gogui-setup b e5 w e6
gogui-setup_player w
play w d5
play b a1
play w f5
play b b1
play w e4
10 captures w
#? [1]
20 list_stones b
#? [A1 B1]
undo
30 captures w
#? [0]
40 list_stones b
#? [A1 B1 E5]
play w e4
gg-undo 5
50 list_stones b
#? [E5]
60 list_stones w
#? [E6]
70 move_history
#? []
80 showboard
#? [.*white to move, 0 moves made.*]
# The position that a capture made may be made again after undo.
clear_board
play b a2
play w a1
play b b1
90 list_stones w
#? []
undo
play b b1
100 captures b
#? [1]
