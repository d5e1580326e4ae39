"""Where is a run kept? One file in its directory, replaced whole, so that a stop while writing loses nothing."""

import os
from dataclasses import asdict

import torch

import model


def path(rundir):
    return os.path.join(rundir, "checkpoint.pt")


def save(rundir, net, averaged, **rest):
    os.makedirs(rundir, exist_ok=True)
    content = {"shape": asdict(net.shape), "net": net.state_dict(), "averaged": averaged.state_dict(), **rest}
    torch.save(content, path(rundir) + ".new")
    os.replace(path(rundir) + ".new", path(rundir))


def load(rundir):
    return torch.load(path(rundir), weights_only=True)


def averaged_net(rundir):
    """The net of the averaged weights, ready to evaluate: this is what is exported."""
    content = load(rundir)
    net = model.Net(model.Shape(**content["shape"]))
    net.load_state_dict(content["averaged"])
    return net.to(memory_format=torch.channels_last).eval()
