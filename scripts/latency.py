#!/usr/bin/env python3
"""How soon an analysis ends when a line comes in, and how evenly its lines come.

    scripts/latency.py [--rounds N] [--size N] COMMAND...

For instance `scripts/latency.py target/release/keima --threads 2`. In each round a random position is set up, an
analysis runs for a random time of up to 1.2 seconds, and a line ends it: an empty line, a comment or a question. Printed
are the time from that line to the end of the analysis's reply and to the answer to the question, and how far the lines came
from the interval asked. Not part of the tests: it measures time.
"""

import argparse
import random
import subprocess
import sys
import threading
import time


class Engine:
    """A program whose lines are read, with their times, by a thread."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = []
        self.arrived = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            now = time.perf_counter()
            with self.arrived:
                self.lines.append((now, line.rstrip("\n")))
                self.arrived.notify()

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return time.perf_counter()

    def reply(self):
        """The lines of the next reply with their times, the empty one at the end included."""
        with self.arrived:
            while not any(not line for _, line in self.lines):
                if not self.arrived.wait(60):
                    sys.exit("no reply")
            end = next(i for i, (_, line) in enumerate(self.lines) if not line)
            found, self.lines = self.lines[: end + 1], self.lines[end + 1 :]
            return found

    def ask(self, text):
        self.send(text)
        return self.reply()[0][1][2:]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--size", type=int, default=19)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    rng = random.Random(1)
    engine = Engine(args.command)
    ends, answers, firsts, intervals = [], [], [], []
    for number in range(args.rounds):
        engine.ask(f"boardsize {args.size}")
        letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"[: args.size]
        stones = rng.randrange(args.size * args.size * 2 // 3)
        for i in range(stones):
            engine.ask(f"play {'bw'[i % 2]} {rng.choice(letters)}{rng.randint(1, args.size)}")
        interval = rng.choice([10, 20, 50])
        wait = rng.uniform(0, 1.2)
        begun = engine.send(f"kata-analyze b {interval} ownership true")
        time.sleep(wait)
        line = rng.choice(["", "# a comment", "name", "known_command x"])
        sent = engine.send(line)
        reply = engine.reply()
        ends.append(reply[-1][0] - sent)
        if line and not line.startswith("#"):
            answers.append(engine.reply()[-1][0] - sent)
        told = [when for when, text in reply if text.startswith("info ")]
        firsts.append(told[0] - begun)
        # The last line may have been cut off from its interval by the end.
        for before, after in zip(told[1:], told[2:]):
            intervals.append((after - before) / (interval / 100))
    engine.send("quit")
    for name, values in [("analysis ended after", ends), ("question answered after", answers), ("first line after", firsts)]:
        shares = "  ".join(f"{share:.0%} {percentile(values, share) * 1000:.1f} ms" for share in (0.5, 0.9, 0.99))
        print(f"{name}: {shares}  at most {max(values) * 1000:.1f} ms  ({len(values)})")
    if intervals:
        within = sum(0.8 <= ratio <= 1.2 for ratio in intervals) / len(intervals)
        mean = sum(intervals) / len(intervals)
        print(f"lines within 20% of the interval: {within:.1%}, mean {mean:.3f} of it ({len(intervals)})")


main()
