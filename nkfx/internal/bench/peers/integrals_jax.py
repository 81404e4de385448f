"""Integrals of neural k-forms in JAX, compiled: the work of integrals_torch.py.

    plain      one einsum for the sum over points and components: written first
    vmap       the same for one simplex, by vmap for all: written first by others
    lastlayer  the last layer, which is linear, after the sum over the points
    factored   the first layer as well before the points, at the corners
    blocked    that for blocks of simplices, one after the other: their values and gradients are added up
"""
import itertools

import jax
import jax.numpy as jnp


def version(device):
    if (jax.default_backend() == "cpu") != (device == "cpu"):
        raise RuntimeError(f"JAX runs on {jax.default_backend()}, and not on {device}")
    return "jax " + jax.__version__


BLOCK = 10000  # the fastest of 1000, 2500, 5000 and 10000 for 10⁵ simplices on two cores


def names(simplices, **_):
    return ["plain", "vmap", "lastlayer", "factored"] + ["blocked"] * (simplices > BLOCK and simplices % BLOCK == 0)


def layers(params, x):
    for w, b in params:
        x = jax.nn.relu(x @ w + b)
    return x


def minors(corners, k):
    edges = corners[:, 1:] - corners[:, :1]
    if k == 1:
        return edges[:, 0]
    columns = jnp.array(list(itertools.combinations(range(edges.shape[2]), k)))
    return jnp.linalg.det(edges[:, :, columns].transpose(0, 2, 1, 3))


def plain(params, corners, k, points, weights, forms):
    w, b = params[-1]
    omega = layers(params[:-1], jnp.einsum("qa,san->sqn", points, corners)) @ w + b
    omega = omega.reshape(len(corners), len(points), -1, forms)
    return jnp.einsum("sqcl,sc,q->sl", omega, minors(corners, k), weights)


def vmap(params, corners, k, points, weights, forms):
    return jax.vmap(lambda simplex: plain(params, simplex[None], k, points, weights, forms)[0])(corners)


def last(params, hidden, corners, k, weights, forms):
    w, b = params[-1]
    mean = jnp.einsum("q,sqh->sh", weights, hidden) @ w + weights.sum() * b
    return jnp.einsum("scl,sc->sl", mean.reshape(len(corners), -1, forms), minors(corners, k))


def lastlayer(params, corners, k, points, weights, forms):
    hidden = layers(params[:-1], jnp.einsum("qa,san->sqn", points, corners))
    return last(params, hidden, corners, k, weights, forms)


def factored(params, corners, k, points, weights, forms):
    w, b = params[0]
    hidden = jax.nn.relu(jnp.einsum("qa,sah->sqh", points, corners @ w + b))
    return last(params, layers(params[1:-1], hidden), corners, k, weights, forms)


def make(name, device, degree, dim, simplices, forms, hidden, components, points, weights):
    key = jax.random.PRNGKey(0)
    widths = [dim, hidden, hidden // 2, components * forms]
    params = []
    for i, (n, m) in enumerate(zip(widths, widths[1:])):
        draw = lambda j, shape: jax.random.uniform(jax.random.fold_in(key, 2 * i + j), shape, minval=-1, maxval=1)
        params.append((draw(0, (n, m)) / n ** 0.5, draw(1, (m,)) / n ** 0.5))
    corners = jax.random.normal(key, (simplices, degree + 1, dim), jnp.float32)
    points, weights = jnp.array(points), jnp.array(weights)
    integrate = {"plain": plain, "vmap": vmap, "lastlayer": lastlayer}.get(name, factored)
    both = jax.value_and_grad(
        lambda params, x: jnp.sum(integrate(params, x, degree, points, weights, forms) ** 2))

    def blocked(params, corners):
        zero = jax.tree.map(jnp.zeros_like, jax.eval_shape(both, params, corners[:BLOCK]))
        add = lambda sums, x: (jax.tree.map(jnp.add, sums, both(params, x)), None)
        return jax.lax.scan(add, zero, corners.reshape(-1, BLOCK, *corners.shape[1:]))[0]
    compiled = jax.jit(blocked if name == "blocked" else both)
    return lambda: jax.block_until_ready(compiled(params, corners))[0]
