"""Real rows for tests: from the folder UNKERNEL_DATA names, or a skip that says so."""

import os
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse


def real(name: str, part: str = "train", rows: int | None = None, seed: int = 0):
    """(X, y) of a data set, `rows` of them drawn at random with a fixed seed; skips where there is no data."""
    folder = os.environ.get("UNKERNEL_DATA")
    if not folder or not (Path(folder) / f"{name}.npz").exists():
        pytest.skip(f"{name}.npz is not here: set UNKERNEL_DATA to the folder of real data sets")
    with np.load(Path(folder) / f"{name}.npz") as file:
        if f"X_{part}_indptr" in file:
            parts = tuple(file[f"X_{part}_{what}"] for what in ("data", "indices", "indptr"))
            X = scipy.sparse.csr_array(parts, shape=tuple(file[f"X_{part}_shape"]))
        else:
            X = file[f"X_{part}"]
        y = file[f"y_{part}"]
    chosen = np.arange(len(y)) if rows is None else np.random.default_rng(seed).permutation(len(y))[:rows]
    X = X[chosen]
    return X.astype(np.float32) if X.dtype == np.float16 else X, y[chosen]
