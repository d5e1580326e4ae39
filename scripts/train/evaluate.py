#!/usr/bin/env python3
"""How well does a network predict positions that it has not learnt from? One line of measures a board size.

usage: evaluate.py RUNDIR SHARD...
"""

import argparse

import torch

import checkpoints
import shards

PART = 500  # positions evaluated at a time, to bound the memory

COLUMNS = {
    "top1": "share of positions where the highest logit is the target's best move",
    "kl": "cross-entropy of the policy less the entropy of its target, in nats",
    "brier": "mean squared error of the probability to win",
    "close": "the same, over positions whose label is from 0.05 to 0.95",
    "lead": "mean absolute error of the lead, in points",
    "owner": "mean squared error of the owner of a point, from -1 to 1",
}


def mean(values, mask):
    return float((values * mask).sum() / mask.sum()) if mask.sum() > 0 else float("nan")


def measure(net, pool, limit):
    """The measures over up to `limit` positions, spread evenly over the pool. The net must be in evaluation mode."""
    count = min(limit, len(pool))
    indices = torch.arange(count).mul(len(pool)).div(count, rounding_mode="floor").numpy()
    columns = []
    for start in range(0, count, PART):
        batch = shards.tensors(pool.header, pool.take(indices[start : start + PART]))
        with torch.no_grad():
            policy, win, lead, owner = net(batch.planes, batch.scalars)
        log_target = torch.log(batch.policy.clamp_min(1e-30))
        squared = (torch.sigmoid(win) - batch.win) ** 2
        columns.append(torch.stack([
            batch.policy.sum(1),
            (policy.argmax(1) == batch.policy.argmax(1)).float(),
            (batch.policy * (log_target - torch.log_softmax(policy, 1))).sum(1),
            batch.has_win,
            squared,
            ((batch.win - 0.5).abs() <= 0.45).float(),
            batch.has_board,
            10 * (lead - batch.lead).abs(),
            ((owner - batch.owner) ** 2).mean(1),
        ]))
    labelled, top, kl, has_win, brier, close, has_board, lead, owner = torch.cat(columns, 1)
    return {
        "positions": count,
        "top1": mean(top, labelled),
        "kl": mean(kl, labelled),
        "brier": mean(brier, has_win),
        "close": mean(brier, has_win * close),
        "lead": mean(lead, has_board),
        "owner": mean(owner, has_board),
    }


def line(size, measures):
    return f"size {size}: {measures['positions']} positions" + "".join(f" {c} {measures[c]:.4f}" for c in COLUMNS)


def main():
    notes = "\n".join(f"  {name:6} {meaning}" for name, meaning in COLUMNS.items())
    parser = argparse.ArgumentParser(
        description=f"{__doc__}\n{notes}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rundir")
    parser.add_argument("shards", nargs="+")
    parser.add_argument("--limit", type=int, default=4000, help="positions a size")
    parser.add_argument("--threads", type=int, help="default: all cores")
    options = parser.parse_args()
    if options.threads:
        torch.set_num_threads(options.threads)
    net = checkpoints.averaged_net(options.rundir)
    for size, pool in shards.open_pools(options.shards).items():
        print(line(size, measure(net, pool, options.limit)), flush=True)


if __name__ == "__main__":
    main()
