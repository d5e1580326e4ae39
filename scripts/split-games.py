#!/usr/bin/env python3
"""Prepares game records for `keima learn`.

Reads SGF games, one a line, from standard input, and writes them to PREFIX.train and PREFIX.validation. The split
goes by the first hexadecimal digit of the MD5 of the game from its first move on: 0 is set aside as test data and not
written, 1 is validation, the rest is for learning. With --ranks only players with a dan rank (BR, WR) get a name
(PB, PW), so that only their moves are learnt; games without such a player are left out.
"""

import argparse
import hashlib
import re
import sys


def named(line, color):
    return re.search(color + r"R\[\d+[dp]\]", line) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix")
    parser.add_argument("--ranks", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="keep one game in so many")
    options = parser.parse_args()
    with open(options.prefix + ".train", "w") as train, open(options.prefix + ".validation", "w") as validation:
        for number, line in enumerate(sys.stdin):
            if number % options.every:
                continue
            first = re.search(r";[BW]\[", line)
            if not first:
                continue
            digit = hashlib.md5(line.rstrip("\n")[first.start():].encode()).hexdigest()[0]
            if digit == "0":
                continue
            if options.ranks:
                names = "".join(f"P{c}[dan]" for c in "BW" if named(line, c))
                if not names:
                    continue
                line = line[:2] + names + line[2:]
            (validation if digit == "1" else train).write(line)


if __name__ == "__main__":
    sys.exit(main())
