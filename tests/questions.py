"""Small questions for the check whose answers are known, and the splits probes take."""

import numpy as np
import scipy.sparse

from unkernel.check.base import Pool, Task
from unkernel.check.score import Score


def curved(n=400, d=2, seed=0):
    """Classes by the sign of a product: no plane separates them."""
    X = np.random.default_rng(seed).normal(size=(n, d))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def flat(n=400, d=5, seed=0):
    """Classes by the sign of a sum, some of them wrong."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X.sum(axis=1) + 0.3 * rng.normal(size=n) > 0).astype(int)


def bent(n=400, seed=0):
    """An amount that is a square."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] ** 2 + 0.1 * rng.normal(size=n)


def three(n=450, seed=0):
    """Three rings."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.digitize((X**2).sum(axis=1), [0.8, 2.2])


def task_of(X, y, *, sparse=False, seed=0, scoring=None):
    """The first three quarters train, a third of them held back; the rest judges: (task, targets of the rest)."""
    X = np.asarray(X, dtype=np.float32)
    cut = 3 * len(y) // 4
    regression = y.dtype.kind == "f"
    form = scipy.sparse.csr_array if sparse else np.asarray
    score = Score(scoring, None if regression else np.unique(y))
    n_classes = 0 if regression else len(np.unique(y))
    fold = np.where(np.arange(len(y)) < cut, 1 + np.arange(len(y)) % 3, 0)
    y = y if regression else y.astype(np.int32)
    return Task(Pool(form(X), y, fold, n_classes=n_classes, score=score, seed=seed, n_jobs=None)), y[cut:]
