# Life and death confirmed with proof. Example 9 of the rules: a ko that whoever moves first wins.
boardsize 9
set_position b A9 w B9 b D9 w E9 w F9 w G9 w H9 w J9 b B8 b C8 b D8 w E8 w F8 w G8 w H8 w J8 b A7 b B7 w C7 w D7 w E7 w F7 w G7 w H7 w J7 w A6 w B6 w C6 w D6 w E6 w F6 w G6 w H6 w J6 w A5 w B5 w C5 w D5 w E5 w F5 w G5 w H5 w J5 w A4 w B4 w C4 w D4 w E4 w F4 w G4 w H4 w J4 w A3 w B3 w C3 w D3 w E3 w F3 w G3 w H3 w J3 w A2 w B2 w C2 w D2 w F2 w G2 w J2 w A1 w B1 w C1 w D1 w E1 w F1 w G1 w H1 w J1
10 keima-life B9
#? [dead: it is captured, and no new stone lives\nchain white B9\nline B C9\nrules japanese, \d+ states]
20 keima-life b9 japanese-draft
#? [alive: its owner can force life\nchain white B9\nline W .*\nrules japanese-draft, \d+ states]
30 keima-life D9 Japanese
#? [dead: .*\nchain black A7 B7 B8 C8 D8 D9\nline W A8 .*\nrules japanese, \d+ states]
# Too small a budget is said to be so.
40 keima-life D9 20
#? [unknown: .*not known at this budget\n(.*\n)*rules japanese, \d+ states]
# All chains, one a line.
50 keima-life
#? [A1 white alive: it lives whatever is played, 0 states\n(.*\n)*A9 black dead: .*\n(.*\n)*.* states]
# Example 1, three points without capturing: all is seki under the rules of 1989, and the chain is lost in part under the draft.
boardsize 9
set_position b B9 b C9 w D9 w E9 w G9 w H9 w J9 w A8 b B8 b C8 w D8 w F8 w G8 w H8 w J8 b A7 w B7 w C7 w D7 w E7 w F7 w G7 w H7 w J7 b A6 b B6 b C6 b D6 w E6 w F6 w G6 w H6 w J6 b B5 b D5 b E5 b F5 w G5 w J5 b A4 b B4 b C4 b D4 b E4 b F4 w G4 w H4 w J4 b A3 b B3 b C3 b D3 b E3 b F3 w G3 w H3 w J3 b A2 b C2 b D2 b F2 w G2 w J2 b A1 b B1 b C1 b D1 b E1 b F1 w G1 w H1 w J1
60 keima-life B9
#? [seki: capturing it enables a new stone that cannot be captured\n(.*\n)*.*]
70 keima-life B9 japanese-draft
#? [dead: its opponent can force the loss of it or of a part\n(.*\n)*.*]
clear_board
110 keima-life
#? []
