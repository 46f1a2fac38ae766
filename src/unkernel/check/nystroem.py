"""Nystroem features of a kernel: rows seen from the first rows of the pool; fewer landmarks are fewer columns."""

from typing import Any

import numpy as np
import scipy.linalg

from .base import Pool

LIFTS = 1e-5, 1e-3, 1e-1  # what can be told from zero in a matrix of float32, and more where rounding spoils it


def features(pool: Pool, key: Any, kernel: Any, scale: str, k: int) -> np.ndarray:
    """K(X, L) R^-1 for all rows of the pool, L the first k of them and R'R = K(L, L): at least k columns, float32.

    R is upper triangular, so the first m columns are the features of the first m landmarks: the pool keeps the longest
    it was asked for. Landmarks are rows without their targets. Where all rows are landmarks, least squares on these
    features is the exact kernel on the rows that train, whoever else is a landmark.

    Cost: O(n k) kernel values and O(n k^2) multiplications.
    """
    F = pool.shared.get(key)
    if F is None or F.shape[1] < k:
        X = pool.scaled(scale)
        F = pool.shared[key] = whitened(kernel(X, X[:k], n_jobs=pool.n_jobs), kernel(X[:k]))
    return F


def whitened(K: np.ndarray, of_landmarks: np.ndarray) -> np.ndarray:
    """K R^-1 where R'R is the kernel of the landmarks, its diagonal lifted a little."""
    root = _root(of_landmarks)
    solved = scipy.linalg.solve_triangular(
        root, K.astype(np.float32, copy=False).T, trans="T", overwrite_b=True, check_finite=False
    )
    return np.ascontiguousarray(solved.T)


def _root(K: np.ndarray) -> np.ndarray:
    """Upper triangle R with R'R = K, its diagonal lifted as little as will do."""
    for lift in LIFTS:
        A = K.astype(np.float64)
        A.flat[:: len(A) + 1] += lift
        try:
            return scipy.linalg.cholesky(A, overwrite_a=True, check_finite=False).astype(np.float32)
        except scipy.linalg.LinAlgError:
            continue
    return np.diag(np.sqrt(np.diag(A))).astype(np.float32)
