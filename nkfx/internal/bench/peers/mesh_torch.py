"""PointNet, DiffusionNet and GIN on the functions that the model `surface` reads at the nodes of the Princeton meshes,
on the five folds of nkf, trained as nkf trains, and tested on every cut as well.

    go run ./nkfx/internal/bench/surfaces surfaces
    python mesh_torch.py surfaces pointnet,diffusionnet,gin 42

pointnet (Qi et al., CVPR 2017): an MLP at each node, with layer norms, and the largest values over the nodes
diffusionnet (Sharp et al., ACM Transactions on Graphics 2022): four blocks of the published code. Nodes have no frames, so
    products of gradients are ½(fΔg + gΔf - Δ(fg)). Surfaces have no orientation, so gradients are not rotated.
gin (Xu et al., ICLR 2019): four layers of sums over the eight nodes that are nearest in the diffusion distance of time 0.01,
    which does not depend on the triangles, and means over the area

pointnet and diffusionnet have about as many weights as `surface`, gin a fifth more. A step sees 128 nodes of each mesh. Writes
a line of JSON for each network. What it needs is in requirements.txt.
"""
import json
import math
import sys
import time

import numpy as np
import torch
from sklearn.model_selection import StratifiedKFold
from torch import nn
from torch.nn.functional import cross_entropy

CUTS = ["as given", "all × 4", "half × 16", "half as many", "a quarter"]
NODES, SAMPLE = 512, 128
BATCH, EPOCHS, RATE, WARMUP, DECAY, SMOOTHING, CLIP = 8, 60, 3e-3, 0.15, 0.05, 0.1, 1.0


def dense(a, b):
    return [nn.Linear(a, b), nn.LayerNorm(b), nn.ReLU()]


class PointNet(nn.Module):
    def __init__(self, inputs, classes):
        super().__init__()
        widths = [inputs, 80, 100, 100]
        self.mlp = nn.Sequential(*[layer for a, b in zip(widths, widths[1:]) for layer in dense(a, b)])
        self.head = nn.Sequential(nn.Linear(100, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, classes))

    def forward(self, x, there, **_):
        return self.head(self.mlp(x).masked_fill(~there[..., None], -math.inf).amax(1))


class DiffusionNet(nn.Module):
    def __init__(self, inputs, classes, width=36, blocks=4):
        super().__init__()
        self.first, self.last = nn.Linear(inputs, width), nn.Linear(width, classes)
        self.times = nn.ParameterList(torch.zeros(width) for _ in range(blocks))
        self.maps = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(blocks))
        self.mlps = nn.ModuleList(nn.Sequential(
            nn.Linear(3 * width, width), nn.ReLU(), nn.Dropout(0.5), nn.Linear(width, width), nn.ReLU(),
            nn.Dropout(0.5), nn.Linear(width, width)) for _ in range(blocks))

    def forward(self, x, area, vectors, values, **_):
        project = (vectors * area[..., None]).mT
        laplacian = lambda f: vectors @ (values[..., None] * (project @ f))
        h = self.first(x)
        for times, map, mlp in zip(self.times, self.maps, self.mlps):
            heat = torch.exp(-values[..., None] * times.clamp_min(1e-8))
            u = vectors @ (heat * (project @ h))
            v, lu = map(u), laplacian(u)
            gradients = torch.tanh((u * map(lu) + v * lu - laplacian(u * v)) / 2)  # Δ and the map commute
            h = h + mlp(torch.cat([h, u, gradients], 2))
        return (self.last(h) * area[..., None]).sum(1)


class GIN(nn.Module):
    def __init__(self, inputs, classes, width=68, layers=4):
        super().__init__()
        self.mlps = nn.ModuleList(nn.Sequential(*dense(inputs if i == 0 else width, width))
                                  for i in range(layers))
        self.last = nn.ModuleList(nn.Linear(width, width) for _ in range(layers - 1))
        self.eps = nn.Parameter(torch.zeros(layers))
        self.head = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, classes))

    def forward(self, x, there, area, vectors, values, **_):
        place = vectors * torch.exp(-0.01 * values)[:, None]
        distance = torch.cdist(place, place).masked_fill(~there[:, None], math.inf)
        distance.diagonal(dim1=1, dim2=2).fill_(math.inf)
        near = distance.topk(8, largest=False).indices
        near = torch.zeros_like(distance).scatter_(2, near, 1.0) * there[:, None]
        h = x
        for i, mlp in enumerate(self.mlps):
            h = mlp((1 + self.eps[i]) * h + near @ h)
            if i < len(self.last):
                h = self.last[i](h)
        return self.head((h * area[..., None]).sum(1))


NETWORKS = {"pointnet": PointNet, "diffusionnet": DiffusionNet, "gin": GIN}


class Surfaces:
    """All surfaces in all cuts, filled up to 512 nodes."""
    def __init__(self, folder):
        read = lambda name, kind: np.fromfile(f"{folder}/{name}", kind)
        start, self.labels = read("start", "<i4"), torch.from_numpy(read("labels", "<i4")).long()
        count = len(self.labels)
        self.values = torch.from_numpy(read("values", "<f4").reshape(count, -1))
        nodes, k = read("nodes", "<f4").reshape(start[-1], -1), self.values.shape[1]
        columns = nodes.shape[1] - k - 1
        padded = torch.zeros(count, NODES, nodes.shape[1])
        for g in range(count):
            padded[g, :start[g + 1] - start[g]] = torch.from_numpy(nodes[start[g]:start[g + 1]])
        self.inputs, self.vectors, self.area = padded.split([columns, k, 1], 2)
        self.area = self.area[..., 0]
        self.nodes = torch.from_numpy(np.diff(start))
        self.count = count // len(CUTS)

    def standardize(self, train):
        """Inputs in standard deviations from their means, by area, clipped at ±5."""
        x, weight = self.inputs[train], self.area[train][..., None] / len(train)
        mean = (x * weight).sum((0, 1))
        deviation = ((x - mean) ** 2 * weight).sum((0, 1)).sqrt().clamp_min(0.01)
        return ((self.inputs - mean) / deviation).clamp(-5, 5)

    def batch(self, x, ids, sample):
        """The arguments of a network; a sample has one node of each of as many equal parts of the list of nodes."""
        n, at = self.nodes[ids, None].clamp_max(sample), torch.arange(sample)
        low, high = at * self.nodes[ids, None] // n, (at + 1) * self.nodes[ids, None] // n
        picked = (low + torch.rand(low.shape) * (high - low)).long().clamp_max(NODES - 1)
        there, rows = torch.arange(picked.shape[1]) < n, ids[:, None]
        area = self.area[rows, picked] * there
        return {"x": x[rows, picked] * there[..., None], "there": there, "area": area / area.sum(1, keepdim=True),
                "vectors": self.vectors[rows, picked], "values": self.values[ids]}


def fit(surfaces, network, x, train, seed):
    torch.manual_seed(seed)
    net = network(x.shape[2], int(surfaces.labels.max()) + 1)
    optimizer = torch.optim.AdamW(net.parameters(), RATE, weight_decay=DECAY)
    steps = EPOCHS * (len(train) // BATCH)
    rate = lambda s: min(1, (s + 1) / (WARMUP * steps)) * (1 + math.cos(math.pi * s / steps)) / 2
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    net.train()
    for _ in range(EPOCHS):
        for ids in train[torch.randperm(len(train))][: len(train) // BATCH * BATCH].split(BATCH):
            optimizer.zero_grad()
            logits = net(**surfaces.batch(x, ids, SAMPLE))
            cross_entropy(logits, surfaces.labels[ids], label_smoothing=SMOOTHING).backward()
            nn.utils.clip_grad_norm_(net.parameters(), CLIP)
            optimizer.step()
            schedule.step()
    return net.eval()


def main():
    folder, names, seeds = sys.argv[1:]
    surfaces = Surfaces(folder)
    labels = surfaces.labels[:surfaces.count]
    for name in names.split(","):
        begin, scores, network = time.time(), {cut: [] for cut in CUTS}, NETWORKS[name]
        for seed in map(int, seeds.split(",")):
            for train, test in StratifiedKFold(5, shuffle=True, random_state=42).split(labels, labels):
                train = torch.from_numpy(train)
                x = surfaces.standardize(train)
                net = fit(surfaces, network, x, train, seed)
                for c, cut in enumerate(CUTS):
                    ids = torch.from_numpy(test) + c * surfaces.count
                    with torch.no_grad():
                        said = net(**surfaces.batch(x, ids, NODES)).argmax(1)
                    scores[cut].append(round(100 * float((said == surfaces.labels[ids]).float().mean()), 2))
        means = {cut: f"{np.mean(s):.1f} ± {np.std(s):.1f}" for cut, s in scores.items()}
        print(json.dumps({"model": name, "weights": sum(p.numel() for p in net.parameters()), **means,
                          "seconds": round(time.time() - begin), "scores": scores}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
