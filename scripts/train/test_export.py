#!/usr/bin/env python3
"""Does the weight file mean what the contract says? Reads it with numpy alone, and compares with PyTorch's answers.

usage: test_export.py [WEIGHTS]   (with WEIGHTS.check beside it; without, a net of random weights is made and exported)
"""

import os
import struct
import sys
import tempfile
import zlib

import numpy as np

TOLERANCE = 1e-4


class Values:
    """The values of a weight file, handed out in order."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        assert data[:8] == b"KEIMANET"
        version, *self.shape, count, crc = struct.unpack_from("<9I", data, 8)
        assert version == 1 and crc == zlib.crc32(data[44:]) and len(data) == 44 + 4 * count
        self.values, self.used = np.frombuffer(data, "<f4", offset=44).astype(np.float64), 0

    def take(self, *shape):
        start, self.used = self.used, self.used + int(np.prod(shape))
        return self.values[start : self.used].reshape(shape)


def relu(x):
    return np.maximum(x, 0)


def conv3(x, weight, bias):
    """A 3x3 convolution, tap by tap; x is [y][x][channel]."""
    rows, columns, _ = x.shape
    padded = np.pad(x, ((1, 1), (1, 1), (0, 0)))
    out = np.zeros((rows, columns, weight.shape[2])) + bias
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            out += padded[1 + dy : 1 + dy + rows, 1 + dx : 1 + dx + columns] @ weight[(dy + 1) * 3 + dx + 1]
    return out


def pool(h):
    mean = h.mean((0, 1))
    return np.concatenate([mean, mean * (len(h) - 10) / 10, h.max((0, 1))])


def forward(path, planes, scalars):
    """Policy logits, win logit, lead in points, owner. The operations stand in the order of the file."""
    values = Values(path)
    take = values.take
    p, g, c, b, h, d = values.shape
    x = conv3(planes.transpose(1, 2, 0), take(9, p, c), take(c))
    x = relu(x + scalars @ take(g, c))
    for block in range(b):
        inner = relu(conv3(x, take(9, c, c), take(c)))
        if block % 2 == 1:
            inner = inner + (pool(inner) @ take(3 * c, c) + take(c))
        x = relu(x + conv3(inner, take(9, c, c), take(c)))
    a = x @ take(c, h) + take(h)
    pooled = pool(relu(x @ take(c, h) + take(h)))
    points = relu(a + pooled @ take(3 * h, h)) @ take(h)
    move_pass = pooled @ take(3 * h) + take(1)
    v = relu(x @ take(c, h) + take(h))
    hidden = relu(pool(v) @ take(3 * h, d) + take(d))
    win, lead = hidden @ take(d, 2) + take(2)
    owner = np.tanh(v @ take(h) + take(1))
    assert values.used == len(values.values)
    return points.reshape(-1), move_pass, win, 10 * lead, owner.reshape(-1)


def read_check(path):
    """The positions of a check file, each a table of its lines."""
    positions = []
    with open(path) as file:
        for line in file:
            name, *words = line.split()
            if name == "size":
                positions.append({})
            if name != "#":
                positions[-1][name] = bytes.fromhex(words[0]) if name == "planes" else np.array(words, np.float64)
    return positions


def greatest_difference(weights):
    worst = 0.0
    planes_count = Values(weights).shape[0]
    positions = read_check(weights + ".check")
    assert len(positions) >= 4
    for position in positions:
        size = int(position["size"][0])
        bits = [position["planes"][i // 8] >> i % 8 & 1 for i in range(planes_count * size * size)]
        planes = np.array(bits, np.float64).reshape(planes_count, size, size)
        points, move_pass, win, lead, owner = forward(weights, planes, position["scalars"])
        found = np.concatenate([points[:8], move_pass, [win, lead], owner[:8]])
        wanted = np.concatenate([position[name] for name in ("points", "pass", "win", "lead", "owner")])
        worst = max(worst, np.abs(found - wanted).max())
    return worst


def random_weights(directory):
    """Exports a net whose norms are far from the identity, so that a mistake in the folding shows."""
    import torch

    import checkpoints
    import export
    import model

    torch.manual_seed(3)
    net = model.Net(model.Shape(planes=18, scalars=4, channels=12, blocks=3, head=6, dense=10))
    with torch.no_grad():
        for name, tensor in net.state_dict().items():
            if "running_var" in name:
                tensor.uniform_(0.5, 2)
            elif tensor.ndim == 1:
                tensor.normal_(std=0.5)
    checkpoints.save(directory, net, net)
    weights = os.path.join(directory, "weights")
    net = checkpoints.averaged_net(directory)
    export.write_weights(net, weights)
    export.write_check(net, weights + ".check", 2)
    return weights


def main():
    with tempfile.TemporaryDirectory() as directory:
        worst = greatest_difference(sys.argv[1] if len(sys.argv) > 1 else random_weights(directory))
    print(f"greatest difference {worst:.2g}")
    sys.exit(worst > TOLERANCE)


if __name__ == "__main__":
    main()
