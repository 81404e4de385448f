"""Networks of triangle meshes in PyTorch: means of neighbors move the vertices; moments of the features, masses and
energies of 2-forms, means of functions and lengths of tensors are read out."""
import torch
from torch import nn
from torch.nn.functional import layer_norm

from cochain_torch import perceptron


class Surface(nn.Module):
    def __init__(self, data, outputs, config):
        super().__init__()
        self.config, columns, m = config, data.cochain[0].shape[1] - 1, config["Width"]
        hidden, self.tensors, self.count = config["Hidden"], config["Tensors"], config["Forms"]
        self.features, self.embedding = nn.BatchNorm1d(columns), perceptron(columns, hidden, m)
        self.layers = nn.ModuleList(perceptron(2 * m, hidden, m) for _ in range(config["Layers"]))
        self.forms = nn.Linear(m, 3 * self.count)
        self.functions = perceptron(m, hidden, config["Functions"])
        self.lengths = perceptron(m, hidden, 3 * self.tensors)
        read = 2 * columns + 1 + 2 * self.count + config["Functions"] + 3 * self.tensors
        read += 0 if data.globals is None else data.globals.shape[1]
        drop, head = config["Dropout"], config["Head"]
        self.head = nn.Sequential(nn.BatchNorm1d(read), nn.Dropout(drop), nn.Linear(read, head), nn.SiLU(),
                                  nn.Dropout(drop), nn.Linear(head, outputs))

    def begin(self, b):
        """Features with noise, areas of vertices [V, 1] and of triangles [T, 1]."""
        x, share, area = b.cochain[0][:, :-1], b.cochain[0][:, -1:], b.cochain[2]
        size = self.config["Scale"] * torch.randn(b.size, 1, device=x.device)
        logs = torch.arange(x.shape[1], device=x.device) < self.config["Logs"]
        x = x + size[b.of] * logs + self.config["Noise"] * torch.randn_like(x)
        return x, share * torch.exp(2 * size[b.of]), area * torch.exp(2 * size[b.owner[2]])

    def masses(self, x, corners):
        """∫_T c du ∧ dv of 2-forms with affine c, u and v, [T, forms]."""
        p, q, r = self.forms(x).view(len(x), 3, -1)[corners].unbind(1)
        u, v = q - p, r - p
        return (p[:, 2] + q[:, 2] + r[:, 2]) / 3 * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / 2

    def forward(self, b):
        x, share, area = self.begin(b)
        triangles, (tail, tip) = b.corners[2], b.corners[1].unbind(1)
        add = lambda rows, owner, n: rows.new_zeros(n, rows.shape[1]).index_add_(0, owner, rows)
        total = add(share, b.of, b.size).clamp_min(1e-12)
        mean = lambda rows: add(rows * share, b.of, b.size) / total
        one = torch.ones_like(area)
        least = 0.3 * add(area, b.owner[2], b.size) / add(one, b.owner[2], b.size).clamp_min(1)
        wide = area + least.clamp_min(1e-12)[b.owner[2]]
        ends = torch.ones(len(tail), 1, device=x.device)
        degree = add(torch.cat([ends, ends]), torch.cat([tail, tip]), len(x)).clamp_min(1)
        features = self.features(x)
        x = self.embedding(features)
        for layer in self.layers:
            heard = torch.zeros_like(x).index_add_(0, tip, x[tail]).index_add_(0, tail, x[tip]) / degree
            x = layer_norm(x + layer(torch.cat([x, heard], 1)), x.shape[1:])
        average, squares = mean(features), mean(features.square())
        read = [average, ((squares - average.square()).clamp_min(0) + 1e-4).sqrt(), total.log()]
        if b.globals is not None:
            read.append(b.globals)
        masses = self.masses(x, triangles)
        both = torch.cat([masses.abs(), masses.square() / wide], 1)
        read += [(add(both, b.owner[2], b.size) / total + 1e-3).log(), mean(self.functions(x))]
        h = torch.cat(read + self.equivariant(b, x, mean, triangles), 1)
        return self.head(h)

    def equivariant(self, b, x, mean, triangles):
        """Logarithms of the lengths of means of g x, g (x xᵀ - |x|²/3) and g (n nᵀ - 1/3)."""
        point = b.x / mean(b.x.square().sum(1, keepdim=True)).sqrt()[b.of]
        p, q, r = point[triangles].unbind(1)
        normal = torch.linalg.cross(q - p, r - p)
        twice = (normal.square().sum(1, keepdim=True) + 1e-20).sqrt()
        g = self.lengths(x).view(len(x), 3, -1)
        outer = lambda a, y: (a[:, :, None] * y[:, None]).reshape(len(a), -1)
        points = mean(torch.cat([outer(g[:, 0], point), outer(g[:, 1], traceless(point))], 1))
        rows = outer(g[:, 2][triangles].mean(1), traceless(normal) / twice.square())
        add = lambda rows: rows.new_zeros(b.size, rows.shape[1]).index_add_(0, b.owner[2], rows)
        normals = add(rows * twice) / add(twice)
        logs = lambda y, each: (y.reshape(b.size, self.tensors, each).square().sum(2) + 1e-3).log()
        cut = 3 * self.tensors
        return [logs(points[:, :cut], 3), logs(points[:, cut:], 6), logs(normals, 6)]


def traceless(x):
    """x xᵀ - |x|²/3 as six numbers, the sum of whose squares is that of the nine."""
    third, (a, b, c) = x.square().sum(1) / 3, x.unbind(1)
    return torch.stack([a * a - third, b * b - third, c * c - third,
                        2 ** 0.5 * a * b, 2 ** 0.5 * a * c, 2 ** 0.5 * b * c], 1)
