# What the playout policy and the move model think of a stone that has just moved into atari: take it.
boardsize 9
clear_board
play w B3
play w C4
play w D3
play b C3
10 keima-playout-moves w
#? [C2 0\.[89]\d* capture\n.*]
20 keima-priors w
#? [[A-J][1-9] 0\.\d+\n.*C2 0\.\d+\n.*]
