"""Cochain networks in PyTorch: integrals of neural 1-forms over edges move the vertices, level by level."""
import torch
from torch import nn

GAUSS = {1: ([0.5], [1.0]), 2: ([0.5 - 3 ** -0.5 / 2, 0.5 + 3 ** -0.5 / 2], [0.5, 0.5])}


def perceptron(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.SiLU(), nn.Linear(hidden, outputs))


class Cochain(nn.Module):
    def __init__(self, dim, outputs, config):
        super().__init__()
        m, self.forms, hidden, levels = config["Width"], config["Forms"], config["Hidden"], config["Layers"] + 1
        self.points, self.functions, self.neighbors = config["Points"], config["Functions"], config["Neighbors"]
        self.embedding = nn.Linear(dim, m)
        heard = m if self.neighbors else self.forms
        self.updates = nn.ModuleList(perceptron(m + heard, hidden, m) for _ in range(levels - 1))
        self.first = nn.ModuleList(nn.Linear(m, hidden) for _ in range(levels if self.forms else 0))
        self.last = nn.ModuleList(nn.Linear(hidden, m * self.forms) for _ in range(levels if self.forms else 0))
        self.sums = nn.ModuleList(perceptron(m, hidden, self.functions) for _ in range(levels if self.functions else 0))
        columns = levels * (2 * self.forms + self.functions)
        drop, head = config["Dropout"], config["Head"]
        self.head = nn.Sequential(nn.BatchNorm1d(columns), nn.Dropout(drop), nn.Linear(columns, head), nn.SiLU(),
                                  nn.Dropout(drop), nn.Linear(head, outputs))

    def integrals(self, level, x, tail, tip):
        """Over the edges, [S, forms]: the first layer at the vertices, the last after the sum over the points."""
        hidden, step = self.first[level](x), x[tip] - x[tail]
        a, b = hidden[tail], hidden[tip]
        mean = sum(w * nn.functional.silu(a + t * (b - a)) for t, w in zip(*GAUSS[self.points]))
        field = self.last[level](mean).view(len(step), -1, self.forms)
        return torch.bmm(step[:, None], field)[:, 0]

    def forward(self, b):
        x, (tail, tip) = self.embedding(b.x), b.corners[1].unbind(1)
        over_edges, over_vertices = [], []
        for level in range(len(self.updates) + 1):
            if self.forms:
                integrals = self.integrals(level, x, tail, tip)
                over_edges += [integrals.square(), integrals.abs()]
            if self.functions:
                over_vertices.append(self.sums[level](x))
            if level == len(self.updates):
                break
            heard = x.new_zeros(len(x), x.shape[1] if self.neighbors else self.forms)
            if self.neighbors:
                heard.index_add_(0, tip, x[tail]).index_add_(0, tail, x[tip])
            else:
                heard.index_add_(0, tip, integrals).index_add_(0, tail, -integrals)
            x = nn.functional.layer_norm(x + self.updates[level](torch.cat([x, heard], 1)), x.shape[1:])
        read = []
        for rows, owner in ((over_edges, b.owner[1]), (over_vertices, b.of)):
            if rows:
                rows = torch.cat(rows, 1)
                read.append(rows.new_zeros(b.size, rows.shape[1]).index_add_(0, owner, rows))
        return self.head(torch.cat(read, 1))
