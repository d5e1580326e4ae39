"""What is in the shards? Batches of positions, each of one board size, drawn from memory-mapped files.

The order depends on the seed and on the number of batches taken before, nothing else; `state` and `restore` carry it
over a stop.
"""

import struct
from dataclasses import dataclass

import numpy as np
import torch

MAGIC = b"KEIMASH1"
HEADER_BYTES = 16
WIN_LABEL, BOARD_LABEL = 1, 2


@dataclass
class Header:
    size: int
    planes: int
    scalars: int

    def record(self):
        area = self.size * self.size
        return np.dtype([
            ("planes", "u1", ((self.planes * area + 7) // 8,)),
            ("scalars", "<f4", (self.scalars,)),
            ("policy", "u1", (area + 1,)),
            ("owner", "i1", (area,)),
            ("win", "<f4"),
            ("lead", "<f4"),
            ("flags", "u1"),
        ])


@dataclass
class Batch:
    """Tensors of one batch; `policy` sums to 1 a position, `lead` is in tens of points like the net's output."""

    planes: torch.Tensor
    scalars: torch.Tensor
    policy: torch.Tensor
    owner: torch.Tensor
    win: torch.Tensor
    lead: torch.Tensor
    has_win: torch.Tensor
    has_board: torch.Tensor


def open_shard(path):
    """The header and the memory-mapped records of one file; a half-written last record is left out."""
    with open(path, "rb") as file:
        start = file.read(HEADER_BYTES)
    magic, size, planes, scalars, length = struct.unpack("<8s4H", start)
    header = Header(size, planes, scalars)
    if magic != MAGIC or header.record().itemsize != length:
        raise SystemExit(f"{path}: not a shard, or of another format")
    raw = np.memmap(path, np.uint8, "r", HEADER_BYTES)
    return header, raw[: len(raw) // length * length].view(header.record())


def symmetry_tables(size):
    """Eight rows of indices: row s says from which point symmetry s takes the value of each point."""
    board = np.arange(size * size).reshape(size, size)
    turned = [np.rot90(board, k) for k in range(4)]
    return np.stack([t.reshape(-1) for t in turned + [t[:, ::-1] for t in turned]])


def tensors(header, records, tables=None):
    """Turns records into a batch. With tables, each eighth of them is seen in another symmetry of the board: as
    records come in random order, that is as good as a symmetry drawn for each, and cheaper."""
    size, area, count = header.size, header.size**2, len(records)
    bits = np.unpackbits(records["planes"], axis=1, count=header.planes * area, bitorder="little")
    bits = bits.reshape(count, header.planes, area).transpose(0, 2, 1)
    weight = np.square(records["policy"].astype(np.float32))
    points, owner = weight[:, :area], records["owner"]
    if tables is not None:
        parts = np.array_split(np.arange(count), 8)
        bits = np.concatenate([bits[part][:, table] for part, table in zip(parts, tables)])
        points = np.concatenate([points[part][:, table] for part, table in zip(parts, tables)])
        owner = np.concatenate([owner[part][:, table] for part, table in zip(parts, tables)])
    policy = np.concatenate([points, weight[:, area:]], 1)
    policy /= np.maximum(policy.sum(1, keepdims=True), 1)
    planes = np.ascontiguousarray(bits).reshape(count, size, size, header.planes).astype(np.float32)
    flags = records["flags"]
    return Batch(
        planes=torch.from_numpy(planes).permute(0, 3, 1, 2),
        scalars=torch.from_numpy(records["scalars"].copy()),
        policy=torch.from_numpy(policy),
        owner=torch.from_numpy(owner.astype(np.float32) / 127),
        win=torch.from_numpy(records["win"].copy()),
        lead=torch.from_numpy(records["lead"] / 10),
        has_win=torch.from_numpy((flags & WIN_LABEL != 0).astype(np.float32)),
        has_board=torch.from_numpy((flags & BOARD_LABEL != 0).astype(np.float32)),
    )


class Pool:
    """All records of one board size, from any number of files."""

    def __init__(self, shards):
        self.header = shards[0][0]
        self.files = [records for _, records in shards]
        self.starts = np.cumsum([0] + [len(records) for records in self.files])
        self.tables = symmetry_tables(self.header.size)

    def __len__(self):
        return int(self.starts[-1])

    def take(self, indices):
        out = np.empty(len(indices), self.header.record())
        file = np.searchsorted(self.starts, indices, "right") - 1
        for number in np.unique(file):
            here = file == number
            out[here] = self.files[number][indices[here] - self.starts[number]]
        return out

    def decided(self):
        """Which positions have a winner already, as far as the label of win knows."""
        return np.concatenate([
            (f["flags"] & WIN_LABEL != 0) & (np.abs(f["win"] - 0.5) > 0.45) for f in self.files
        ])


def open_pools(paths):
    """Pools by board size. All files must agree on planes and scalars."""
    shards = [open_shard(path) for path in paths]
    if len({(header.planes, header.scalars) for header, _ in shards}) != 1:
        raise SystemExit("the shards differ in planes or scalars")
    sizes = sorted({header.size for header, _ in shards})
    pools = {size: Pool([s for s in shards if s[0].size == size]) for size in sizes}
    return {size: pool for size, pool in pools.items() if len(pool)}


class Sampler:
    """Endless training batches: each size gets its share of batches, and goes through its records in epochs.

    Of the decided positions only the share `keep_decided` takes part in an epoch, another choice each time: there are
    many of them and little to learn from each.
    """

    def __init__(self, pools, batch, seed, weights=None, keep_decided=1.0):
        self.pools, self.batch, self.seed, self.keep_decided = pools, batch, seed, keep_decided
        self.decided = {size: pool.decided() for size, pool in pools.items()}
        self.sizes = list(pools)
        kept = [len(pools[s]) - (1 - keep_decided) * self.decided[s].sum() for s in self.sizes]
        share = np.array([weights.get(s, 0) for s in self.sizes] if weights else kept, float)
        self.share = share / share.sum()
        self.taken = 0
        self.places = {size: [0, 0] for size in self.sizes}  # epoch, and how many of its records are behind us
        self.orders = {}

    def state(self):
        return {"taken": self.taken, "places": {size: list(place) for size, place in self.places.items()}}

    def restore(self, state):
        self.taken = state["taken"]
        self.places = {size: list(state["places"][size]) for size in self.sizes}
        self.orders = {}

    def epoch_order(self, size, epoch):
        random = np.random.default_rng([self.seed, size, epoch])
        keep = ~self.decided[size] | (random.random(len(self.pools[size])) < self.keep_decided)
        return random.permutation(np.flatnonzero(keep))

    def next(self):
        size = self.sizes[np.random.default_rng([self.seed, self.taken]).choice(len(self.sizes), p=self.share)]
        self.taken += 1
        epoch, used = self.places[size]
        if size not in self.orders:
            self.orders[size] = self.epoch_order(size, epoch)
        indices = self.orders[size][used : used + self.batch]
        self.places[size] = [epoch, used + self.batch]
        if len(indices) < self.batch:
            self.places[size] = [epoch + 1, 0]
            del self.orders[size]
            if used > 0:  # drops the short rest of an epoch; a pool smaller than a batch is taken whole
                self.taken -= 1
                return self.next()
        pool = self.pools[size]
        return tensors(pool.header, pool.take(indices), pool.tables)
