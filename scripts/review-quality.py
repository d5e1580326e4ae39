#!/usr/bin/env python3
"""How good are reviews? Compares the points that `keima analyze` says each move lost with the labels of a stronger program.

    scripts/review-quality.py KEIMA LABELS.jsonl [MOVES [ARGUMENT...]]

LABELS has a game a line, as the scripts of `scripts/train` write them: the lead in the eyes of the stronger program after each move. Of the first
games with MOVES (1000) labelled moves together it prints the mean error of the points lost, that of calling no move a loss, and the correlation. Further
arguments go to `keima analyze`, for instance --visits 400.
"""

import json
import math
import subprocess
import sys

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def sgf(game):
    size = game["size"]

    def letters(vertex):
        if vertex == "pass":
            return ""
        return chr(97 + COLUMNS.index(vertex[0])) + chr(97 + size - int(vertex[1:]))

    stones = "".join(f"[{letters(stone)}]" for stone in game["setup"])
    moves = "".join(f";{'BW'[k % 2]}[{letters(move)}]" for k, move in enumerate(game["moves"]))
    return f"(;GM[1]SZ[{size}]KM[{game['komi']}]{'AB' + stones if stones else ''}PL[B]{moves})"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    keima, labels = sys.argv[1:3]
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    pairs = []
    with open(labels) as file:
        for line in file:
            game = json.loads(line)
            lead = {game["first"] + k: position["s"] for k, position in enumerate(game["pos"])}
            numbers = [n for n in range(1, len(game["moves"]) + 1) if n - 1 in lead and n in lead]
            if not numbers:
                continue
            command = [keima, "analyze", "--json", "--moves", f"{numbers[0]}-{numbers[-1]}", *sys.argv[4:], "-"]
            asked = json.dumps({"id": "game", "sgf": sgf(game)}) + "\n"
            review = json.loads(subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout)
            for move in review["moves"]:
                sign = 1 if move["player"] == "B" else -1
                lost = sign * (lead[move["number"] - 1] - lead[move["number"]])
                pairs.append((max(0.0, lost), move["points_lost"]))
            if len(pairs) >= wanted:
                break
    truths, said = zip(*pairs)
    mean = lambda values: sum(values) / len(values)
    error, nothing = mean([abs(a - b) for a, b in pairs]), mean(truths)
    spread = lambda values: math.sqrt(mean([(v - mean(values)) ** 2 for v in values]))
    both = mean([(a - mean(truths)) * (b - mean(said)) for a, b in pairs])
    correlation = both / (spread(truths) * spread(said)) if spread(truths) and spread(said) else 0.0
    print(f"{len(pairs)} moves: mean error {error:.2f} points, of calling nothing a loss {nothing:.2f}, correlation {correlation:.2f}")


if __name__ == "__main__":
    main()
