# Positions set up by hand.
boardsize 9
clear_board
komi 5.5
set_position b a1 w c3 b b1 W d4
10 list_stones b
#? [A1 B1]
20 list_stones w
#? [C3 D4]
30 move_history
#? []
40 get_komi
#? [5\.5]
# A new position replaces the old one, and no position at all is an empty board.
set_position w e5
50 list_stones b
#? []
set_position
60 list_stones w
#? []
# The order in which stones are given does not matter.
set_position b a1 b a2 w b2 w b1 w a3 b a4 b b3
#? [.*]*
boardsize 9
gogui-setup b a1 b b2 w a2 w a3
70 list_stones w
#? [A2 A3]
# Both boards of any size.
boardsize 2
80 all_legal b
#? [A1 B1 A2 B2]
boardsize 25
90 is_legal b z25
#? [1]
100 is_legal b i3
#? [.*]*
