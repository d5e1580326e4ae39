"""What does the network compute? Its layers in PyTorch, from which the weight file is made.

The batch norms stand after convolutions without a bias, so that export.py can fold each into the one before it.
"""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Shape:
    """The hyper-parameters, by the names that the weight file gives them."""

    planes: int
    scalars: int
    channels: int
    blocks: int
    head: int
    dense: int


def pool(h):
    """Means, means scaled by the size of the board, and maxima: three groups of channels."""
    mean = h.mean((2, 3))
    return torch.cat([mean, mean * ((h.shape[2] - 10) / 10), h.amax((2, 3))], 1)


def conv3(inputs, outputs):
    return nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)


def over_board(vector):
    return vector[:, :, None, None]


class Block(nn.Module):
    """A residual block; with `pooled` it lets every point see the whole board."""

    def __init__(self, channels, pooled):
        super().__init__()
        self.conv1 = conv3(channels, channels)
        self.bn1 = nn.BatchNorm2d(channels)
        self.pool_dense = nn.Linear(3 * channels, channels) if pooled else None
        self.conv2 = conv3(channels, channels)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x):
        h = torch.relu(self.bn1(self.conv1(x)))
        if self.pool_dense is not None:
            h = h + over_board(self.pool_dense(pool(h)))
        return torch.relu(x + self.bn2(self.conv2(h)))


class PolicyHead(nn.Module):
    def __init__(self, channels, head):
        super().__init__()
        self.conv_a = nn.Conv2d(channels, head, 1)
        self.conv_q = nn.Conv2d(channels, head, 1)
        self.pool_dense = nn.Linear(3 * head, head, bias=False)
        self.points = nn.Conv2d(head, 1, 1, bias=False)
        self.pass_dense = nn.Linear(3 * head, 1)

    def forward(self, x):
        g = pool(torch.relu(self.conv_q(x)))
        p = torch.relu(self.conv_a(x) + over_board(self.pool_dense(g)))
        return torch.cat([self.points(p).flatten(1), self.pass_dense(g)], 1)


class ValueHead(nn.Module):
    def __init__(self, channels, head, dense):
        super().__init__()
        self.conv_v = nn.Conv2d(channels, head, 1)
        self.dense = nn.Linear(3 * head, dense)
        self.out = nn.Linear(dense, 2)
        self.owner = nn.Conv2d(head, 1, 1)

    def forward(self, x):
        v = torch.relu(self.conv_v(x))
        win, lead = self.out(torch.relu(self.dense(pool(v)))).unbind(1)
        return win, lead, torch.tanh(self.owner(v).flatten(1))


class Net(nn.Module):
    """Planes and scalars in; out come policy logits (the pass last), win logit, lead / 10, and owner."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.conv = conv3(shape.planes, shape.channels)
        self.scalar_dense = nn.Linear(shape.scalars, shape.channels, bias=False)
        self.bn = nn.BatchNorm2d(shape.channels)
        self.blocks = nn.ModuleList(Block(shape.channels, i % 2 == 1) for i in range(shape.blocks))
        self.policy = PolicyHead(shape.channels, shape.head)
        self.value = ValueHead(shape.channels, shape.head, shape.dense)
        self.start()

    def start(self):
        """First weights: blocks begin near the identity, so that deep nets learn from the first step."""
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
            elif isinstance(module, Block):
                nn.init.constant_(module.bn2.weight, 0.3)
        for last in (self.policy.points, self.policy.pass_dense, self.value.out, self.value.owner):
            nn.init.normal_(last.weight, std=0.05)

    def forward(self, planes, scalars):
        x = torch.relu(self.bn(self.conv(planes) + over_board(self.scalar_dense(scalars))))
        for block in self.blocks:
            x = block(x)
        return (self.policy(x), *self.value(x))
