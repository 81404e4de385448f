"""A neural controlled differential equation on tracks (Kidger et al., Neural controlled differential equations for
irregular time series, NeurIPS 2020) with diffrax, on the five folds of nkf, tested on every cut as well.

    nkf run tracks --csv tracks --cuts
    python tracks_cde.py tracks/animals.csv lon,lat time label

The arguments name coordinates, time and class, and then the number of epochs, 40 if it is left out. One more is the
number of paths that train it, the first ones, in place of folds: the training part of an archive set. The state has
dz = f(z) dX, where X is the time and the standardized coordinates, linear between observations. Steps are even in time;
each takes the increment of X. What it needs is in requirements.txt. Writes a line of JSON.
"""
import json
import pathlib
import sys

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pandas as pd
from sklearn.model_selection import StratifiedKFold

STEPS, STATE, HIDDEN, RATE, SEED = 32, 16, 32, 4e-3, 42
CUTS = ["whole", "every fourth", "ten for one", "half four times as dense", "30 % missing", "gap of a third"]


class Field(eqx.Module):
    mlp: eqx.nn.MLP

    def __call__(self, t, z, args):
        return self.mlp(z).reshape(STATE, -1)


class CDE(eqx.Module):
    start: eqx.nn.MLP
    field: Field
    head: eqx.nn.Linear

    def __init__(self, channels, classes, key):
        a, b, c = jax.random.split(key, 3)
        self.start = eqx.nn.MLP(channels, STATE, HIDDEN, 1, key=a)
        self.field = Field(eqx.nn.MLP(STATE, STATE * channels, HIDDEN, 1, jax.nn.silu, jnp.tanh, key=b))
        self.head = eqx.nn.Linear(STATE, classes, key=c)

    def __call__(self, x):
        u = jnp.linspace(0, 1, len(x))
        term = diffrax.ControlTerm(self.field, diffrax.LinearInterpolation(u, x))
        z = diffrax.diffeqsolve(term, diffrax.Heun(), 0, 1, None, self.start(x[0]), max_steps=STEPS,
                                stepsize_controller=diffrax.StepTo(u)).ys[-1]
        return self.head(z)


def read(path, coordinates, time, label):
    """Points [tracks, STEPS+1, 1+n], evenly in the time of each track, and the classes."""
    rows, labels = [], []
    for _, g in pd.read_csv(path).groupby("id"):
        t = g[time].to_numpy(float)
        u = np.linspace(t[0], t[-1], STEPS + 1)
        rows.append(np.stack([u - t[0]] + [np.interp(u, t, g[c].to_numpy(float)) for c in coordinates], 1))
        labels.append(g[label].iloc[0])
    return np.stack(rows), np.unique(labels, return_inverse=True)[1]


@eqx.filter_jit
def logits(model, x):
    return jax.vmap(model)(x)


@eqx.filter_jit
def step(model, state, x, y, rate):
    def loss(model):
        return optax.softmax_cross_entropy_with_integer_labels(logits(model, x), y).mean()
    updates, state = optimizer(rate).update(eqx.filter_grad(loss)(model), state, eqx.filter(model, eqx.is_array))
    return eqx.apply_updates(model, updates), state


def optimizer(rate):
    return optax.chain(optax.clip_by_global_norm(2), optax.adamw(rate, weight_decay=0.05))


def fit(x, y, classes, epochs):
    batch = min(64, max(8, len(x) // 6))
    order, per = np.random.default_rng(SEED), len(x) // batch
    model = CDE(x.shape[2], classes, jax.random.key(SEED))
    state = optimizer(RATE).init(eqx.filter(model, eqx.is_array))
    for epoch in range(epochs):
        rate = jnp.float32(RATE * (1 + np.cos(np.pi * epoch / epochs)) / 2)
        for ids in order.permutation(len(x))[: per * batch].reshape(per, batch):
            model, state = step(model, state, x[ids], y[ids], rate)
    return model


def main():
    path, coordinates, time, label, *numbers = sys.argv[1:]
    epochs, first = [*map(int, numbers), *[40, 0][len(numbers):]]
    x, y = read(path, coordinates.split(","), time, label)
    count = len(x) // len(CUTS)
    scores = {cut: [] for cut in CUTS}
    folds = StratifiedKFold(5, shuffle=True, random_state=SEED).split(x[:count], y[:count])
    if first:
        folds = [(np.arange(first), np.arange(first, count))]
    for train, test in folds:
        mean, deviation = x[train].mean((0, 1)), x[train].std((0, 1)) + 1e-9
        mean[0] = 0  # the time starts at 0
        z = ((x - mean) / deviation).astype(np.float32)
        model = fit(z[train], y[train], int(y.max()) + 1, epochs)
        for c, cut in enumerate(CUTS):
            ids = test + c * count
            scores[cut].append(round(100 * float((logits(model, z[ids]).argmax(1) == y[ids]).mean()), 2))
    split = {"trained on the first": first} if first else {}
    print(json.dumps({"dataset": pathlib.Path(path).stem, "model": "neural CDE", "epochs": epochs, **split,
                      "scores": scores}))


if __name__ == "__main__":
    main()
