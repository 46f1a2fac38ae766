"""A study: accuracy of min-max hashing and a linear SVM beside the exact kernel, on data sets of Li (2016), resumable.

    python benchmarks/study_minmax.py RESULTS.jsonl letter dailysports     every cell of these sets not yet there
    python benchmarks/study_minmax.py RESULTS.jsonl                        of all sets
    python benchmarks/study_minmax.py RESULTS.jsonl --table                the table

Best test accuracy over C, as in the paper, for all alike. Sets, rows and columns are the paper's: no column is scaled.
Two linear models: "linear, paper" is LIBLINEAR's hinge at a tolerance of 0.1 on rows of length one without intercept,
which comes nearest to the published figures; "linear" is LinearSVC as it comes. On codes, LinearSVC fits the CSR output
up to 128 components; above, LinearClassifier minimises the same loss on the codes, at C = 1. At most 5,000 rows are
tested.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from contest import real
from sklearn.preprocessing import normalize
from sklearn.svm import SVC, LinearSVC

from unkernel import GMM, LinearClassifier, MinMaxMap

CODES = {
    "b = 4": {"algorithm": "counter", "bits": 4, "t_bits": 0},
    "b = 8": {"algorithm": "counter", "bits": 8, "t_bits": 0},
    "default": {},
}
SETS = {  # the file, and how many rows the paper trains on where it has no split of its own
    "musk": ("musk2", 3299),
    "satimage": ("satimage", 2218),
    "ijcnn5k": ("ijcnn1", 5000),
    "usps": ("usps", None),
    "letter": ("letter_libsvm", None),
    "dailysports": ("dailysports", 4560),
}
SIZES = (16, 128, 1024, 4096)
SEEDS = {16: 10}  # repetitions; one elsewhere
WIDE = 10.0 ** np.arange(-2, 4)
TESTED = 5000


def split(name: str):
    """Rows to train and to test."""
    file, n_train = SETS[name]
    X, y = real(file)
    order = np.random.default_rng(0).permutation(len(y))
    if n_train is None or file == "ijcnn1":
        order = order[:n_train]
        X_test, y_test = real(file, "test")
        chosen = np.random.default_rng(1).permutation(len(y_test))[:TESTED]
        X_test, y_test = X_test[chosen], y_test[chosen]
    else:
        left, order = order[n_train:], order[:n_train]
        X_test, y_test = X[left], y[left]
    rows = [part.reshape(len(part), -1).astype(np.float32) for part in (X[order], X_test)]
    return rows[0], y[order], rows[1], y_test


def best(make, train, y, test, y_test, costs) -> float:
    """Test accuracy at the best cost, in percent."""
    return 100 * max(make(C).fit(train, y).score(test, y_test) for C in costs)


def baseline(label: str, X, y, T, t) -> float:
    """Accuracy without hashing."""
    if label == "exact":
        K, K_test = GMM()(X), GMM()(T, X)
        return best(lambda C: SVC(kernel="precomputed", C=C, cache_size=500), K, y, K_test, t, (1.0, 10.0, 100.0))
    if label == "linear, paper":
        svm = {"loss": "hinge", "tol": 0.1, "fit_intercept": False, "random_state": 0}
        return best(lambda C: LinearSVC(C=C, **svm), normalize(X), y, normalize(T), t, WIDE)
    return best(lambda C: LinearSVC(C=C, random_state=0), X, y, T, t, WIDE)


def hashed(label: str, k: int, X, y, T, t) -> list[float]:
    """Accuracies on codes, one for each seed."""
    scores = []
    for seed in range(SEEDS.get(k, 1)):
        map_ = MinMaxMap(k, random_state=seed, **CODES[label]).fit(X)
        if k <= 128:
            rows = map_.transform(X), y, map_.transform(T), t
            scores.append(best(lambda C: LinearSVC(C=C, max_iter=300), *rows, (0.1, 1.0, 10.0)))
        else:
            rows = map_.features(X), y, map_.features(T), t
            scores.append(best(lambda C: LinearClassifier(C=C, tol=1e-2), *rows, (1.0,)))
    return scores


def cells(results: Path) -> dict[tuple, list]:
    """(set, label, k) -> scores, of what is there."""
    lines = results.read_text().splitlines() if results.exists() else []
    return {tuple(line["cell"]): line["scores"] for line in map(json.loads, lines)}


def table(results: Path) -> None:
    """A line for each set, means over seeds."""
    found = cells(results)
    columns = [("linear, paper", 0), ("linear", 0), *[(c, k) for k in SIZES for c in CODES], ("exact", 0)]
    print("| | " + " | ".join(f"{c}, k = {k}" if k else c for c, k in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name in SETS:
        if any(cell[0] == name for cell in found):
            scores = [found.get((name, *column)) for column in columns]
            print(f"| {name} | " + " | ".join(f"{np.mean(s):.1f}" if s else "" for s in scores) + " |")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    results, *names = Path(sys.argv[1]), *sys.argv[2:]
    if names == ["--table"]:
        raise SystemExit(table(results))
    for name in names or SETS:
        rows, done = split(name), cells(results)
        todo = [("linear, paper", 0), ("linear", 0), ("exact", 0), *[(c, k) for k in SIZES for c in CODES]]
        for label, k in todo:
            if (name, label, k) not in done:
                scores = hashed(label, k, *rows) if k else [baseline(label, *rows)]
                with results.open("a") as file:
                    file.write(json.dumps({"cell": [name, label, k], "scores": [round(s, 2) for s in scores]}) + "\n")
                print(name, label, k, np.round(scores, 1), flush=True)
