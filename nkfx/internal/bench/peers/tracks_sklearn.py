"""A random forest and logistic regression on hand-made features of tracks, on the five folds of nkf.

    nkf run tracks --csv tracks
    python tracks_sklearn.py tracks/animals.csv id lon lat time label

The arguments name columns: track, coordinates, time ("-" for none) and class. What it needs is in
requirements.txt. Writes a line of JSON.
"""
import json
import sys

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


def main():
    path, track, x, y, t, label = sys.argv[1:]
    d = pd.read_csv(path)
    if t != "-":
        d = d.sort_values([t], kind="stable")
    tracks = [g for _, g in d.groupby(track)]
    labels = np.array([g[label].iloc[0] for g in tracks])
    rows = np.array([features(g, x, y, t) for g in tracks])
    out = {"tracks": len(tracks), "majority": round(100 * max(np.mean(labels == c) for c in labels), 1)}
    for name, m in {
        "random forest": RandomForestClassifier(500, random_state=0),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000)),
    }.items():
        folds = StratifiedKFold(5, shuffle=True, random_state=42).split(rows, labels)
        scores = [100 * m.fit(rows[a], labels[a]).score(rows[b], labels[b]) for a, b in folds]
        out[name] = f"{np.mean(scores):.1f} ± {np.std(scores):.1f}"
    print(json.dumps(out, ensure_ascii=False))


if __name__ == "__main__":
    main()
