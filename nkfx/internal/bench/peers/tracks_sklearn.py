"""Compares nkf on tracks with a random forest and logistic regression on hand-made features, on the same folds.

    python tracks_sklearn.py NKF tracks.csv ID X Y T LABEL [--cuts] [--seconds]

T is "-" for tracks without times. Five stratified folds; nkf trains on each training part with no setting
changed, and tests with the other part as it is, and with --cuts also with tracks that are cut.
Needs numpy, pandas and scikit-learn. Writes a line of JSON.
"""
import json
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

LEVELS = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]


def features(g, x, y, t):
    """Lengths, speeds, turns, and quantiles of the position."""
    p = g[[x, y]].to_numpy(float)
    d = np.diff(p, axis=0)
    d = d if len(d) else np.zeros((1, 2))
    s = np.hypot(d[:, 0], d[:, 1])
    times = g[t].to_numpy(float) if t != "-" else np.arange(len(g), dtype=float)
    v = s / np.maximum(np.diff(times, append=times[-1:])[: len(s)], 1e-9)
    h = np.arctan2(d[:, 1], d[:, 0])
    w = np.abs((np.diff(h) + np.pi) % (2 * np.pi) - np.pi)
    w = w if len(w) else np.zeros(1)
    end = np.hypot(*(p[-1] - p[0]))
    row = [s.sum(), end, end / (s.sum() + 1e-9), times[-1] - times[0], len(p)]
    for q in v, s, w:
        row += [q.mean(), q.std()]
    for q in v, w, p[:, 0], p[:, 1]:
        row += list(np.quantile(q, LEVELS))
    return row


def cut(g, how, random, numbers):
    n = len(g)
    if how == "every fourth":
        return g.iloc[np.unique(np.r_[np.arange(0, n, 4), n - 1])]
    if how == "30 % missing" and n > 2:
        return g.iloc[np.sort(np.r_[0, n - 1, 1 + random.permutation(n - 2)[: int(0.7 * n)]])]
    if how == "gap of a third" and n > 5:
        a = random.integers(1, n - n // 3)
        return g.iloc[np.unique(np.r_[:a, a + n // 3 : n, n - 1])]
    at = np.arange(n, dtype=float)
    if how == "ten for one":
        at = np.arange((n - 1) * 10 + 1) / 10
    if how == "half four times as dense":
        at = np.unique(np.r_[np.arange(n // 2 * 4) / 4, np.arange(n // 2, n)])
    out = pd.DataFrame({c: np.repeat(g[c].iloc[0], len(at)) for c in g.columns})
    for c in numbers:
        out[c] = np.interp(at, np.arange(n), g[c].to_numpy(float))
    return out


CUTS = ["every fourth", "ten for one", "half four times as dense", "30 % missing", "gap of a third"]


def main():
    nkf, path, track, x, y, t, label = sys.argv[1:8]
    d = pd.read_csv(path)
    if t != "-":
        d = d.sort_values([t], kind="stable")
    numbers = [x, y] + ([t] if t != "-" else [])
    tracks = [g for _, g in d.groupby(track, sort=False)]
    labels = np.array([g[label].iloc[0] for g in tracks])
    rows = np.array([features(g, x, y, t) for g in tracks])
    forest = RandomForestClassifier(500, random_state=0)
    logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000))
    cuts = ["whole"] + (CUTS if "--cuts" in sys.argv else [])
    scores = {name: [] for name in ["random forest", "logistic regression"] + cuts}
    seconds = []
    random = np.random.default_rng(1)
    for fit, out in StratifiedKFold(5, shuffle=True, random_state=42).split(rows, labels):
        for name, m in ("random forest", forest), ("logistic regression", logistic):
            scores[name].append(m.fit(rows[fit], labels[fit]).score(rows[out], labels[out]))
        with tempfile.TemporaryDirectory() as folder:
            pd.concat([tracks[i] for i in fit]).to_csv(folder + "/train.csv", index=False)
            for how in cuts:
                pd.concat([cut(tracks[i], how, random, numbers) if how != "whole" else tracks[i]
                           for i in out]).to_csv(folder + "/test.csv", index=False)
                line = [nkf, "train", "--tracks", folder + "/train.csv", "--test", folder + "/test.csv", "--id",
                        track, "--x", x, "--y", y, "--label", label, "--json", "--out", folder + "/" + how]
                begin = time.time()
                done = subprocess.run(line + (["--t", t] if t != "-" else []), capture_output=True, text=True)
                seconds.append(time.time() - begin)
                if done.returncode:
                    sys.exit(done.stderr)
                scores[how].append(json.loads(done.stdout.splitlines()[0])["mean"] / 100)
    print(json.dumps({"tracks": len(tracks), "majority": round(100 * max(np.mean(labels == c) for c in labels), 1),
                      "seconds": round(float(np.mean(seconds)), 1),
                      **{k: f"{100 * np.mean(v):.1f} ± {100 * np.std(v):.1f}" for k, v in scores.items()}}))


if __name__ == "__main__":
    main()
