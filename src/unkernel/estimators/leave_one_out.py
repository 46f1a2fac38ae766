"""Least squares on a Gram matrix, with every leave-one-out prediction of every ridge from one decomposition.

    min over f   sum_i w_i (y_i - f(x_i))^2 + ridge |f|^2        ridge = 1 / (2 C)

With S = diag(sqrt(w)) and H = S K S + ridge I, the dual weights are S H^-1 S y, and the prediction of row i by the
other rows is y_i - (H^-1 S y)_i / (sqrt(w_i) (H^-1)_ii).
"""

import numpy as np
import scipy.linalg

WIDE_ROWS = 6000  # beyond, a decomposition in float32 halves memory and time
PATH_RIDGES = 6  # from so many on, one eigendecomposition is cheaper than a factor for each


def leave_one_out(K: np.ndarray, Y: np.ndarray, weight: np.ndarray, ridges) -> np.ndarray:
    """Predictions of every row by the others, (ridges, n, q), for targets Y (n, q).

    Cost: one eigendecomposition, about 10 n^3, then n^2 q for every ridge; or n^3 for every ridge.
    """
    if len(ridges) < PATH_RIDGES:
        return np.stack([solve(K.copy(), Y, weight, ridge, left_out=True)[1] for ridge in ridges])
    root = np.sqrt(weight)[:, None]
    values, Q = scipy.linalg.eigh(K * root * root.T, check_finite=False)
    values = np.maximum(values, 0)
    projected = Q.T @ (root * Y)
    out = np.empty((len(ridges), *Y.shape))
    for scores, ridge in zip(out, ridges, strict=True):
        shrunk = 1 / (values + ridge)
        spread = (Q * Q) @ shrunk
        scores[:] = Y - (Q @ (shrunk[:, None] * projected)) / (root * spread[:, None])
    return out


def solve(K: np.ndarray, Y: np.ndarray, weight: np.ndarray, ridge: float, *, left_out: bool = False):
    """Dual weights (n, q), and leave-one-out predictions or None; K is overwritten.

    Cost: n^3 / 3, three times that with `left_out`.
    """
    dtype = np.float64 if len(K) <= WIDE_ROWS else np.float32
    root = np.sqrt(weight).astype(dtype)[:, None]
    H = np.asarray(K, dtype=dtype)
    H *= root
    H *= root.T
    H[np.diag_indices_from(H)] += ridge
    # The transpose of a symmetric C-ordered matrix is itself in the order LAPACK wants: nothing is copied.
    factor = scipy.linalg.cholesky(H.T, lower=True, overwrite_a=True, check_finite=False)
    inner = scipy.linalg.cho_solve((factor, True), root * Y.astype(dtype), check_finite=False)
    predictions = None
    if left_out:
        inverse, _ = scipy.linalg.get_lapack_funcs(("potri",), (factor,))[0](factor, lower=1, overwrite_c=1)
        predictions = Y - inner / (root * np.diag(inverse)[:, None])
    return root * inner, predictions
