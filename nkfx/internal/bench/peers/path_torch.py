"""Path networks in PyTorch: running integrals of neural 1-forms move the points of a path. The members of an ensemble
are trained side by side, the leading axis of all weights."""
import math

import torch
from torch import nn
from torch.nn.functional import dropout, layer_norm, pad, silu


class Linear(nn.Module):
    """An affine map of each member: [E, ..., in] to [E, ..., out]."""
    def __init__(self, members, inputs, outputs):
        super().__init__()
        bound = 1 / math.sqrt(inputs)
        self.w = nn.Parameter(torch.empty(members, inputs, outputs).uniform_(-bound, bound))
        self.b = nn.Parameter(torch.empty(members, 1, outputs).uniform_(-bound, bound))

    def forward(self, x):
        y = torch.baddbmm(self.b, x.reshape(x.shape[0], -1, x.shape[-1]), self.w)
        return y.view(*x.shape[:-1], -1)


class Layer(nn.Module):
    def __init__(self, members, config, last):
        super().__init__()
        m, self.forms, self.windows, self.last = config["Width"], config["Forms"], config["Windows"], last
        self.form = Linear(members, m, 2 * self.forms)
        self.time = nn.Parameter(torch.randn(members, 1, 1, self.forms))
        if not last:
            self.hear = Linear(members, m + 2 * self.forms, config["Hidden"])
            self.move = Linear(members, config["Hidden"], m)
            self.gamma = nn.Parameter(torch.ones(members, 1, 1, m))
            self.beta = nn.Parameter(torch.zeros(members, 1, 1, m))

    def heard(self, running):
        """The integrals over windows of edges before and after every point."""
        before, after, each = [], [], self.forms // len(self.windows)
        sizes = [each] * (len(self.windows) - 1) + [self.forms - each * (len(self.windows) - 1)]
        for w, r in zip(self.windows, running.split(sizes, 3)):
            if w == 0 or w >= r.shape[2] - 1:
                before.append(r)
                after.append(r[:, :, -1:] - r)
                continue
            d = r[:, :, w:] - r[:, :, :-w]
            before.append(torch.cat([r[:, :, :w], d], 2))
            after.append(torch.cat([d, r[:, :, -1:] - r[:, :, -w:]], 2))
        return before + after

    def forward(self, x):
        z, gauss, points = self.form(x), (1 - 3 ** -0.5) / 2, x.shape[2]
        a, b = z[:, :, :-1, :self.forms], z[:, :, 1:, :self.forms]
        step = z[:, :, 1:, self.forms:] - z[:, :, :-1, self.forms:] + self.time / (points - 1)
        integrals = 0.5 * (silu(a + gauss * (b - a)) + silu(b - gauss * (b - a))) * step
        running = pad(integrals.cumsum(2), (0, 0, 1, 0))
        read = [running[:, :, -1], integrals.abs().sum(2), running.amax(2) - running.amin(2)]
        if self.last:
            return x, read
        every = 2 if points > 33 else 1  # of many points every second one is left
        h = torch.cat([p[:, :, ::every] for p in [x, *self.heard(running)]], 3)
        x = x[:, :, ::every] + self.move(silu(self.hear(h)))
        return layer_norm(x, x.shape[-1:]) * self.gamma + self.beta, read


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


def thinned(x, thin, longest=8):
    """Paths [N, T, n], of which a share has every k-th point and the last alone, on straight edges between them."""
    count, points, n = x.shape
    k = torch.randint(1, longest + 1, (count, 1), device=x.device)
    k = torch.where(torch.rand(count, 1, device=x.device) < thin, k, 1)
    at = torch.arange(points, device=x.device).expand(count, -1)
    from_ = at // k * k
    to = (from_ + k).clamp(max=points - 1)
    a, b = (torch.gather(x, 1, i[..., None].expand(-1, -1, n)) for i in (from_, to))
    return a + ((at - from_) / (to - from_).clamp(min=1))[..., None] * (b - a)


class Paths(nn.Module):
    def __init__(self, dim, outputs, config):
        super().__init__()
        self.members = members = max(1, config["Members"])
        self.augment, self.thin, self.drop = config["Augment"], config["Thin"], config["Dropout"]
        self.velocity = nn.BatchNorm1d(members * dim)
        self.embedding = Linear(members, 2 * dim + 1, config["Width"])
        self.layers = nn.ModuleList(Layer(members, config, i == config["Layers"])
                                    for i in range(config["Layers"] + 1))
        columns = 3 * config["Forms"] * len(self.layers) + 2 * config["Width"]
        self.norm, self.head = nn.BatchNorm1d(members * columns), Linear(members, columns, outputs)

    def features(self, x):
        """Places, velocities over three points on either side, and time."""
        (members, count, points, n), t = x.shape, torch.arange(x.shape[2], device=x.device)
        to, from_ = (t + 3).clamp(max=points - 1), (t - 3).clamp(min=0)
        v = (x[:, :, to] - x[:, :, from_]) / (to - from_)[:, None]
        v = self.velocity(v.permute(1, 2, 0, 3).reshape(-1, members * n))
        v = v.view(count, points, members, n).permute(2, 0, 1, 3)
        time = torch.linspace(-1, 1, points, device=x.device)[:, None].expand(members, count, -1, 1)
        return torch.cat([x, v, time], 3)

    def forward(self, b):
        x = b.x.view(b.size, -1, b.x.shape[1]).repeat(self.members, 1, 1)
        x = augment(x, *(self.augment[name] for name in ("Warp", "Cut", "Scale", "Shift")))
        x = thinned(x, self.thin) if self.thin else x
        x, read = self.embedding(self.features(x.view(self.members, b.size, *x.shape[1:]))), []
        for layer in self.layers:
            x, r = layer(x)
            read += r
        h = torch.cat([*read, x.mean(2), x.amax(2)], 2)
        h = self.norm(h.transpose(0, 1).reshape(b.size, -1)).view(b.size, self.members, -1).transpose(0, 1)
        return self.head(dropout(h, self.drop))
