"""Training steps of DiffusionNet (Sharp et al., ACM Transactions on Graphics 2022) on a surface of 15,000 vertices, as large
as in the experiment of its paper with RNA surfaces: four blocks of width 128 with rotated gradients, 128 eigenfunctions,
and classes of all vertices. Beside an epoch of

    nkf run rna --dataset RNA --model surface:width=128:local=4:head=256:dropout=0 --sample 1024 --batch 2

    python surface_torch.py THREADS

Numbers of the operators are random, which changes no time. Prints seconds of a step of one surface and of a prediction.
"""
import sys
import time

import torch
from torch import nn
from torch.nn.functional import cross_entropy

VERTICES, NEIGHBORS, K, INPUTS, CLASSES, WIDTH, BLOCKS, STEPS = 15000, 7, 128, 16, 260, 128, 4, 10


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.times = nn.Parameter(torch.zeros(WIDTH))
        self.real, self.imaginary = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        layers = []
        for i, inputs in enumerate([3 * WIDTH, WIDTH, WIDTH]):
            layers += [nn.Dropout(0.5)] * (i > 0) + [nn.Linear(inputs, WIDTH)] + [nn.ReLU()] * (i < 2)
        self.mlp = nn.Sequential(*layers)

    def forward(self, h, area, values, vectors, to_x, to_y):
        heat = torch.exp(-values[:, None] * self.times.clamp_min(1e-8))
        u = vectors @ (heat * (vectors.T @ (area[:, None] * h)))
        x, y = to_x @ u, to_y @ u
        turned = x * (self.real(x) - self.imaginary(y)) + y * (self.real(y) + self.imaginary(x))
        return h + self.mlp(torch.cat([h, u, torch.tanh(turned)], 1))


def main():
    torch.set_num_threads(int(sys.argv[1]))
    torch.manual_seed(1)
    rows = torch.arange(VERTICES).repeat_interleave(NEIGHBORS)
    def gradients():
        columns = (rows + torch.randint(0, 200, rows.shape)) % VERTICES
        return torch.sparse_coo_tensor(torch.stack([rows, columns]), torch.randn(len(rows)), (VERTICES, VERTICES)).coalesce()
    geometry = (torch.full((VERTICES,), 1 / VERTICES), torch.arange(K) * 10.0, torch.randn(VERTICES, K), gradients(), gradients())
    inputs, labels = torch.randn(VERTICES, INPUTS), torch.randint(0, CLASSES, (VERTICES,))
    first, blocks, last = nn.Linear(INPUTS, WIDTH), nn.ModuleList(Block() for _ in range(BLOCKS)), nn.Linear(WIDTH, CLASSES)
    net = nn.ModuleList([first, blocks, last])
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)

    def logits():
        h = first(inputs)
        for block in blocks:
            h = block(h, *geometry)
        return last(h)

    for i in range(STEPS + 1):
        if i == 1:
            begin = time.perf_counter()
        optimizer.zero_grad()
        cross_entropy(logits(), labels).backward()
        optimizer.step()
    print(f"step: {(time.perf_counter() - begin) / STEPS:.2f} s")
    net.eval()
    with torch.no_grad():
        begin = time.perf_counter()
        for _ in range(STEPS):
            logits()
    print(f"prediction: {(time.perf_counter() - begin) / STEPS:.2f} s")


main()
