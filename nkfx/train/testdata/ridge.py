# Writes ridge.json, golden values of scikit-learn for TestRidge: python ridge.py > ridge.json
import json
import sys

import numpy as np
import sklearn
from sklearn.linear_model import RidgeClassifierCV, RidgeCV

alphas = np.logspace(-3, 3, 10)
cases = []


def add(name, rng, model, x, targets, y, scales):
    """Fits the model to targets, which Ridge has as y, and asks it about rows that it has not seen."""
    n, columns = x.shape
    outputs = y.shape[1]
    r = model(alphas=alphas, store_cv_results=True).fit(x, targets)
    weights, biases = np.reshape(r.coef_, (-1, columns)).T, np.atleast_1d(r.intercept_)
    unseen = rng.normal(size=(5, columns)) * scales
    said = np.reshape(r.decision_function(unseen) if model is RidgeClassifierCV else r.predict(unseen), (5, -1))
    if weights.shape[1] < outputs:  # of two classes scikit-learn has the score of the second
        weights, biases, said = [np.concatenate([-v, v], axis=-1) for v in (weights, biases, said)]
    cases.append({
        "name": name, "x": x.tolist(), "y": y.tolist(), "penalty": r.alpha_,
        "errors": r.cv_results_.reshape(n, -1, len(alphas)).mean(axis=(0, 1)).tolist(),
        "weights": weights.tolist(), "biases": np.broadcast_to(biases, (outputs,)).tolist(),
        "unseen": unseen.tolist(), "said": said.tolist(),
        "predicted": r.predict(unseen).tolist() if model is RidgeClassifierCV else [],
    })


for name, n, columns, outputs in [("more rows", 30, 7, 1), ("more columns", 12, 40, 3), ("as many", 15, 15, 2),
                                  ("few rows", 4, 9, 1), ("a constant column", 20, 6, 4)]:
    rng = np.random.default_rng(len(name))
    x = rng.normal(size=(n, columns)) * rng.uniform(0.1, 10, columns) + rng.normal(size=columns)
    if "constant" in name:
        x[:, 2] = 3
    y = np.sign(x @ rng.normal(size=(columns, outputs)) + rng.normal(size=(n, outputs)))
    add(name, rng, RidgeCV, x, y, y, 5)
for name, n, columns, classes in [("two classes", 25, 6, 2), ("two classes, more columns", 14, 30, 2),
                                  ("several classes", 40, 8, 4), ("several classes, more columns", 16, 35, 3)]:
    rng = np.random.default_rng(len(name))
    x = rng.normal(size=(n, columns)) * 3 + 1
    labels = np.argmax(x @ rng.normal(size=(columns, classes)) + 3 * rng.normal(size=(n, classes)), axis=1)
    assert len(set(labels)) == classes
    add(name, rng, RidgeClassifierCV, x, labels, 2.0 * (labels[:, None] == np.arange(classes)) - 1, 3)
for name, n, columns in [("numbers", 30, 5), ("numbers, more columns", 11, 20)]:
    rng = np.random.default_rng(len(name))
    x = rng.normal(size=(n, columns)) * 2 - 1
    y = x @ rng.normal(size=(columns, 2)) * [1, 0.1] + rng.normal(size=(n, 2)) + [7, -2]
    add(name, rng, RidgeCV, x, y, y, 2)
json.dump({"source": f"scikit-learn {sklearn.__version__}, numpy {np.__version__}", "cases": cases}, sys.stdout)
