"""Integrals of neural k-forms in PyTorch: the sum of squares of X_sl = Σ_q w_q Σ_c ω_cl(p_q) det_c(σ_s), and its
gradient by the weights of ω, an MLP n → h → h/2 → components × l with ReLU.

    eager      everything vectorized, one einsum for the sum over points and components: written first
    lastlayer  the last layer, which is linear, after the sum over the points: as many times less work there
    factored   the first layer as well before the points, at the corners: both affine maps commute with the integral
    compiled   factored by torch.compile, for the shape at hand
    blocked    that for blocks of simplices, one after the other, whose gradients are added up
"""
import itertools

import torch
from torch import nn


def version(device):
    if device == "cuda" and not torch.cuda.is_available():
        raise RuntimeError("PyTorch finds no CUDA card")
    return "torch " + torch.__version__


BLOCK = 10000


def names(simplices, **_):
    return ["eager", "lastlayer", "factored", "compiled"] + ["blocked"] * (simplices > BLOCK and simplices % BLOCK == 0)


def minors(corners, k):
    edges = corners[:, 1:] - corners[:, :1]
    if k == 1:
        return edges[:, 0]
    columns = torch.tensor(list(itertools.combinations(range(edges.shape[2]), k)), device=corners.device)
    return torch.linalg.det(edges[:, :, columns].permute(0, 2, 1, 3))


def eager(form, corners, minor, points, weights, forms):
    omega = form(torch.einsum("qa,san->sqn", points, corners))
    omega = omega.reshape(len(corners), len(points), -1, forms)
    return torch.einsum("sqcl,sc,q->sl", omega, minor, weights)


def last(form, hidden, minor, weights, forms):
    mean = torch.matmul(weights, hidden) @ form[-1].weight.T + weights.sum() * form[-1].bias
    return torch.bmm(minor[:, None], mean.reshape(len(minor), -1, forms))[:, 0]


def lastlayer(form, corners, minor, points, weights, forms):
    hidden = form[:-1](torch.einsum("qa,san->sqn", points, corners))
    return last(form, hidden, minor, weights, forms)


def factored(form, corners, minor, points, weights, forms):
    hidden = form[1:-1](torch.einsum("qa,sah->sqh", points, form[0](corners)))
    return last(form, hidden, minor, weights, forms)


def make(name, device, degree, dim, simplices, forms, hidden, components, points, weights):
    torch.manual_seed(0)
    form = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden // 2), nn.ReLU(),
                         nn.Linear(hidden // 2, components * forms)).to(device)
    corners = torch.randn(simplices, degree + 1, dim).to(device)
    points, weights = torch.tensor(points, device=device), torch.tensor(weights, device=device)
    integrate = {"eager": eager, "lastlayer": lastlayer}.get(name, factored)
    parts = corners.split(BLOCK) if name == "blocked" else [corners]

    def loss(corners):
        return integrate(form, corners, minors(corners, degree), points, weights, forms).square().sum()

    if name in ("compiled", "blocked"):
        torch._dynamo.reset()
        loss = torch.compile(loss, dynamic=False)

    def call():
        form.zero_grad(set_to_none=True)
        value = 0
        for part in parts:
            own = loss(part)
            own.backward()
            value += own.detach()
        return value.item()  # which waits for a card
    return call
