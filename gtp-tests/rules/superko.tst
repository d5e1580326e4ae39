# Passing does not make a repetition legal: positional superko.
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
play w pass
play b pass
10 is_legal w d4
#? [0]
# A move elsewhere makes it a new position.
play w h1
play b h2
20 is_legal w d4
#? [1]

# Send two, return one: White makes B1 two stones, Black takes both, and retaking the single black stone would bring
# back the position before. No simple ko is involved.
boardsize 5
clear_board
set_position b a2 b b2 w b1 w c2 w d1
play w a1
play b c1
30 captures b
#? [2]
40 is_legal w b1
#? [0]
play w e5
play b e4
50 is_legal w b1
#? [1]
gg-undo 2
60 is_legal w b1
#? [0]
gg-undo 2
70 list_stones w
#? [B1 D1 C2]

# Keima never plays a repetition, but follows one that others made: their rules may allow it.
play w a1
play b c1
play w pass
play b pass
80 is_legal w b1
#? [0]
play w b1
90 captures w
#? [1]
gogui-play_sequence b pass w pass
100 final_score
#? [[BW]\+[0-9.]+|0]
