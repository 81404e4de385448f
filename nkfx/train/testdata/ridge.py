# Writes ridge.json, golden values of scikit-learn for TestRidge: python ridge.py > ridge.json
import json
import sys

import numpy as np
import sklearn
from sklearn.linear_model import RidgeCV

alphas = np.logspace(-3, 3, 10)
cases = []
for name, n, columns, outputs in [("more rows", 30, 7, 1), ("more columns", 12, 40, 3), ("as many", 15, 15, 2),
                                  ("few rows", 4, 9, 1), ("a constant column", 20, 6, 4)]:
    rng = np.random.default_rng(len(name))
    x = rng.normal(size=(n, columns)) * rng.uniform(0.1, 10, columns) + rng.normal(size=columns)
    if "constant" in name:
        x[:, 2] = 3
    y = np.sign(x @ rng.normal(size=(columns, outputs)) + rng.normal(size=(n, outputs)))
    r = RidgeCV(alphas=alphas, store_cv_results=True).fit(x, y)
    cases.append({
        "name": name, "x": x.tolist(), "y": y.tolist(), "penalty": r.alpha_,
        "errors": r.cv_results_.reshape(n, outputs, -1).mean(axis=(0, 1)).tolist(),
        "weights": np.asarray(r.coef_).reshape(outputs, columns).T.tolist(),
        "biases": np.broadcast_to(r.intercept_, (outputs,)).tolist(),
    })
json.dump({"source": f"scikit-learn {sklearn.__version__}, numpy {np.__version__}", "cases": cases}, sys.stdout)
