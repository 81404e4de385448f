#!/usr/bin/env python3
"""Computes the reference values of this folder from the inputs beside them, with 40 digits and the standard library alone.

It prints by file how many values it compared and the largest difference, relative to the largest entry of a vector or
matrix; it fails if one exceeds 1e-14. Derivatives are those of the chain rule on single numbers.
"""

import itertools
import json
import math
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 40
tape = []  # all numbers, in the order in which they were computed


class Number:
    """A number, and its derivatives by the numbers that it was computed from."""

    def __init__(self, value, *parents):
        self.value, self.parents, self.slope = Decimal(value), parents, Decimal(0)
        tape.append(self)

    def __add__(self, other):
        other = number(other)
        return Number(self.value + other.value, (self, 1), (other, 1))

    def __mul__(self, other):
        other = number(other)
        return Number(self.value * other.value, (self, other.value), (other, self.value))

    def __sub__(self, other):
        return self + number(other) * -1

    def __truediv__(self, other):
        return self * number(other).map(lambda x: 1 / x, lambda x, y: -y * y)

    __radd__, __rmul__ = __add__, __mul__

    def map(self, function, derivative):
        value = function(self.value)
        return Number(value, (self, derivative(self.value, value)))


def number(x):
    return x if isinstance(x, Number) else Number(x)


def numbers(tree):
    """A tree of plain numbers as one of Numbers."""
    if isinstance(tree, dict):
        return {key: numbers(branch) for key, branch in tree.items()}
    return [numbers(branch) for branch in tree] if isinstance(tree, list) else Number(tree)


def values(tree):
    if isinstance(tree, dict):
        return {key: values(branch) for key, branch in tree.items()}
    return [values(branch) for branch in tree] if isinstance(tree, list) else tree.value


def gradient(of, by):
    """The derivatives of a Number by a tree of them."""
    for x in tape:
        x.slope = Decimal(0)
    of.slope = Decimal(1)
    for x in reversed(tape):
        for parent, derivative in x.parents:
            parent.slope += x.slope * derivative

    def slopes(tree):
        if isinstance(tree, dict):
            return {key: slopes(branch) for key, branch in tree.items()}
        return [slopes(branch) for branch in tree] if isinstance(tree, list) else tree.slope

    return slopes(by)


def total(xs):
    return sum(xs, Number(0))


def dot(xs, ys):
    xs, ys = [number(x) for x in xs], [number(y) for y in ys]
    return Number(sum(x.value * y.value for x, y in zip(xs, ys)),
                  *((x, y.value) for x, y in zip(xs, ys)), *((y, x.value) for x, y in zip(xs, ys)))


def exp(x):
    return x.map(Decimal.exp, lambda x, y: y)


def log(x):
    return x.map(Decimal.ln, lambda x, y: 1 / x)


def root(x):
    return x.map(Decimal.sqrt, lambda x, y: 1 / (2 * y))


def sigmoid(x):
    return x.map(lambda x: 1 / (1 + (-x).exp()), lambda x, y: y * (1 - y))


def tanh(x):
    return x.map(lambda x: 1 - 2 / (1 + (2 * x).exp()), lambda x, y: 1 - y * y)


def relu(x, slope=0):
    return x * (1 if x.value > 0 else slope)


def silu(x):
    return x * sigmoid(x)


def linear(x, w, b):
    return [dot(x, column) + bias for column, bias in zip(zip(*w), b)]


def mlp(x, layers, activation):
    """A network; the last layer has no activation."""
    for i, (w, b) in enumerate(layers):
        x = linear(x if i == 0 else [activation(y) for y in x], w, b)
    return x


def log_softmax(row):
    norm = log(total(map(exp, row)))
    return [x - norm for x in row]


def cross_entropy(rows, labels, weights):
    """Of logarithms of probabilities, weighted by the classes of the rows."""
    return dot([row[y] for row, y in zip(rows, labels)], [weights[y] for y in labels]) / -sum(
        Decimal(weights[y]) for y in labels)


def batch_norm(rows, gamma, beta, running=None, eps=Decimal(1e-5), momentum=Decimal(0.1)):
    """The normalized rows, and the new running means and variances; with `running`, those are used and kept."""
    columns, out, statistics = zip(*rows), [], ([], [])
    n = len(rows)
    for i, column in enumerate(columns):
        mean, variance = (running[0][i], running[1][i]) if running else (None, None)
        if not running:
            mean = total(column) / n
            variance = total((x - mean) * (x - mean) for x in column) / n
        out.append([(x - mean) / root(number(variance) + eps) * gamma[i] + beta[i] for x in column])
        statistics[0].append(momentum * number(mean).value)
        statistics[1].append(momentum * number(variance).value * n / (n - 1))
    return [list(row) for row in zip(*out)], statistics


def determinant(rows):
    """By Leibniz' formula; 1 of no rows."""
    k, terms = len(rows), []
    for p in itertools.permutations(range(k)):
        sign = (-1) ** sum(p[i] > p[j] for j in range(k) for i in range(j))
        terms.append(math.prod((rows[i][p[i]] for i in range(k)), start=sign))
    return sum(terms[1:], terms[0])


def integral(simplex, points, weights, coefficients, k, n, forms):
    """Σ_p w_p Σ_I f_I(x_p) det E[I] / k! of the forms over a simplex, with barycentric points."""
    indices = list(itertools.combinations(range(n), k))
    edges = [[simplex[j + 1][i] - simplex[0][i] for j in range(k)] for i in range(n)]
    minors = [number(determinant([edges[i] for i in index])) for index in indices]
    at = [coefficients([dot(p, [v[i] for v in simplex]) for i in range(n)]) for p in points]
    means = [dot(weights, [f[c] for f in at]) for c in range(len(indices) * forms)]
    return [dot(minors, means[c::forms]) * (Decimal(1) / math.factorial(k)) for c in range(forms)]


def kform(file):
    for case in file["cases"]:
        tape.clear()
        vertices, layers = numbers(case["vertices"]), numbers(case["layers"])
        activation = {"relu": relu, "tanh": tanh, "silu": silu}[case["activation"]]
        matrix = [integral([vertices[i] for i in simplex], case["rule"]["points"], case["rule"]["weights"],
                           lambda x: mlp(x, [(layer["w"], layer["b"]) for layer in layers], activation),
                           case["k"], case["n"], case["forms"]) for simplex in case["simplices"]]
        loss = total(x * x for row in matrix for x in row)
        compare(case["matrix"], values(matrix))
        compare(case["loss"], loss.value)
        compare(case["grad"], gradient(loss, {"layers": layers, "vertices": vertices}))


def quadrature(file):
    for case in file["cases"]:
        k, n = case["k"], case["n"]
        simplex = [[Fraction(x) for x in vertex] for vertex in case["vertices"]]
        form = {tuple(part["I"]): part["monomials"] for part in case["form"]}

        def minor(index):
            return determinant([[simplex[j + 1][i] - simplex[0][i] for j in range(k)] for i in index])

        def value(monomials, x):
            return sum(Fraction(m["c"]) * math.prod(x[i] ** e for i, e in enumerate(m["e"])) for m in monomials)

        def by(corners):
            """The mean of the form over points, over the volume of the simplex."""
            return sum(minor(index) * value(monomials, corner) * weight for index, monomials in form.items()
                       for corner, weight in corners) / math.factorial(k)

        exact = sum(minor(index) * Fraction(m["c"]) * mean(simplex, m["e"])
                    for index, monomials in form.items() for m in monomials) / math.factorial(k)
        compare(Fraction(case["exact_fraction"]), exact)
        compare(case["exact"], exact)
        for points, want in case.get("trapezoid", {}).items():
            m = int(points) - 1
            compare(want, by([(mix(simplex, (m - i, i)), Fraction(2 if 0 < i < m else 1, 2 * m))
                              for i in range(m + 1)]))
        for parts, want in case.get("triangle_subdivision", {}).items():
            m, corners = int(parts), []
            for i, j in itertools.product(range(m), repeat=2):
                for triangle in [(i, j), (i + 1, j), (i, j + 1)], [(i + 1, j), (i, j + 1), (i + 1, j + 1)]:
                    if max(map(sum, triangle)) <= m:
                        corners += [(mix(simplex, (m - a - b, a, b)), Fraction(1, 3 * m * m)) for a, b in triangle]
            compare(want, by(corners))


def mix(simplex, parts):
    """The point with these barycentric coordinates, up to their sum."""
    return [sum(p * x for p, x in zip(parts, column)) / sum(parts) for column in zip(*simplex)]


def mean(simplex, exponents):
    """The mean of a monomial over a simplex: that of Π λ_j^a_j is k! Π a_j! / (k + Σ a_j)!."""
    k, powers = len(simplex) - 1, {(0,) * len(simplex): Fraction(1)}
    for i, exponent in enumerate(exponents):
        for _ in range(exponent):
            product = {}
            for a, c in powers.items():
                for j, vertex in enumerate(simplex):
                    key = a[:j] + (a[j] + 1,) + a[j + 1:]
                    product[key] = product.get(key, 0) + c * vertex[i]
            powers = product
    return sum(c * math.factorial(k) * math.prod(map(math.factorial, a)) / math.factorial(k + sum(a))
               for a, c in powers.items())


def gcn(w, name, h, neighbors):
    z = [[dot(x, column) for column in zip(*w[name + ".lin.weight"])] for x in h]
    degree = [Decimal(len(near)) for near in neighbors]
    return [[total(z[j][c] * (1 / (degree[i] * degree[j]).sqrt()) for j in near) + bias
             for c, bias in enumerate(w[name + ".bias"])] for i, near in enumerate(neighbors)]


def gat(w, name, h, neighbors):
    z = [[dot(x, column) for column in zip(*w[name + ".lin.weight"])] for x in h]
    out = []
    for i, near in enumerate(neighbors):
        e = [exp(relu(dot(z[j], w[name + ".att_src"]) + dot(z[i], w[name + ".att_dst"]), Decimal(0.2))) for j in near]
        norm = total(e)
        out.append([dot([x / norm for x in e], [z[j][c] for j in near]) + bias
                    for c, bias in enumerate(w[name + ".bias"])])
    return out


def gin(w, name, h, neighbors):
    layers = [(w[f"{name}.nn.lins.{i}.weight"], w[f"{name}.nn.lins.{i}.bias"]) for i in (0, 1)]
    return [mlp([total(h[j][c] for j in near) for c in range(len(h[0]))], layers, relu) for near in neighbors]


def convolutions(layer):
    """A network of such layers; each vertex is a neighbor of itself."""
    def network(w, x, pairs, of, _):
        neighbors = [[i] + [b for a, b in pairs if a == i] for i in range(len(x))]
        h = layer(w, "convs.0", x, neighbors)
        h = layer(w, "convs.1", [[relu(y) for y in row] for row in h], neighbors)
        return pool(h, of)
    return network


def pool(h, of):
    return [[total(row[c] for row, g in zip(h, of) if g == graph) for c in range(len(h[0]))]
            for graph in range(max(of) + 1)]


def egnn(w, x, pairs, of, keep):
    def layer(name, row):
        return linear(row, w[name + ".weight"], w[name + ".bias"])

    h = [layer("emb", row) for row in x]
    for name in "gnn.0", "gnn.1":
        messages = [[Number(0)] * len(h[0]) for _ in h]
        for i, j in pairs:
            distance = sum((a.value - b.value) ** 2 for a, b in zip(x[i], x[j])).sqrt()
            m = h[i] + h[j] + [Number(distance)]
            for part in ".f_e.0", ".f_e.2":
                m = [silu(y) for y in layer(name + part, m)]
            gate = sigmoid(layer(name + ".f_inf.0", m)[0])
            messages[i] = [a + gate * b for a, b in zip(messages[i], m)]
        h = [[a + b for a, b in zip(row, layer(name + ".f_h.2", [silu(y) for y in layer(name + ".f_h.0", row + m)]))]
             for row, m in zip(h, messages)]
    h = pool([layer("pre_mlp.2", [silu(y) for y in layer("pre_mlp.0", row)]) for row in h], of)
    if keep:
        h = [[y * (Decimal(k) / Decimal("0.6")) for y, k in zip(row, mask)] for row, mask in zip(h, keep)]
    return [layer("post_mlp.3", [silu(y) for y in layer("post_mlp.1", row)]) for row in h]


def gnn(file):
    networks = {"GCN": convolutions(gcn), "GAT": convolutions(gat), "GIN": convolutions(gin), "EGNN": egnn}
    x, of, pairs = [], [], []
    for g, graph in enumerate(file["graphs"]):
        pairs += [(len(x) + a, len(x) + b) for i, j in graph["edges"] for a, b in ((i, j), (j, i))]
        x, of = x + graph["x"], of + [g] * graph["nodes"]
    labels = [graph["label"] for graph in file["graphs"]]
    for name, model in file["models"].items():
        compare(model["trainable_parameters"], sum(map(size, model["weights"].values())))
        for run in "eval", "train", "published_code_eval":
            want = model.get(run, "")
            if isinstance(want, str):
                continue  # the same as eval, or not there
            tape.clear()
            w = numbers(model["weights"])
            logits = networks[name](w, numbers(x), want.get("pairs", pairs), of, want.get("dropout_keep_mask"))
            rows = [log_softmax(row) for row in logits]
            loss = cross_entropy(rows, labels, file["class_weights"])
            compare(want["logits"], values(logits))
            compare(want["log_softmax"], values(rows))
            compare(want["loss"], loss.value)
            compare(want["grad"], gradient(loss, w))
    for case in file["parameter_counts"].values():
        parameters(case)


def parameters(case):
    n, classes, width, depth = case["features"], case["classes"], case["gnn_hidden"], case["num_layers"]
    compare(case["GCN"], dense(n, *[width] * (depth - 1), classes))
    compare(case["GAT"], case["GCN"] + 2 * width * (depth - 1) + 2 * classes)
    compare(case["GIN"], dense(n, *[width] * (2 * depth - 2), classes, classes))
    layer = dense(2 * width + 1, width, width, 1) + dense(2 * width, width, width)
    compare(case["EGNN"], dense(n, width) + depth * layer + dense(width, width, width, width, classes))
    for name, want in case["forms_model"].items():
        norm, forms = (int(part.split("=")[1]) for part in name.split(","))
        half = case["hidden_dim"] // 2
        compare(want["parameters"], dense(n, 2 * half, half, n * forms) + 2 * norm + dense(norm, 2 * half, half, classes))
        compare(want["runs"], norm == forms)


def dense(*widths):
    return sum((a + 1) * b for a, b in zip(widths, widths[1:]))


def size(tree):
    return sum(map(size, tree)) if isinstance(tree, list) else 1


def model(file):
    points, weights = [(4 - i, i) for i in range(5)], [Decimal(w) / 8 for w in (1, 2, 2, 2, 1)]
    points = [[Decimal(p) / 4 for p in point] for point in points]
    for want in file["variants"].values():
        tape.clear()
        w = numbers(file["weights"])
        form, head = ([(w[f"{part}.w{i}"], w[f"{part}.b{i}"]) for i in (1, 2, 3)] for part in ("form", "head"))
        features = []
        for graph in file["graphs"]:
            x, sums = numbers(graph["x"]), [Number(0)] * file["forms"]
            for i, j in graph["edges"]:
                row = integral([x[i], x[j]], points, weights, lambda y: mlp(y, form, relu), 1, file["n"], file["forms"])
                sums = [s + y * y * (Decimal(want["integral_factor"]) ** 2 * want["edge_count"])
                        for s, y in zip(sums, row)]
            features.append(sums)
        compare(want["features"], values(features))
        norm, (means, variances) = batch_norm(features, w["bn.gamma"], w["bn.beta"])
        variances = [v + 1 - Decimal(0.1) for v in variances]
        compare(want["running_mean_after"], means)
        compare(want["running_var_after"], variances)
        fixed, _ = batch_norm(features, w["bn.gamma"], w["bn.beta"], running=(means, variances))
        for run, rows in ("train", norm), ("eval", fixed):
            rows = [log_softmax(mlp(row, head, relu)) for row in rows]
            loss = cross_entropy(rows, file["labels"], file["class_weights"])
            compare(want[run]["log_softmax"], values(rows))
            compare(want[run]["loss"], loss.value)
            if run == "train":
                compare(want[run]["grad"], gradient(loss, w))


def training(file):
    normalization(file["batch_norm"])
    adam(file["adam"])
    plateau(file["reduce_lr_on_plateau"])
    stopping(file["early_stopping"])
    entropy(file["weighted_nll"])
    for case in file["metrics"]["binary"].values():
        binary(case)
    for case in file["metrics"]["multiclass"].values():
        multiclass(case)


def normalization(case):
    running = [[Decimal(x) for x in case["initial_running_" + name]] for name in ("mean", "var")]
    for step in case["train_steps"] + [case["eval"]]:
        tape.clear()
        x, gamma, beta = numbers(step["x"]), numbers(case["gamma"]), numbers(case["beta"])
        y, new = batch_norm(x, gamma, beta, None if step in case["train_steps"] else running)
        compare(step["y"], values(y))
        product = total(dot(row, upstream) for row, upstream in zip(y, step["upstream"]))
        slopes = gradient(product, {"x": x, "gamma": gamma, "beta": beta})
        for name, want in slopes.items():
            compare(step["grad_" + name], want)
        if step in case["train_steps"]:
            running = [[old * (1 - Decimal(0.1)) + add for old, add in zip(*both)] for both in zip(running, new)]
            compare(step["running_mean"], running[0])
            compare(step["running_var"], running[1])


def adam(case):
    rate, beta1, beta2, eps = (Decimal(case[name]) for name in ("lr", "beta1", "beta2", "eps"))
    now = flat(case["start"])
    m, v = [Decimal(0)] * len(now), [Decimal(0)] * len(now)
    for t, step in enumerate(case["steps"], 1):
        tape.clear()
        w = unflat(case["start"], iter([Number(x) for x in now]))
        rows = [log_softmax(linear([tanh(h) for h in linear(x, w["w1"], w["b1"])], w["w2"], w["b2"]))
                for x in case["x"]]
        loss = cross_entropy(rows, case["y"], [1] * len(w["b2"]))
        slopes = flat(gradient(loss, w))
        m = [beta1 * a + (1 - beta1) * g for a, g in zip(m, slopes)]
        v = [beta2 * a + (1 - beta2) * g * g for a, g in zip(v, slopes)]
        now = [x - rate / (1 - beta1**t) * a / (b.sqrt() / (1 - beta2**t).sqrt() + eps)
               for x, a, b in zip(now, m, v)]
        compare(step["loss"], loss.value)
        for name, got in ("grad", slopes), ("after", now), ("m", m), ("v", v):
            compare(step[name], unflat(case["start"], iter(got)))


def flat(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    return [x for branch in tree for x in flat(branch)] if isinstance(tree, list) else [Decimal(tree)]


def unflat(like, leaves):
    if isinstance(like, dict):
        return {key: unflat(branch, leaves) for key, branch in like.items()}
    return [unflat(branch, leaves) for branch in like] if isinstance(like, list) else next(leaves)


def plateau(case):
    """In float64, since a comparison with the threshold depends on its rounding."""
    for run in case["runs"].values():
        rate, best, bad, rates, counts = case["initial_lr"], math.inf, 0, [], []
        for loss in run["losses"]:
            better = loss < best * (1 - case["threshold"]) if math.isfinite(best) else True
            best, bad = (loss, 0) if better else (best, bad + 1)
            if bad > case["patience"]:
                lower, bad = max(rate * case["factor"], case["min_lr"]), 0
                rate = lower if rate - lower > case["eps"] else rate
            rates.append(rate)
            counts.append(bad)
        compare(run["lr_after"], rates)
        compare(run["bad_epochs_after"], counts)
        compare(run["best"], best)


def stopping(case):
    for run in case["runs"].values():
        best, wait, waits, stop = math.inf, 0, [], None
        for epoch, loss in enumerate(map(float, run["losses"])):
            if not math.isfinite(loss):
                stop = epoch
                waits.append(wait)
                break
            best, wait = (loss, 0) if loss < best else (best, wait + 1)
            waits.append(wait)
            if wait >= case["patience"]:
                stop = epoch
                break
        compare(run["wait_after"], waits)
        compare(run["stop_epoch"], stop)
        compare(run["best"], best)


def entropy(case):
    def loss(rows, labels, weights):
        return cross_entropy(rows, labels, weights)

    tape.clear()
    logits, labels, weights = numbers(case["logits"]), case["labels"], case["class_weights"]
    rows = [log_softmax(row) for row in logits]
    compare(case["log_softmax"], values(rows))
    compare(case["loss"], loss(rows, labels, weights).value)
    compare(case["grad_logits"], gradient(loss(rows, labels, weights), logits))
    compare(case["unweighted_loss"], loss(rows, labels, [1] * len(weights)).value)
    epoch = case["epoch_value"]
    losses = [loss(rows[a:b], labels[a:b], weights).value for a, b in epoch["batches"]]
    compare(epoch["loss_per_batch"], losses)
    compare(epoch["mean_weighted_by_batch_size"],
            sum(x * (b - a) for x, (a, b) in zip(losses, epoch["batches"])) / len(rows))


def auroc(scores, positive):
    """The share of pairs in the right order; ties count one half."""
    pairs = [(a, b) for a, yes in zip(scores, positive) if yes for b, no in zip(scores, positive) if not no]
    return Fraction(sum(2 * (a > b) + (a == b) for a, b in pairs), 2 * len(pairs)) if pairs else None


def average_precision(scores, positive):
    """The mean over the positives of the precision at their score."""
    above = [[yes for s, yes in zip(scores, positive) if s >= at] for at, mine in zip(scores, positive) if mine]
    return sum(Fraction(sum(a), len(a)) for a in above) / len(above) if above else None


def binary(case):
    scores, labels = case["scores"], [y == 1 for y in case["labels"]]
    inverse, others = [-s for s in scores], [not y for y in labels]
    area, precision = auroc(scores, labels), average_precision(scores, labels)
    other = average_precision(inverse, others)
    compare(case["auroc"], area)
    compare(case["average_precision"], precision)
    compare(case["average_precision_class_0"], other)
    compare(case["torchmetrics_two_class"], {"auroc": (area + auroc(inverse, others)) / 2,
                                             "average_precision": (precision + other) / 2})


def multiclass(case):
    rows, labels, classes = case["log_probabilities"], case["labels"], range(case["classes"])
    guesses = [max(classes, key=row.__getitem__) for row in rows]
    hits = [y for y, guess in zip(labels, guesses) if y == guess]
    seen = set(labels) | set(guesses)
    compare(case["accuracy_micro"], Fraction(len(hits), len(labels)))
    compare(case["accuracy_macro"], sum(Fraction(hits.count(c), max(labels.count(c), 1)) for c in seen) / len(seen))
    areas = [auroc([row[c] for row in rows], [y == c for y in labels]) for c in classes]
    precisions = [average_precision([row[c] for row in rows], [y == c for y in labels]) for c in classes]
    present = [p for p in precisions if p is not None]
    compare(case["sklearn_auroc_per_class"], areas)
    compare(case["sklearn_average_precision_per_class"], precisions)
    # torchmetrics counts an absent class as an area of 0, and leaves it out of the precision.
    compare(case["torchmetrics_auroc_macro"], sum(a or 0 for a in areas) / len(areas))
    compare(case["torchmetrics_average_precision_macro"], sum(present) / len(present))


count, worst = 0, 0.0


def compare(want, got):
    """Compares leaves one by one; numbers of a list or matrix by the largest of them."""
    global count, worst
    if isinstance(want, dict):
        assert want.keys() == got.keys(), (want.keys(), got.keys())
        for key in want:
            compare(want[key], got[key])
        return
    wants, gots = (x if isinstance(x, list) else [x] for x in (want, got))
    while any(isinstance(x, list) for x in wants):
        assert list(map(size, wants)) == list(map(size, gots))
        if isinstance(wants[0], dict):
            break
        wants, gots = ([y for row in x for y in row] for x in (wants, gots))
    if wants and isinstance(wants[0], dict):
        for a, b in zip(wants, gots):
            compare(a, b)
        return
    assert len(wants) == len(gots)
    assert [x is None for x in wants] == [x is None for x in gots]
    pairs = [(Fraction(a), Fraction(b)) for a, b in zip(wants, gots) if a is not None]
    scale = max((abs(a) for a, _ in pairs), default=0) or 1
    count += len(wants)
    worst = max([worst] + [float(abs(a - b) / scale) for a, b in pairs])


if __name__ == "__main__":
    failed = False
    for compute in kform, quadrature, gnn, model, training:
        count, worst = 0, 0.0
        name = compute.__name__ + ".json"
        compute(json.loads((Path(__file__).parent / name).read_text()))
        print(f"{name}: {count} values, largest difference {worst:.1e}")
        failed = failed or worst > 1e-14
    sys.exit(failed)
