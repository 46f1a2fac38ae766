"""Claim: LinearClassifier trains on 10 million rows of min-max codes in under 1 GB of resident memory.

covtype (class 2 against the rest) is repeated with noise of a fiftieth of each column's spread, block by block; every
block is mapped to 256 codes of 4 bits and spilled; then `fit_blocks` trains on the file. All of it is one child process
whose peak resident memory is measured. On the first 200,000 rows the fit from the file is compared with that in memory.

UNKERNEL_DATA  folder of data sets
Arguments: [rows, 10000000] [k, 256]
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from contest import heading, peak_megabytes, real

from unkernel import Codes, LinearClassifier, MinMaxMap

BLOCK = 20_000
FEW = 200_000
C = 2.0**-4


def expanded(folder, y, rows):
    """Blocks of rows: the data again and again, with other noise each time."""
    noise = 0.02 * np.std(np.load(folder / "X.npy", mmap_mode="r")[:BLOCK], axis=0)
    for start in range(0, rows, BLOCK):
        X = np.load(folder / "X.npy", mmap_mode="r")  # anew, so that the rows read so far do not stay
        rng = np.random.default_rng(start)
        at = np.arange(start, min(rows, start + BLOCK)) % len(y)
        yield np.maximum(0, X[at] + noise * rng.standard_normal((len(at), X.shape[1]), dtype=np.float32)), y[at]


def child(folder, rows, k):
    """Map, spill and train; print what it took."""
    folder = Path(folder)
    X, y = np.load(folder / "X.npy", mmap_mode="r"), np.load(folder / "y.npy")
    mapping = MinMaxMap(k, bits=4, random_state=0, n_jobs=2).fit(np.asarray(X[:1000]))
    started, spilled = perf_counter(), []

    def blocks():
        for rows_, labels in expanded(folder, y, rows):
            yield mapping.features(rows_), labels
        spilled.extend([perf_counter(), peak_megabytes()])

    model = LinearClassifier(C=C, n_jobs=2).fit_blocks(blocks(), path=folder / "rows.codes")
    ended = perf_counter()
    peak = peak_megabytes()
    figures = {
        "spill": spilled[0] - started,
        "fit": ended - spilled[0],
        "peak": peak,
        "before": spilled[1],
        "gap": float(model.gap_.max()),
    }
    print(json.dumps(figures | {"passes": int(model.n_iter_[0])}))


def same(folder, y, rows):
    """The fit on the first rows from a file of their own, and in memory, compared."""
    first = Codes.open(folder / "rows.codes", verify=False)[: min(rows, FEW)]
    first = Codes(np.array(first.codes), first.filled, first.levels, first.value)
    labels = y[np.arange(len(first)) % len(y)]
    first.save(folder / "few.codes")
    fits = [LinearClassifier(C=C, tol=1e-4).fit(F, labels) for F in (first, Codes.open(folder / "few.codes"))]
    sign = np.where(labels == 1, 1, -1)
    f, g = (model.decision_function(first) for model in fits)
    memory, file = (
        0.5 * (np.sum(m.coef_**2) + m.intercept_[0] ** 2) + C * np.sum(np.maximum(0, 1 - sign * h) ** 2)
        for m, h in zip(fits, (f, g), strict=True)
    )
    print(f"first {len(first)} rows: objective from the file / in memory = {file / memory:.6f}, ", end="")
    print(f"equal predictions {np.mean((f > 0) == (g > 0)):.5f}")


def main(rows=10_000_000, k=256):
    heading(__doc__)
    X, y = real("covtype")
    order = np.random.default_rng(0).permutation(len(y))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.save(folder / "X.npy", np.asarray(X, dtype=np.float32)[order])
        y = (y == 2).astype(np.int8)[order]
        np.save(folder / "y.npy", y)
        del X
        command = [sys.executable, __file__, "child", folder, str(rows), str(k)]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])
        size = (folder / "rows.codes").stat().st_size / 2**20
        same(folder, y, rows)
    print(f"{rows} rows, k = {k}: file {size:.0f} MiB, mapped and spilled in {found['spill']:.0f} s, ", end="")
    print(f"trained in {found['fit']:.0f} s ({found['passes']} passes, relative gap {found['gap']:.2g})")
    print(f"peak resident memory {found['peak']:.0f} MiB, {found['before']:.0f} MiB of it reached before training")


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        child(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        main(*map(int, sys.argv[1:]))
