#!/usr/bin/env python3
"""How do the weights of a run become the file that Keima reads? Folds the batch norms and writes the values in order.

usage: export.py RUNDIR WEIGHTS [--check N]

With --check, WEIGHTS.check gets N fixed positions for each of four sizes with what PyTorch answers to them, for the
tests of other implementations.
"""

import argparse
import struct
import zlib

import numpy as np
import torch

import checkpoints

MAGIC, VERSION = b"KEIMANET", 1
CHECK_SIZES = (5, 9, 13, 19)
CHECK_SEED = 1


def scale_of(norm):
    return norm.weight / torch.sqrt(norm.running_var + norm.eps)


def taps(weight):
    """[out, in, dy, dx] of PyTorch as [tap, in, out]."""
    return weight.permute(2, 3, 1, 0).reshape(9, weight.shape[1], weight.shape[0])


def folded(conv, norm):
    """Weight and bias of a 3x3 convolution that computes what the convolution and the norm after it do."""
    scale = scale_of(norm)
    return [taps(conv.weight * scale[:, None, None, None]), norm.bias - norm.running_mean * scale]


def pointwise(conv):
    """A 1x1 convolution as [in, out], and its bias if it has one."""
    return [conv.weight.flatten(1).T] + ([] if conv.bias is None else [conv.bias])


def dense(layer):
    return [layer.weight.T] + ([] if layer.bias is None else [layer.bias])


def values(net):
    """All tensors in the order of the weight file."""
    policy, value = net.policy, net.value
    tensors = folded(net.conv, net.bn)
    tensors.append((net.scalar_dense.weight * scale_of(net.bn)[:, None]).T)
    for block in net.blocks:
        tensors += folded(block.conv1, block.bn1)
        if block.pool_dense is not None:
            tensors += dense(block.pool_dense)
        tensors += folded(block.conv2, block.bn2)
    tensors += pointwise(policy.conv_a) + pointwise(policy.conv_q) + dense(policy.pool_dense)
    tensors += pointwise(policy.points) + dense(policy.pass_dense)
    tensors += pointwise(value.conv_v) + dense(value.dense) + dense(value.out) + pointwise(value.owner)
    return np.concatenate([t.detach().contiguous().numpy().astype("<f4").reshape(-1) for t in tensors])


def write_weights(net, path):
    data, shape = values(net), net.shape
    body = data.tobytes()
    with open(path, "wb") as file:
        file.write(MAGIC)
        file.write(struct.pack("<9I", VERSION, shape.planes, shape.scalars, shape.channels, shape.blocks, shape.head,
                               shape.dense, len(data), zlib.crc32(body)))
        file.write(body)
    return len(data)


def numbers(tensor):
    return " ".join(f"{v:.7g}" for v in tensor.reshape(-1).tolist())


def write_check(net, path, count):
    random = np.random.default_rng(CHECK_SEED)
    with open(path, "w") as file:
        file.write("# planes: packed bits as in a shard, in hex; points, owner: the first 8; lead: in points\n")
        for size in CHECK_SIZES * count:
            bits = random.random((net.shape.planes, size, size)) < 0.3
            scalars = random.uniform(-1, 1, net.shape.scalars).round(3).astype(np.float32)
            with torch.no_grad():
                policy, win, lead, owner = net(
                    torch.from_numpy(bits[None].astype(np.float32)), torch.from_numpy(scalars[None])
                )
            file.write(f"size {size}\n")
            file.write(f"planes {np.packbits(bits.reshape(-1), bitorder='little').tobytes().hex()}\n")
            file.write(f"scalars {numbers(torch.from_numpy(scalars))}\n")
            file.write(f"points {numbers(policy[0, :8])}\npass {numbers(policy[0, -1])}\n")
            file.write(f"win {numbers(win)}\nlead {numbers(10 * lead)}\nowner {numbers(owner[0, :8])}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rundir")
    parser.add_argument("weights")
    parser.add_argument("--check", type=int, default=0, metavar="N", help="positions a size")
    options = parser.parse_args()
    net = checkpoints.averaged_net(options.rundir)
    count = write_weights(net, options.weights)
    if options.check:
        write_check(net, options.weights + ".check", options.check)
    print(f"{options.weights}: {count} values")


if __name__ == "__main__":
    main()
