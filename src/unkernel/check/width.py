"""The width of a Gaussian kernel, chosen cheaply: a few landmarks, some rows, least squares, for every turn at once."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from .base import Pool, Task
from .nystroem import whitened
from .ridge import VALUES, least_squares

ROWS, LANDMARKS = 2000, 96
FACTORS = (1 / 16, 1 / 4, 1.0, 4.0)


def choose_width(task: Task) -> tuple[str, float]:
    """Scale of the columns and gamma: the best of some multiples of 1 / (median squared distance) under two scales.

    Judged by least squares on 96 landmarks, on the rows held back. Dividing columns by their largest size alone
    keeps what their spread says; standard columns count alike. Features are made once for all turns, choices are not.

    Cost: O(n 96^2) for each scale and width, some milliseconds each.
    """
    return task.pool.once(("width", task.turn), lambda: _choose(task))


def _choose(task: Task) -> tuple[str, float]:
    head, tried = task.pool.once("head", lambda: _head(task.pool)), {}
    some = Task(head, task.turn)
    for scale in ("standard", "unit"):
        features = head.once(scale, lambda scale=scale: _features(task.pool.scaled(scale)[: len(head.y)]))
        for gamma, F in features.items():
            tried[scale, gamma] = least_squares(some, (scale, gamma), F, values=VALUES[::2]).score
    return max(tried, key=tried.get)


def _head(pool: Pool) -> Pool:
    """The first rows, which are as random as any."""
    n = min(ROWS, pool.n_turning)
    kind = {"n_classes": pool.n_classes, "score": pool.score, "seed": pool.seed, "n_jobs": pool.n_jobs}
    return Pool(pool.X[:n], pool.y[:n], pool.fold[:n], **kind)


def _features(X: Any) -> dict[float, np.ndarray]:
    """Nystroem features under each width to try."""
    D = _distances(X, X[:LANDMARKS])
    k = D.shape[1]
    middle = 1 / max(float(np.median(D[:k][np.triu_indices(k, 1)])), 1e-20)
    gammas = [float(np.clip(factor * middle, 1e-20, 1e20)) for factor in FACTORS]
    kernels = {gamma: np.exp(np.float32(-gamma) * D) for gamma in gammas}
    return {gamma: whitened(K, K[:k]) for gamma, K in kernels.items()}


def _distances(X: Any, L: Any) -> np.ndarray:
    """Squared distances, float32; those of a landmark to itself are zero."""
    if not issparse(X):  # far from the origin the difference of squares would be noise
        middle = L.mean(axis=0)
        X, L = X - middle, L - middle
    u, v = (np.asarray(Z.multiply(Z).sum(axis=1) if issparse(Z) else np.einsum("ij,ij->i", Z, Z)) for Z in (X, L))
    product = X @ L.T
    D = u[:, None] + v - 2 * (product.toarray() if issparse(product) else product)
    np.fill_diagonal(D, 0)
    return np.maximum(D, 0).astype(np.float32, copy=False)
