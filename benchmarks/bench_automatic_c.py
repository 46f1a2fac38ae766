"""Claim: C="auto" is 10 times faster than `liblinear -C` and 20 times faster than GridSearchCV(LinearSVC).

All search with five folds on the same min-max codes, squared hinge, intercept as a feature of value 1. LIBLINEAR's
search stops by its own rule; GridSearchCV tries the values of C that ours tried, in the dual at LIBLINEAR's own
tolerance, on two processes. Accuracies are those of each search's own folds.

UNKERNEL_DATA       folder of data sets
UNKERNEL_LIBLINEAR  a Python interpreter with liblinear-official
Arguments: name [k] [bits] [rows]
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from time import perf_counter

import numpy as np
from contest import heading, real
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC

from unkernel import LinearClassifier, MinMaxMap


def liblinear_search(interpreter, path):
    """Seconds, C and accuracy of `train -C -s 2 -B 1`."""
    script = Path(__file__).with_name("rival_liblinear.py")
    run = subprocess.run([interpreter, script, path, "-s 2 -C", "0.1"], capture_output=True, text=True, check=True)
    found = json.loads(run.stdout.splitlines()[-1])
    return found["seconds"][0], *found["answers"][0]


def compete(name, k, bits, rows):
    X, y = real(name)
    y = (y == 2).astype(int) if name == "covtype" else y
    chosen = np.random.default_rng(0).permutation(len(y))[:rows]
    X, y = X[chosen].astype(np.float32), np.unique(y[chosen], return_inverse=True)[1]
    F = MinMaxMap(k, bits=bits, random_state=0, n_jobs=2).fit(X).features(X)
    LinearClassifier(C="auto", n_jobs=2).fit(F[:300], y[:300])
    start = perf_counter()
    model = LinearClassifier(C="auto", n_jobs=2).fit(F, y)
    ours, path = perf_counter() - start, model.C_path_
    best = path["score"].argmax()
    print(
        f"\n## {name}: {len(y)} rows, k = {k}, {bits} bits, {len(model.classes_)} classes, {len(path['C'])} values of C"
    )
    print(f"{'unkernel':<24} {ours:8.2f} s   C = {model.C_:g}, {path['score'][best]:.4f} +- {path['error'][best]:.4f}")
    interpreter = os.environ.get("UNKERNEL_LIBLINEAR")
    found = {}
    if interpreter:
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "problem.npz")
            np.savez(file, codes=F.codes, y=y, levels=F.levels, value=F.value)
            found["liblinear -C"] = (*liblinear_search(interpreter, file), 10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = perf_counter()
        grid = GridSearchCV(LinearSVC(dual=True, tol=0.1, random_state=0), {"C": path["C"]}, cv=5, n_jobs=2)
        grid.fit(F.to_csr(np.float64), y)
        found["GridSearchCV(LinearSVC)"] = perf_counter() - start, grid.best_params_["C"], grid.best_score_, 20
    for label, (seconds, C, score, claim) in found.items():
        print(f"{label:<24} {seconds:8.2f} s   C = {C:g}, {score:.4f}")
        verdict = "holds" if seconds >= claim * ours else "FALLS SHORT"
        print(f"RATIO {label} / unkernel: {seconds / ours:.1f} (claim >= {claim}) {verdict}")


if __name__ == "__main__":
    heading("Automatic C on codes against liblinear -C and GridSearchCV, two cores")
    given = sys.argv[1:] + [None] * 4
    compete(given[0] or "a9a", int(given[1] or 512), int(given[2] or 4), int(given[3] or 2000))
