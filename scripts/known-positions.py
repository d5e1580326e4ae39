#!/usr/bin/env python3
"""Gathers positions with known answers for `keima score --known`, one a line, on standard output.

    scripts/known-positions.py FOLDER [TIERS]

FOLDER holds any of: `ogs_score_estimator` and `ogs_goban_autoscore` (the repositories of these names of online-go.com), and
`ogs9_final_positions.tsv.gz` (finished 9x9 games with the result that the players agreed on: tier, rules, komi, margin with komi,
two more columns, board), of which games under area rules of these TIERS are taken, A unless given.

A line has: name, rules, komi, board, owners or -, agreed margin for Black with komi or -. Boards and owners are rows from the top
with a slash between: X black, O white, . nobody, ? not known.
"""

import gzip
import json
import sys
from pathlib import Path


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder, tiers = Path(sys.argv[1]), (sys.argv[2] if len(sys.argv) == 3 else "A")
    for path in sorted(folder.glob("ogs_score_estimator/test_games/*/*.game")):
        board, marks = grids(path)
        show(f"estimator/{path.parent.name}/{path.stem}", board, owners(board, marks))
    for path in sorted(folder.glob("ogs_goban_autoscore/test/autoscore_test_files/*.json")):
        data = json.loads(path.read_text())
        stones, owner = str.maketrans("bW ", "XO."), str.maketrans("BW *s", "XO.?.")
        known = [row.translate(owner) for row in data["correct_ownership"]]
        show(f"autoscore/{path.stem}", [row.translate(stones) for row in data["board"]], known, data.get("rules"))
    for number, line in enumerate(agreed(folder / "ogs9_final_positions.tsv.gz"), 1):
        tier, rules, komi, margin, _, _, board = line.split("\t")
        if tier in tiers and rules in ("Chinese", "AGA", "NZ", "Ing"):
            print("ogs9/%s%d" % (tier, number), "chinese", komi, board, "-", margin, sep="\t")


def show(name, board, owner, rules=None):
    print(name, rules or "chinese", "0", "/".join(board), "/".join(owner), "-", sep="\t")


def agreed(path):
    if path.exists():
        with gzip.open(path, "rt") as lines:
            yield from (line.rstrip("\n") for line in list(lines)[1:])


def grids(path):
    """The stones, and the points that come off or count for nobody."""
    rows = [line.split() for line in path.read_text().splitlines()]
    rows = [row for row in rows if row and row[0].lstrip("-").isdigit()]
    half = len(rows) // 2
    letters = {"1": "X", "-1": "O", "0": "."}
    return ["".join(letters[c] for c in row) for row in rows[:half]], [[c == "1" for c in row] for row in rows[half:]]


def owners(board, marks):
    """Whose each point is once marked stones are off and marked empty points are nobody's."""
    size = len(board)
    left = [["." if marks[y][x] else board[y][x] for x in range(size)] for y in range(size)]
    owner = [row[:] for row in left]
    seen = set()
    for y in range(size):
        for x in range(size):
            if left[y][x] != "." or (x, y) in seen:
                continue
            region, touched = [(x, y)], set()
            seen.add((x, y))
            for a, b in region:
                for c, d in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
                    if not (0 <= c < size and 0 <= d < size):
                        continue
                    if left[d][c] != ".":
                        touched.add(left[d][c])
                    elif (c, d) not in seen and not is_neutral(board, marks, c, d) and not is_neutral(board, marks, x, y):
                        seen.add((c, d))
                        region.append((c, d))
            if len(touched) == 1 and not is_neutral(board, marks, x, y):
                for a, b in region:
                    owner[b][a] = next(iter(touched))
    return ["".join(row) for row in owner]


def is_neutral(board, marks, x, y):
    return board[y][x] == "." and marks[y][x]


main()
