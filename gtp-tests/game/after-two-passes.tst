# Nothing in the protocol ends a game: moves, answers and undo go on.
boardsize 9
clear_board
play b e5
play w pass
play b pass
10 genmove w
#? [[A-HJ][1-9]|pass|resign]
20 genmove w
#? [[A-HJ][1-9]|pass|resign]
30 genmove b
#? [[A-HJ][1-9]|pass|resign]
play b pass
play w pass
play b pass
undo
undo
40 last_move
#? [black pass]
50 final_score
#? [[BW]\+[0-9]+\.[05]|0]
