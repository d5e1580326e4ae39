#!/usr/bin/env python3
"""Which games are for learning, which for checking?

Reads labelled games, one JSON object a line, from standard input and writes PREFIX-train.jsonl, PREFIX-validation.jsonl and
PREFIX-test.jsonl. The split goes by the first hexadecimal digit of the MD5 of the moves joined by spaces: 0 is
test, 1 is validation, the rest is for learning.
"""

import argparse
import hashlib
import json
import sys


def part_of(text):
    """Where what this text stands for belongs."""
    digit = hashlib.md5(text.encode()).hexdigest()[0]
    return {"0": "test", "1": "validation"}.get(digit, "train")


def part(line):
    return part_of(" ".join(json.loads(line)["moves"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix")
    prefix = parser.parse_args().prefix
    files = {name: open(f"{prefix}-{name}.jsonl", "w") for name in ("train", "validation", "test")}
    for line in sys.stdin:
        files[part(line)].write(line)
    for file in files.values():
        file.close()


if __name__ == "__main__":
    sys.exit(main())
