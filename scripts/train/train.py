#!/usr/bin/env python3
"""How does a network learn from shards? Trains one, with checkpoints, a log and validation, in RUNDIR.

With --steps a run is determined by its options (on one machine, with the same number of threads); with --minutes the
clock decides where the learning rate falls.
"""

import argparse
import copy
import os
import time

import torch
from torch.nn import functional

import checkpoints
import evaluate
import model
import shards

LEAD_WEIGHT, OWNER_WEIGHT = 0.5, 1.5
LEAD_LIMIT = 6.0  # in tens of points: beyond, only the winner matters
WARM_UP = 0.03  # share of the run in which the learning rate rises
LAST_RATE = 0.01  # the learning rate at the end, relative to its highest


def labelled_mean(values, mask):
    return (values * mask).sum() / mask.sum().clamp_min(1)


def losses(net, batch):
    policy, win, lead, owner = net(batch.planes, batch.scalars)
    log_policy = torch.log_softmax(policy, 1)
    lead_target = batch.lead.clamp(-LEAD_LIMIT, LEAD_LIMIT)
    return {
        "policy": labelled_mean(-(batch.policy * log_policy).sum(1), batch.policy.sum(1)),
        "win": labelled_mean(
            functional.binary_cross_entropy_with_logits(win, batch.win, reduction="none"), batch.has_win
        ),
        "lead": labelled_mean(functional.huber_loss(lead, lead_target, reduction="none"), batch.has_board),
        "owner": labelled_mean(((owner - batch.owner) ** 2).mean(1), batch.has_board),
    }


def total(parts):
    return parts["policy"] + parts["win"] + LEAD_WEIGHT * parts["lead"] + OWNER_WEIGHT * parts["owner"]


def make_optimizer(net, options):
    """Weight decay goes to the weights of convolutions and dense layers only: biases and norms have few values and
    no need to be small."""
    weights = [p for p in net.parameters() if p.ndim > 1]
    others = [p for p in net.parameters() if p.ndim <= 1]
    groups = [{"params": weights, "weight_decay": options.decay}, {"params": others, "weight_decay": 0.0}]
    if options.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=options.rate, momentum=0.9, nesterov=True)
    return torch.optim.AdamW(groups, lr=options.rate)


def rate(progress):
    """The learning rate relative to its highest: a linear rise, then a cosine down to LAST_RATE."""
    if progress < WARM_UP:
        return max(progress / WARM_UP, 0.01)
    fall = min((progress - WARM_UP) / (1 - WARM_UP), 1)
    return LAST_RATE + (1 - LAST_RATE) * (1 + torch.cos(torch.tensor(fall * torch.pi)).item()) / 2


@torch.no_grad()
def average(averaged, net, step, decay):
    """Moves the averaged weights, and the statistics of the norms, a little towards the net's; at first faster."""
    share = 1 - min(decay, (1 + step) / (10 + step))
    for old, new in zip(averaged.state_dict().values(), net.state_dict().values()):
        if old.is_floating_point():
            old.lerp_(new, share)
        else:
            old.copy_(new)


class Log:
    """Lines to the terminal and to RUNDIR/log.txt; sums up the losses between two of them."""

    def __init__(self, rundir):
        os.makedirs(rundir, exist_ok=True)
        self.file = open(os.path.join(rundir, "log.txt"), "a", buffering=1)
        self.clear()

    def clear(self):
        self.since, self.samples, self.batches, self.sums = time.monotonic(), 0, 0, {}

    def add(self, parts, samples):
        self.samples += samples
        self.batches += 1
        for name, value in parts.items():
            self.sums[name] = self.sums.get(name, 0) + value.item()

    def due(self, seconds):
        return time.monotonic() - self.since >= seconds

    def report(self, step, spent):
        speed = self.samples / (time.monotonic() - self.since)
        means = "".join(f" {name} {value / self.batches:.4f}" for name, value in self.sums.items())
        self.write(f"step {step} minutes {spent / 60:.1f} samples/s {speed:.0f}{means}")
        self.clear()

    def write(self, text):
        print(text, flush=True)
        self.file.write(text + "\n")


class Run:
    """All that changes while a net learns."""

    def __init__(self, options, sampler, header):
        torch.manual_seed(options.seed)
        shape = model.Shape(
            header.planes, header.scalars, options.channels, options.blocks, options.head, options.dense
        )
        self.options, self.sampler = options, sampler
        self.net = model.Net(shape).to(memory_format=torch.channels_last)
        self.averaged = copy.deepcopy(self.net).eval()
        self.optimizer = make_optimizer(self.net, options)
        self.step, self.spent = 0, 0.0  # spent: seconds of training, in all sessions, without validation

    def start_from(self, rundir):
        """Takes the averaged weights of another run, which must be of the same shape; the rest begins anew."""
        content = checkpoints.load(rundir)
        self.net.load_state_dict(content["averaged"])
        self.averaged.load_state_dict(content["averaged"])

    def freeze_norms(self):
        """Keeps the statistics of the norms as they are. They differ between sizes of the board: a net that learns with each batch's own is
        another one when it is asked, and the more the sizes differ."""
        for module in self.net.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.eval()

    def resume(self):
        content = checkpoints.load(self.options.out)
        self.net.load_state_dict(content["net"])
        self.averaged.load_state_dict(content["averaged"])
        self.optimizer.load_state_dict(content["optimizer"])
        self.sampler.restore(content["sampler"])
        self.step, self.spent = content["step"], content["spent"]

    def save(self):
        checkpoints.save(
            self.options.out, self.net, self.averaged, optimizer=self.optimizer.state_dict(),
            sampler=self.sampler.state(), step=self.step, spent=self.spent, options=vars(self.options),
        )

    def progress(self):
        if self.options.steps:
            return self.step / self.options.steps
        return self.spent / (60 * self.options.minutes)

    def learn(self):
        """One step; returns the losses and the number of positions."""
        start = time.monotonic()
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.rate * rate(self.progress())
        batch = self.sampler.next()
        parts = losses(self.net, batch)
        self.optimizer.zero_grad(set_to_none=True)
        total(parts).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.options.clip)
        self.optimizer.step()
        average(self.averaged, self.net, self.step, self.options.average)
        self.step += 1
        self.spent += time.monotonic() - start
        return parts, len(batch.win)

    def validate(self, pools, log):
        for size, pool in pools.items():
            measures = evaluate.measure(self.averaged, pool, self.options.validation_limit)
            log.write(f"validation step {self.step} " + evaluate.line(size, measures))


def train(run, validation, log):
    options = run.options
    saved = validated = run.spent
    log.clear()
    while run.progress() < 1:
        log.add(*run.learn())
        if log.due(30):
            log.report(run.step, run.spent)
        if run.spent - saved >= 60 * options.save_minutes:
            saved = run.spent
            run.save()
        if run.spent - validated >= 60 * options.validation_minutes:
            validated = run.spent
            run.validate(validation, log)
            log.clear()
    run.save()
    run.validate(validation, log)


def size_weights(text):
    return {int(size): float(weight) for size, weight in (part.split(":") for part in text.split(","))}


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", nargs="+", required=True, metavar="SHARD")
    parser.add_argument("--validation", nargs="*", default=[], metavar="SHARD")
    parser.add_argument("--out", required=True, metavar="RUNDIR")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in RUNDIR")
    parser.add_argument("--start", metavar="RUNDIR", help="begin with the weights that another run ended with")
    parser.add_argument("--freeze-norms", action="store_true",
                        help="keep the statistics of the norms that --start brings: needed with several board sizes")
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument("--minutes", type=float, help="length of the run; validation does not count")
    length.add_argument("--steps", type=int, help="length of the run")
    for name, default in (("channels", 32), ("blocks", 4), ("head", 16), ("dense", 32), ("batch", 256), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--sizes", type=size_weights, metavar="9:2,13:1",
                        help="share of the batches for each board size; default: as many as there are positions")
    parser.add_argument("--decided", type=float, default=0.33,
                        help="share of the positions won or lost beyond 0.95 to take part in an epoch")
    parser.add_argument("--optimizer", choices=("adamw", "sgd"), default="adamw")
    parser.add_argument("--rate", type=float, help="highest learning rate; default: 0.008 for adamw, 0.05 for sgd")
    parser.add_argument("--decay", type=float, help="weight decay; default: 0.03 for adamw, where the rate "
                                                    "multiplies it, 1e-4 for sgd")
    parser.add_argument("--average", type=float, default=0.999, help="how much of the averaged weights a step keeps")
    parser.add_argument("--clip", type=float, default=5.0, help="longest gradient")
    parser.add_argument("--save-minutes", type=float, default=3)
    parser.add_argument("--validation-minutes", type=float, default=5)
    parser.add_argument("--validation-limit", type=int, default=4000, help="positions a size")
    parser.add_argument("--threads", type=int, help="default: all cores")
    options = parser.parse_args()
    if options.rate is None:
        options.rate = 0.008 if options.optimizer == "adamw" else 0.05
    if options.decay is None:
        options.decay = 0.03 if options.optimizer == "adamw" else 1e-4
    return options


def main():
    options = parse_options()
    if options.threads:
        torch.set_num_threads(options.threads)
    torch.use_deterministic_algorithms(True)
    pools = shards.open_pools(options.data)
    validation = shards.open_pools(options.validation) if options.validation else {}
    sampler = shards.Sampler(pools, options.batch, options.seed, options.sizes, options.decided)
    run = Run(options, sampler, next(iter(pools.values())).header)
    if options.resume:
        run.resume()
    elif os.path.exists(checkpoints.path(options.out)):
        raise SystemExit(f"{options.out} holds a run already: use --resume, or another directory")
    elif options.start:
        run.start_from(options.start)
    if options.freeze_norms:
        run.freeze_norms()
    log = Log(options.out)
    log.write(f"options {vars(options)}")
    for size, pool in pools.items():
        log.write(f"size {size}: {len(pool)} positions, {sampler.decided[size].sum()} of them decided")
    log.write(f"parameters {sum(p.numel() for p in run.net.parameters())}")
    train(run, validation, log)


if __name__ == "__main__":
    main()
