"""Claim: check takes at most twice a linear fit with automatic C, and a fiftieth of an RBF-SVM grid of 20 points.

Processor time, one thread, compiled before. All rows are given to check, which samples beyond 12,000. The linear fits
get the same rows, scaled: LIBLINEAR's `train -s 2 -C` (five folds) with its last fit, as paper 003 measured, and
LinearClassifier(C="auto"). The grid is 5 values of C by 4 of gamma, five folds, on at most 12,000 rows (what check
takes); only its first fold, and of more than 2,000 rows only 4 points, are run, and the rest is taken to be as long.

UNKERNEL_DATA       folder of data sets
UNKERNEL_LIBLINEAR  a Python interpreter with liblinear-official
Arguments: name[,name...] [linear|grid]
"""

import os
import sys
import warnings
from time import process_time

import numpy as np
import scipy.sparse
from contest import heading
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.svm import SVC
from study_verdicts import SEED, liblinear, load

from unkernel import LinearClassifier, check

TABLE = "fourclass,svmguide1,german_numer,madelon,ijcnn1,a9a,poker"
SEEDS, MOST = (0, 1, 2), 12_000


def timed(run):
    """Processor seconds, and what was returned."""
    start = process_time()
    found = run()
    return process_time() - start, found


def compete(name, rivals):
    X, y, _, _ = load(name)
    order = np.random.default_rng(SEED).permutation(len(y))
    X, y = X[order], y[order]
    check(X[:600], np.arange(min(600, len(y))) % len(np.unique(y)), random_state=0)
    ours, verdicts = zip(*(timed(lambda seed=seed: check(X, y, random_state=seed)) for seed in SEEDS), strict=True)
    mean = float(np.mean(ours))
    print(f"{name}: {len(y):,} rows; check {', '.join(f'{s:.3f}' for s in ours)} s, {[v.worth for v in verdicts]}")
    if "linear" in rivals:
        linear(X, y, mean)
    if "grid" in rivals:
        grid(X[:MOST], y[:MOST], mean)


def linear(X, y, mean):
    scale = MaxAbsScaler() if scipy.sparse.issparse(X) else StandardScaler()
    Z = scale.fit_transform(X)
    LinearClassifier(C="auto").fit(Z[:200], y[:200])
    seconds = min(timed(lambda: LinearClassifier(C="auto").fit(Z, y))[0] for _ in range(2))
    print(f"  LinearClassifier(C='auto') {seconds:.3f} s   RATIO check / this: {mean / seconds:.2f} (claim <= 2)")
    if "UNKERNEL_LIBLINEAR" in os.environ:
        seconds = liblinear(os.environ["UNKERNEL_LIBLINEAR"], Z, y)
        print(f"  LIBLINEAR -C               {seconds:.3f} s   RATIO check / this: {mean / seconds:.2f} (claim <= 2)")


def grid(X, y, mean):
    few = len(y) > 2000
    points = [(C, gamma) for C in ((1, 100) if few else (0.1, 1, 10, 100, 1000)) for gamma in (0.25, 4, 1, 0.0625)]
    points = points[: 4 if few else 20]
    (fit, hold), *_ = StratifiedKFold(5, shuffle=True, random_state=0).split(np.zeros(len(y)), y)
    scale = MaxAbsScaler() if scipy.sparse.issparse(X) else StandardScaler()
    spread = X.shape[1] if not scipy.sparse.issparse(X) else X.nnz / X.shape[0]
    models = [make_pipeline(scale, SVC(C=C, gamma=gamma / spread, cache_size=500)) for C, gamma in points]
    spent = [timed(lambda m=model: m.fit(X[fit], y[fit]).score(X[hold], y[hold]))[0] for model in models]
    seconds = 5 * 20 * float(np.mean(spent))
    print(f"  grid of 20 by 5 folds      {seconds:.0f} s, from {len(points)} fits on {len(fit):,} rows   "
          f"RATIO this / check: {seconds / mean:.0f} (claim >= 50)")  # fmt: skip


if __name__ == "__main__":
    heading("check: seconds against a linear fit with automatic C and a kernel grid")
    warnings.simplefilter("ignore")
    for chosen in (sys.argv[1] if len(sys.argv) > 1 else TABLE).split(","):
        compete(chosen, sys.argv[2:] or ["linear", "grid"])
