# Suicide is illegal, and with Tromp-Taylor rules legal.
boardsize 9
clear_board
play b a2
play b b1
10 is_legal w a1
#? [0]
keima-rules tromp-taylor
# One stone that captures itself recreates the position, which superko forbids.
20 is_legal w a1
#? [0]
clear_board
play b a3
play b b2
play w a2
play b b1
30 is_legal w a1
#? [1]
play w a1
40 list_stones w
#? []
50 captures b
#? [2]
undo
60 list_stones w
#? [A2]
keima-rules chinese
70 is_legal w a1
#? [0]
# A move that captures is no suicide.
clear_board
play b a2
play b b1
play w b2
play w c1
play w a3
80 is_legal w a1
#? [1]
play w a1
90 list_stones b
#? []
