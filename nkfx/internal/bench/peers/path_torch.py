"""Path networks in PyTorch: running integrals of neural 1-forms move the points of a path."""
import math

import torch
from torch import nn
from torch.nn.functional import dropout, pad, silu


class Layer(nn.Module):
    def __init__(self, config, last):
        super().__init__()
        m, self.forms, self.windows, self.last = config["Width"], config["Forms"], config["Windows"], last
        self.form = nn.Linear(m, 2 * self.forms)
        self.time = nn.Parameter(torch.randn(self.forms))
        if not last:
            self.hear = nn.Linear(m + 2 * self.forms, config["Hidden"])
            self.move = nn.Linear(config["Hidden"], m)
            self.norm = nn.LayerNorm(m)

    def heard(self, running):
        """The integrals over windows of edges before and after every point."""
        before, after, each = [], [], self.forms // len(self.windows)
        sizes = [each] * (len(self.windows) - 1) + [self.forms - each * (len(self.windows) - 1)]
        for w, r in zip(self.windows, running.split(sizes, 2)):
            if w == 0 or w >= r.shape[1] - 1:
                before.append(r)
                after.append(r[:, -1:] - r)
                continue
            d = r[:, w:] - r[:, :-w]
            before.append(torch.cat([r[:, :w], d], 1))
            after.append(torch.cat([d, r[:, -1:] - r[:, -w:]], 1))
        return before + after

    def forward(self, x):
        z, gauss, points = self.form(x), (1 - 3 ** -0.5) / 2, x.shape[1]
        a, b = z[:, :-1, :self.forms], z[:, 1:, :self.forms]
        step = z[:, 1:, self.forms:] - z[:, :-1, self.forms:] + self.time / (points - 1)
        integrals = 0.5 * (silu(a + gauss * (b - a)) + silu(b - gauss * (b - a))) * step
        running = pad(integrals.cumsum(1), (0, 0, 1, 0))
        read = [running[:, -1], integrals.abs().sum(1), running.amax(1) - running.amin(1)]
        if self.last:
            return x, read
        every = 2 if points > 33 else 1  # of many points every second one is left
        h = torch.cat([p[:, ::every] for p in [x, *self.heard(running)]], 2)
        return self.norm(x[:, ::every] + self.move(silu(self.hear(h)))), read


def augment(x, warp, cut, scale, shift):
    """Paths [N, T, n] whose times are warped and cut, and whose channels are scaled and shifted."""
    count, points, n = x.shape
    u, k = torch.linspace(0, 1, points, device=x.device), torch.arange(1, 4, device=x.device)[:, None]
    sines = torch.sin(math.pi * k * u) / (math.pi * k)
    w = (u + warp * torch.randn(count, 3, device=x.device) @ sines).clamp(0, 1).cummax(1).values
    w = w / w[:, -1:].clamp_min(1e-3)
    share = cut * torch.rand(count, 1, device=x.device)
    w = (share * torch.rand(count, 1, device=x.device) + (1 - share) * w) * (points - 1)
    low = w.floor().clamp(0, points - 2).long()[..., None].expand(-1, -1, n)
    from_, to = torch.gather(x, 1, low), torch.gather(x, 1, low + 1)
    x = from_ + (w[..., None] - low) * (to - from_)
    normal = lambda: torch.randn(count, 1, n, device=x.device)
    return x * (1 + scale * normal()) + shift * normal()


class Paths(nn.Module):
    def __init__(self, dim, outputs, config):
        super().__init__()
        self.augment, self.drop = config["Augment"], config["Dropout"]
        self.velocity = nn.BatchNorm1d(dim)
        self.embedding = nn.Linear(2 * dim + 1, config["Width"])
        self.layers = nn.ModuleList(Layer(config, i == config["Layers"]) for i in range(config["Layers"] + 1))
        columns = 3 * config["Forms"] * len(self.layers) + 2 * config["Width"]
        self.norm, self.head = nn.BatchNorm1d(columns), nn.Linear(columns, outputs)

    def features(self, x):
        """Places, velocities over three points on either side, and time."""
        (count, points, n), t = x.shape, torch.arange(x.shape[1], device=x.device)
        to, from_ = (t + 3).clamp(max=points - 1), (t - 3).clamp(min=0)
        v = (x[:, to] - x[:, from_]) / (to - from_)[:, None]
        v = self.velocity(v.reshape(-1, n)).view(count, points, n)
        time = torch.linspace(-1, 1, points, device=x.device)[:, None].expand(count, -1, 1)
        return torch.cat([x, v, time], 2)

    def forward(self, b):
        x = b.x.view(b.size, -1, b.x.shape[1])
        x = augment(x, *(self.augment[name] for name in ("Warp", "Cut", "Scale", "Shift")))
        x, read = self.embedding(self.features(x)), []
        for layer in self.layers:
            x, r = layer(x)
            read += r
        h = self.norm(torch.cat([*read, x.mean(1), x.amax(1)], 1))
        return self.head(dropout(h, self.drop))
