"""The eigenbasis of a torus of 15,000 vertices by robust-laplacian (Sharp and Crane 2020) and ARPACK, beside

    go test -run '^$' -bench Basis ./datasets/simplicial

    pip install robust-laplacian==1.1.0 scipy==1.17.1
    python basis_scipy.py

Prints seconds of wall time and of processor time, and the largest eigenvalue.
"""
import time

import numpy as np
import robust_laplacian
from scipy.sparse.linalg import eigsh

SMALL, LARGE, K = 100, 150, 128


def torus():
    i, j = np.divmod(np.arange(SMALL * LARGE), LARGE)
    u, v = 2 * np.pi * i / SMALL, 2 * np.pi * j / LARGE
    r = 2 + np.cos(u)
    at = lambda a, b: a % SMALL * LARGE + b % LARGE
    a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return np.stack([r * np.cos(v), r * np.sin(v), np.sin(u)], 1), faces


vertices, faces = torus()
for _ in range(5):
    wall, cpu = time.perf_counter(), time.process_time()
    stiffness, mass = robust_laplacian.mesh_laplacian(vertices, faces)
    values, vectors = eigsh(stiffness, K, mass, sigma=-1e-8)
    print(f"{time.perf_counter() - wall:.2f} s, {time.process_time() - cpu:.2f} s, {values[-1]:.6f}", flush=True)
