"""What time series that are cut still show: a random forest trained and tested on whole ones, on ones with every
fourth observation, with 30 % missing, and with a gap of a third; and the thinned ones as tables for any other model.

    nkf run uea --dataset Epilepsy --cuts --csv series
    python thinned_sklearn.py series/epilepsy.csv 137
    nkf train --tracks series/epilepsy-thinned-train.csv --test series/epilepsy-thinned-test.csv --id id \\
        --coordinates c0,c1,c2 --t number --label class --model path:thin=0

The number is that of the paths in the training part. The forest sees the values of each channel in their order,
sorted, and as the logarithms of the magnitudes of their Fourier coefficients. What it needs is in requirements.txt.
Writes a line of JSON.
"""
import json
import sys

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

CUTS = 6  # in the table: whole, every fourth, and four more
NUMBERS = {"whole": 0, "thinned": 1, "missing": 4, "gap": 5}


def features(d):
    """Rows of features and the classes of paths of equally many observations."""
    paths = d.groupby("id")
    values = d.drop(columns=["id", "number", "class"]).to_numpy(float)
    x = values.reshape(len(paths), -1, values.shape[1])
    waves = np.log(np.abs(np.fft.rfft(x - x.mean(1, keepdims=True), axis=1)) + 1e-3)
    return np.concatenate([x, np.sort(x, 1), waves], 1).reshape(len(x), -1), paths["class"].first().to_numpy()


def main():
    path, first = sys.argv[1], int(sys.argv[2])
    d = pd.read_csv(path)
    count = (d["id"].max() + 1) // CUTS
    out = {"table": path}
    for name, number in NUMBERS.items():
        start = number * count
        train = d[(d["id"] >= start) & (d["id"] < start + first)]
        test = d[(d["id"] >= start + first) & (d["id"] < start + count)]
        forest = RandomForestClassifier(500, random_state=0).fit(*features(train))
        out[name] = round(100 * forest.score(*features(test)), 1)
        if name == "thinned":
            train.to_csv(path.replace(".csv", "-thinned-train.csv"), index=False)
            test.to_csv(path.replace(".csv", "-thinned-test.csv"), index=False)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
