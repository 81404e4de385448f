"""Epochs of trainings in PyTorch, on the numbers that nkf trains on: it hands over its own collection, and the
configuration of its own model.

    loader  a DataLoader that collates lists of complexes, and every form at every point: written first
    flat    all complexes in flat tensors on the device, batches cut from them; both affine maps out of the integral;
            the fused optimizer
"""
import numpy as np
import torch
from torch import nn

from cochain_torch import Cochain
from path_torch import Paths


def version(device):
    if device == "cuda" and not torch.cuda.is_available():
        raise RuntimeError("PyTorch finds no CUDA card")
    return f"torch {torch.__version__}, {torch.get_num_threads()} threads"


def names(network, **_):
    return ["loader", "flat"] if network == "forms" else ["flat"] if network in NETWORKS else []


class Batch:
    """B complexes: x [V, n], of [V]; by degree k > 0 corners[k] [S, k+1], owner[k] [S]; data on them; labels [B]."""
    def __init__(self, size):
        self.size, self.corners, self.owner, self.cochain = size, {}, {}, {}


class Complexes:
    def __init__(self, arrays, device):
        read = {name: torch.from_numpy(np.fromfile(a["file"], a["type"]).reshape(a["shape"])).to(device)
                for name, a in arrays.items()}
        read = {name: a if a.is_floating_point() else a.long() for name, a in read.items()}
        self.x, self.labels, self.train = read["vertices"], read["labels"], read["train"]
        degrees = range(1 + max(int(name[5:]) for name in read if name.startswith("start")))
        self.start, self.corners, self.cochain = ([read.get(part + str(k)) for k in degrees]
                                                  for part in ("start", "corners", "cochain"))

    def batches(self, ids, size):
        """Batches of the complexes ids, in that order. Rows are looked up once for all of them."""
        ids = ids[:len(ids) // size * size]
        looked = []
        for start in self.start:
            count = start[ids + 1] - start[ids]
            before = count.cumsum(0) - count
            owner = torch.repeat_interleave(torch.arange(len(ids), device=ids.device), count)
            row = torch.arange(len(owner), device=ids.device) + (start[ids] - before)[owner]
            looked.append((row, owner, before, [*before[::size].tolist(), len(owner)]))
        for i in range(len(ids) // size):
            b = Batch(size)
            for k, (row, owner, _, cuts) in enumerate(looked):
                rows, of = row[cuts[i]:cuts[i + 1]], owner[cuts[i]:cuts[i + 1]]
                if k == 0:
                    b.x, b.of = self.x[rows], of - i * size
                else:
                    b.corners[k] = self.corners[k][rows] + (looked[0][2][of] - looked[0][3][i])[:, None]
                    b.owner[k] = of - i * size
                if self.cochain[k] is not None:
                    b.cochain[k] = self.cochain[k][rows]
            some = ids[i * size:(i + 1) * size]
            b.labels = self.labels[some]
            yield b

    def graphs(self, ids):
        """Vertices, edges and label of each graph, for a DataLoader."""
        vertex, edge = self.start[0].tolist(), self.start[1].tolist()
        return [(self.x[vertex[g]:vertex[g + 1]], self.corners[1][edge[g]:edge[g + 1]], self.labels[g])
                for g in ids.tolist()]


def collate(graphs):
    b, vertices, edges, owner, offset = Batch(len(graphs)), [], [], [], 0
    for g, (x, e, _) in enumerate(graphs):
        vertices.append(x)
        edges.append(e + offset)
        owner.append(torch.full((len(e),), g, device=x.device))
        offset += len(x)
    b.x, b.corners[1], b.owner[1] = torch.cat(vertices), torch.cat(edges), torch.cat(owner)
    b.labels = torch.stack([g[2] for g in graphs])
    return b


class Forms(nn.Module):
    """The classifier of the paper: neural 1-forms integrated over edges, squared and summed up per graph."""
    def __init__(self, dim, outputs, config, factored):
        super().__init__()
        h, self.count, self.factored = config["hidden"], config["forms"], factored
        self.form = nn.Sequential(nn.Linear(dim, h), nn.ReLU(), nn.Linear(h, h // 2), nn.ReLU(),
                                  nn.Linear(h // 2, dim * self.count))
        self.norm = nn.BatchNorm1d(self.count)
        self.head = nn.Sequential(nn.Linear(self.count, h), nn.ReLU(), nn.Linear(h, h // 2), nn.ReLU(),
                                  nn.Linear(h // 2, outputs))
        t, w = torch.linspace(0, 1, config["points"]), torch.full((config["points"],), 1 / (config["points"] - 1))
        w[0] /= 2
        w[-1] /= 2
        self.register_buffer("points", torch.stack([1 - t, t], 1))
        self.register_buffer("weights", w)

    def forward(self, b):
        corners, dim = b.x[b.corners[1]], b.x.shape[1]
        edge = corners[:, 1] - corners[:, 0]
        if self.factored:
            ends = self.form[0](b.x)[b.corners[1]]
            hidden = self.form[1:-1](torch.einsum("qa,sah->sqh", self.points, ends))
            field = self.form[-1](torch.matmul(self.weights, hidden)).view(-1, dim, self.count)
            integrals = torch.bmm(edge[:, None], field)[:, 0]
        else:
            field = self.form(torch.einsum("qa,san->sqn", self.points, corners))
            field = field.reshape(len(edge), len(self.points), dim, self.count)
            integrals = torch.einsum("sqnl,sn,q->sl", field, edge, self.weights)
        sums = torch.zeros(b.size, self.count, device=b.x.device).index_add_(0, b.owner[1], integrals.square())
        return self.head(self.norm(sums))


NETWORKS = {
    "cochain": lambda data, outputs, config: Cochain(data.x.shape[1], outputs, config),
    "path": lambda data, outputs, config: Paths(data.x.shape[1], outputs, config),
}


def make(name, device, network, config, protocol, outputs, arrays):
    torch.manual_seed(0)
    data = Complexes(arrays, device)
    flat, size = name == "flat", protocol["Batch"]
    if network == "forms":
        net = Forms(data.x.shape[1], outputs, config, factored=flat)
    else:
        net = NETWORKS[network](data, outputs, config)
    net.to(device)
    weight = None
    if protocol["FrequencyWeight"]:
        weight = torch.bincount(data.labels, minlength=outputs) / len(data.labels)
    entropy = nn.CrossEntropyLoss(weight, label_smoothing=protocol.get("Smoothing", 0))
    optimizer = torch.optim.AdamW(net.parameters(), lr=protocol["Rate"], weight_decay=protocol["Decay"],
                                  fused=flat)
    if not flat:
        loader = torch.utils.data.DataLoader(data.graphs(data.train), size, shuffle=True, drop_last=True,
                                             collate_fn=collate)

    def step(b):
        optimizer.zero_grad()
        loss = entropy(net(b), b.labels)
        loss.backward()
        if protocol["Clip"]:
            nn.utils.clip_grad_norm_(net.parameters(), protocol["Clip"])
        optimizer.step()
        return loss.detach()

    def epoch():
        shuffled = data.train[torch.randperm(len(data.train), device=device)] if flat else None
        return sum(step(b) for b in (data.batches(shuffled, size) if flat else loader)).item()

    epoch.weights = sum(p.numel() for p in net.parameters())
    return epoch
