#args --seed 1 --threads 1 --playouts 2000
# The first move on 5x5 is the middle.
boardsize 5
clear_board
10 reg_genmove b
#? [C3]
# Three white stones in atari between two black groups: whoever moves first plays E4.
boardsize 7
clear_board
gogui-setup B C3 B C4 B C5 B D6 B D2 B E3 B E5 W D3 W D4 W D5 W F2 W F3 W F4 W F5 W E2 W E6 W F6
20 reg_genmove b
#? [E4]
21 reg_genmove w
#? [E4]
# Everything is settled, White has passed: Black agrees.
boardsize 5
clear_board
gogui-setup B C1 B C2 B C3 B C4 B C5 B B3 W D1 W D2 W D3 W D4 W D5 W E3
play w pass
30 reg_genmove b
#? [(?i)pass]
