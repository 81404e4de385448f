"""Programs to race against, as a server: one JSON command a line on stdin, one JSON answer a line on stdout.

    python peers.py torch|jax|signax|pysiglib FOLDER

FOLDER holds torch_1form.py and jax_1form.py, whose variants are run as they are. Forms of higher degree are the plain
programs below, in the same manner: everything vectorised, no thought for the order of linear maps, and the same with
the last linear layer after the sum over the points. Work: the sum of squares of the integration matrix and its
gradient by the weights of the network.

    {"do": "names", "k": 1}                       names of the programs for degree k
    {"do": "make", "name": ..., "k", "n", "count", "forms", "hidden", "points", "weights"}
    {"do": "make", "name": ..., "dim", "depth", "points", "batch", "gradient"}      signatures, of signax and pysiglib
    {"do": "run", "seconds": s}                   calls until s seconds have gone by: their times
    {"do": "drop"}                                frees all programs and their data
"""
import gc, itertools, json, sys, time

kind, folder = sys.argv[1:3]
sys.path.insert(0, folder)
programs = {}


def torch_programs():
    import torch
    import torch_1form as peer

    def minors(corners, k):
        edges = (corners[:, 1:] - corners[:, :1]).transpose(1, 2)
        rows = list(itertools.combinations(range(edges.shape[1]), k))
        return torch.linalg.det(edges[:, rows])

    def eager(form, corners, k, forms, points, weights):
        omega = form(torch.einsum("qa,san->sqn", points, corners))
        omega = omega.reshape(len(corners), len(points), -1, forms)
        return torch.einsum("sqcl,sc,q->sl", omega, minors(corners, k), weights)

    def lastlayer(form, corners, k, forms, points, weights):
        hidden = form[:-1](torch.einsum("qa,san->sqn", points, corners))
        mean = torch.matmul(weights, hidden) @ form[-1].weight.T + weights.sum() * form[-1].bias
        return torch.einsum("scl,sc->sl", mean.reshape(len(corners), -1, forms), minors(corners, k))

    def make(name, k, n, count, forms, hidden, points, weights):
        from math import comb
        torch.manual_seed(0)
        form = peer.make_form(n, hidden, forms)
        corners = torch.randn(count, k + 1, n)
        if k == 1:
            f = getattr(peer, "integrate_" + name.removeprefix("compile_"))
            if name.startswith("compile_"):
                f = torch.compile(f, dynamic=False)
            run = lambda: f(form, corners, len(points), forms)
        else:
            form[-1] = torch.nn.Linear(hidden // 2, comb(n, k) * forms)
            p, w = torch.tensor(points), torch.tensor(weights)
            f = {"eager": eager, "lastlayer": lastlayer}[name]
            run = lambda: f(form, corners, k, forms, p, w)

        def both():
            form.zero_grad(set_to_none=True)
            run().square().sum().backward()
        return both

    names = lambda k: ["eager", "matmul", "lastlayer"] if k == 1 else ["eager", "lastlayer"]
    return names, make, "torch " + torch.__version__


def jax_programs():
    import jax, jax.numpy as jnp
    import jax_1form as peer

    def minors(corners, k):
        edges = jnp.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
        rows = jnp.array(list(itertools.combinations(range(edges.shape[1]), k)))
        return jnp.linalg.det(edges[:, rows])

    def plain(params, corners, k, forms, points, weights):
        w, b = params[-1]
        omega = peer.hidden(params, jnp.einsum("qa,san->sqn", points, corners)) @ w + b
        omega = omega.reshape(len(corners), len(points), -1, forms)
        return jnp.einsum("sqcl,sc,q->sl", omega, minors(corners, k), weights)

    def lastlayer(params, corners, k, forms, points, weights):
        w, b = params[-1]
        hidden = peer.hidden(params, jnp.einsum("qa,san->sqn", points, corners))
        mean = jnp.einsum("q,sqh->sh", weights, hidden) @ w + weights.sum() * b
        return jnp.einsum("scl,sc->sl", mean.reshape(len(corners), -1, forms), minors(corners, k))

    def make(name, k, n, count, forms, hidden, points, weights):
        from math import comb
        key = jax.random.PRNGKey(0)
        params = peer.make_params(key, n, hidden, forms)
        corners = jax.random.normal(key, (count, k + 1, n), jnp.float32)
        if k == 1:
            f = getattr(peer, "integrate_" + name)
            value = lambda p, x: jnp.sum(f(p, x, len(points), forms) ** 2)
        else:
            params[-1] = tuple(0.3 * jax.random.normal(key, s) for s in
                               ((hidden // 2, comb(n, k) * forms), (comb(n, k) * forms,)))
            f, q, w = {"plain": plain, "lastlayer": lastlayer}[name], jnp.array(points), jnp.array(weights)
            value = lambda p, x: jnp.sum(f(p, x, k, forms, q, w) ** 2)
        both = jax.jit(jax.value_and_grad(value))
        return lambda: jax.block_until_ready(both(params, corners))

    names = lambda k: ["plain", "lastlayer", "vmap"] if k == 1 else ["plain", "lastlayer"]
    return names, make, "jax " + jax.__version__ + " " + jax.default_backend()


def walks(dim, points, batch):
    import numpy as np
    return (0.1 * np.random.default_rng(0).normal(size=(batch, points, dim)).cumsum(1)).astype(np.float32)


def signax_programs():
    import importlib.metadata, jax, signax

    def make(name, dim, depth, points, batch, gradient):
        x = jax.numpy.asarray(walks(dim, points, batch))
        value = jax.jit(jax.vmap(lambda path: signax.signature(path, depth)))
        both = jax.jit(jax.value_and_grad(lambda x: (value(x) ** 2).sum()))
        return lambda: jax.block_until_ready((both if gradient else value)(x))

    return None, make, "signax " + importlib.metadata.version("signax")


def pysiglib_programs():
    import importlib.metadata, pysiglib

    def make(name, dim, depth, points, batch, gradient):
        x = walks(dim, points, batch)
        if not gradient:
            return lambda: pysiglib.sig(x, depth, n_jobs=-1)
        import torch, pysiglib.torch_api as api
        t = torch.tensor(x, requires_grad=True)

        def both():
            t.grad = None
            (api.sig(t, depth, n_jobs=-1) ** 2).sum().backward()
        return both

    return None, make, "pysiglib " + importlib.metadata.version("pysiglib")


def answer(command):
    do = command.pop("do")
    if do == "names":
        return names(command["k"])
    if do == "make":
        name = command.pop("name")
        programs[name] = make(name, **command)
        programs[name]()
        return True
    if do == "run":
        f, times, start = programs[command["name"]], [], time.perf_counter()
        while not times or time.perf_counter() - start < command["seconds"]:
            t = time.perf_counter()
            f()
            times.append(time.perf_counter() - t)
        return times
    programs.clear()
    gc.collect()
    return True


names, make, version = globals()[kind + "_programs"]()
print(json.dumps({"version": version}), flush=True)
for line in sys.stdin:
    try:
        out = {"result": answer(json.loads(line))}
    except Exception as e:
        out = {"error": f"{type(e).__name__}: {str(e)[:200]}"}
    print(json.dumps(out), flush=True)
