#!/usr/bin/env python3
"""Are shards read as the contract says? Writes random ones bit by bit, and compares with what the reader makes of them.

usage: test_shards.py   (or `test_shards.py DIRECTORY COUNT` to keep random shards, for trying train.py)
"""

import os
import random
import struct
import sys
import tempfile

import numpy as np

import shards

PLANES, SCALARS = 18, 4


def random_position(size, source):
    area = size * size
    return {
        "bits": [source.random() < 0.3 for _ in range(PLANES * area)],
        "scalars": [source.uniform(-1, 1) for _ in range(SCALARS)],
        "policy": [source.choice((0, 0, 0, source.randrange(1, 256))) for _ in range(area)] + [9],
        "owner": [source.randrange(-127, 128) for _ in range(area)],
        "win": source.random(),
        "lead": source.uniform(-80, 80),
        "flags": source.randrange(4),
    }


def encoded(position):
    packed = bytearray((len(position["bits"]) + 7) // 8)
    for i, bit in enumerate(position["bits"]):
        packed[i // 8] |= bit << i % 8
    return (bytes(packed) + struct.pack(f"<{SCALARS}f", *position["scalars"]) + bytes(position["policy"])
            + struct.pack(f"{len(position['owner'])}b", *position["owner"])
            + struct.pack("<ffB", position["win"], position["lead"], position["flags"]))


def write_shard(path, size, positions):
    records = [encoded(position) for position in positions]
    with open(path, "wb") as file:
        file.write(b"KEIMASH1" + struct.pack("<4H", size, PLANES, SCALARS, len(records[0])) + b"".join(records))


def random_shard(directory, size, count):
    source = random.Random(size)
    positions = [random_position(size, source) for _ in range(count)]
    path = os.path.join(directory, f"random{size}.shard")
    write_shard(path, size, positions)
    return path, positions


def check_reading(directory):
    for size in (5, 9):
        path, positions = random_shard(directory, size, 3)
        pool = shards.open_pools([path])[size]
        batch = shards.tensors(pool.header, pool.take(np.arange(3)))
        for i, position in enumerate(positions):
            assert batch.planes[i].reshape(-1).tolist() == position["bits"]
            assert np.allclose(batch.scalars[i], position["scalars"])
            weights = [(q / 255) ** 2 for q in position["policy"]]
            assert np.allclose(batch.policy[i], np.array(weights) / sum(weights))
            assert np.allclose(batch.owner[i] * 127, position["owner"])
            assert np.isclose(batch.win[i], position["win"])
            assert np.isclose(10 * batch.lead[i], position["lead"])
            assert (batch.has_win[i], batch.has_board[i]) == (position["flags"] & 1, position["flags"] >> 1)


def check_symmetries():
    tables = shards.symmetry_tables(4)
    assert len({tuple(table) for table in tables}) == 8
    corners = {0, 3, 12, 15}
    for table in tables:
        assert sorted(table) == list(range(16))
        assert set(table[list(corners)]) == corners and abs(table[0] - table[1]) in (1, 4)
    # Planes, policy and owner must turn together: here all three hold the same number at each point.
    area = 16
    header = shards.Header(4, 1, 0)
    records = np.zeros(8, header.record())
    for i in range(8):
        on = np.random.default_rng(i).permutation(area) < 5
        records[i]["planes"] = np.packbits(on, bitorder="little")
        records[i]["policy"][:area] = on
        records[i]["owner"] = on * 127
    batch = shards.tensors(header, records, tables)
    plane = batch.planes[:, 0].flatten(1)
    assert plane.sum() == 40 and (plane == batch.owner).all() and (plane == (batch.policy[:, :area] > 0)).all()


def check_sampler(directory):
    paths = [random_shard(directory, size, count)[0] for size, count in ((5, 40), (6, 24))]

    def sampler():
        return shards.Sampler(shards.open_pools(paths), 8, seed=5)

    def prints(source, count):
        return [float(source.next().scalars.sum()) for _ in range(count)]

    whole = sampler()
    expected = prints(whole, 30)
    first = sampler()
    assert prints(first, 13) == expected[:13]
    second = sampler()
    second.restore(first.state())
    assert prints(second, 17) == expected[13:]
    assert second.state() == whole.state()


def main():
    if len(sys.argv) == 3:
        for size in (9, 13):
            print(random_shard(sys.argv[1], size, int(sys.argv[2]))[0])
        return
    with tempfile.TemporaryDirectory() as directory:
        check_reading(directory)
        check_symmetries()
        check_sampler(directory)
    print("ok")


if __name__ == "__main__":
    main()
