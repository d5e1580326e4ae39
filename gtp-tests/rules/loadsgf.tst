# Records: whole games, positions before a move, and numbers past the end.
loadsgf ../sgf/handicap.sgf
10 move_history
#? [white pass\nblack E4\nwhite E5]
20 list_stones b
#? [C3 E4 G7]
30 get_komi
#? [0\.5]
loadsgf ../sgf/handicap.sgf 1
40 move_history
#? []
50 showboard
#? [.*white to move.*handicap 2]
loadsgf "../sgf/handicap.sgf" 3
60 last_move
#? [black E4]
loadsgf ../sgf/handicap.sgf 999
70 last_move
#? [white pass]
80 printsgf
#? [\(;GM\[1\]FF\[4\].*\)]
# A file that is not there changes nothing.
90 loadsgf no-such-file.sgf
#? [.*]*
100 last_move
#? [white pass]
