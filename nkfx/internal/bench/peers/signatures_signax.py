"""Signatures of paths by signax, compiled by JAX: their value, or the gradient of the sum of their squares."""
import importlib.metadata

import jax
import jax.numpy as jnp
import signax

from walks import walks


def version(device):
    return "signax " + importlib.metadata.version("signax")


def names(**_):
    return ["signax"]


def make(name, device, dim, depth, points, batch, gradient):
    x = jnp.asarray(walks(dim, points, batch))
    value = jax.jit(jax.vmap(lambda path: signax.signature(path, depth)))
    both = jax.jit(jax.value_and_grad(lambda x: (value(x) ** 2).sum()))
    if gradient:
        return lambda: jax.block_until_ready(both(x))[0]
    return lambda: jax.block_until_ready(value(x))[0, 0]
