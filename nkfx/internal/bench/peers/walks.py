"""Random walks, for signatures."""
import numpy as np


def walks(dim, points, batch):
    steps = 0.1 * np.random.default_rng(0).normal(size=(batch, points, dim))
    return steps.cumsum(1).astype(np.float32)
