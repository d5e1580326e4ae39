#!/usr/bin/env python3
"""How does a strong net judge positions of recorded games? Labels one position of each record, in the format of `keima shards`.

The records have one game a line. Each is asked about after a random number of its moves, with the policy, the owners, the win
probability and the lead of one visit: the net alone. KataGo is started as a program and asked over its analysis protocol.
"""

import argparse
import base64
import gzip
import json
import math
import random
import re
import subprocess
import tempfile
import time

from split import part_of

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
MOVE = re.compile(r";([BW])\[([a-z]{0,2})\]")
KOMI = re.compile(r"KM\[(-?[0-9.]+)\]")
KOMI_NOISE = (0, 0, 0, -1, 1, -3, 3, -7, 7)  # so that the net learns what komi does


def vertex(move, size):
    return COLUMNS[ord(move[0]) - 97] + str(size - (ord(move[1]) - 97)) if move else "pass"


def part(line):
    """Where a game belongs, by the same text as in split-games.py: no position of a test game may enter training."""
    return part_of(line[MOVE.search(line).start() :].rstrip("\n"))


def read_games(paths, size, wanted):
    """(komi, moves) of the games of one part without handicap in which the players alternate."""
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", errors="replace") as file:
            for line in file:
                moves = MOVE.findall(line)
                komi = KOMI.search(line)
                if "AB[" in line or komi is None or len(moves) < 10:
                    continue
                if part(line) == wanted and all(color == "BW"[k % 2] for k, (color, _) in enumerate(moves)):
                    yield float(komi.group(1)), [vertex(move, size) for _, move in moves]


def configuration(size, threads):
    # Without the exact size of the board, KataGo computes each position on the largest.
    return (
        f"logDir={tempfile.mkdtemp()}\nlogAllRequests=false\nlogAllResponses=false\nnumAnalysisThreads={4 * threads}\n"
        f"numSearchThreadsPerAnalysisThread=1\nnumNNServerThreadsPerModel=1\nnumEigenThreadsPerModel={threads}\n"
        f"nnMaxBatchSize=8\nmaxBoardXSizeForNNBuffer={size}\nmaxBoardYSizeForNNBuffer={size}\nrequireMaxBoardSize=true\n"
        "nnCacheSizePowerOfTwo=10\nnnMutexPoolSizePowerOfTwo=8\nnnRandomize=true\nreportAnalysisWinratesAs=BLACK\n"
    )


def query(number, komi, moves, size):
    rules = dict(ko="POSITIONAL", scoring="AREA", tax="NONE", suicide=False, hasButton=False, friendlyPassOk=False,
                 whiteHandicapBonus="0")
    return dict(id=str(number), moves=[["BW"[k % 2], move] for k, move in enumerate(moves)], initialPlayer="B",
                rules=rules, komi=komi, boardXSize=size, boardYSize=size, maxVisits=1, includePolicy=True,
                includeOwnership=True)


def labels(answer):
    policy = [max(0.0, p) for p in answer["policy"]]
    roots = bytes(min(255, max(1 if p > 0 else 0, round(255 * math.sqrt(p)))) for p in policy)
    owners = bytes(round(127 * max(-1, min(1, owner))) & 255 for owner in answer["ownership"])
    root = answer["rootInfo"]
    return dict(w=round(root["winrate"], 4), s=round(root["scoreLead"], 2), p=base64.b64encode(roots).decode(),
                o=base64.b64encode(owners).decode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", metavar="GAMES", help="files of records, .gz or not")
    parser.add_argument("--katago", required=True, metavar="PROGRAM")
    parser.add_argument("--model", required=True, metavar="NET")
    parser.add_argument("--part", choices=("train", "validation", "test"), default="train")
    parser.add_argument("--size", type=int, default=19)
    parser.add_argument("--out", required=True, metavar="FILE", help="JSON lines, added to; .gz or not")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    chance = random.Random(options.seed)
    games = list(read_games(options.records, options.size, options.part))
    chance.shuffle(games)
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as config:
        config.write(configuration(options.size, options.threads))
        config.flush()
        katago = subprocess.Popen(
            [options.katago, "analysis", "-config", config.name, "-model", options.model],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1,
        )
        asked, number, done, end = {}, 0, 0, time.monotonic() + 60 * options.minutes

        def ask():
            nonlocal number
            if number < len(games) and time.monotonic() < end:
                komi, moves = games[number]
                komi += chance.choice(KOMI_NOISE)
                moves = moves[: chance.randrange(len(moves) + 1)]
                number += 1
                asked[str(number)] = komi, moves
                katago.stdin.write(json.dumps(query(number, komi, moves, options.size)) + "\n")

        with (gzip.open if options.out.endswith(".gz") else open)(options.out, "at") as out:
            for _ in range(8 * options.threads):
                ask()
            while asked:
                answer = json.loads(katago.stdout.readline())
                komi, moves = asked.pop(answer["id"], (None, None))
                if moves is None:
                    continue
                if "policy" in answer:  # not in a record that KataGo takes for illegal
                    record = dict(size=options.size, komi=komi, setup=[], moves=moves, first=len(moves), pos=[labels(answer)])
                    out.write(json.dumps(record, separators=(",", ":")) + "\n")
                    done += 1
                    if done % 500 == 0:
                        print(f"{done} positions", flush=True)
                ask()
        katago.stdin.close()
        katago.wait()
    print(f"{done} positions")


if __name__ == "__main__":
    main()
