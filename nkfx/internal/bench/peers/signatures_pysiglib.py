"""Signatures of paths by pysiglib, C++ on all cores: their value, or the gradient of the sum of their squares."""
import importlib.metadata

import pysiglib
import pysiglib.torch_api
import torch

from walks import walks


def version(device):
    return "pysiglib " + importlib.metadata.version("pysiglib")


def names(**_):
    return ["pysiglib"]


def make(name, device, dim, depth, points, batch, gradient):
    x = walks(dim, points, batch)
    if not gradient:
        return lambda: pysiglib.sig(x, depth, n_jobs=-1)[0, 0]
    x = torch.tensor(x, requires_grad=True)

    def call():
        x.grad = None
        value = (pysiglib.torch_api.sig(x, depth, n_jobs=-1) ** 2).sum()
        value.backward()
        return value.item()
    return call
