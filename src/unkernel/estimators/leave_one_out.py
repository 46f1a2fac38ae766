"""Least squares on a Gram matrix, with every leave-one-out prediction of every ridge from one decomposition.

    min over f   sum_i w_i (y_i - f(x_i))^2 + ridge |f|^2        ridge = 1 / (2 C)

With S = diag(sqrt(w)) and H = S K S + ridge I, the dual weights are S H^-1 S y, and the prediction of row i by the
other rows is y_i - (H^-1 S y)_i / (sqrt(w_i) (H^-1)_ii).
"""

import numpy as np
import scipy.linalg

PATH_RIDGES = 6  # from so many on, one eigendecomposition is cheaper than a factor for each


def leave_one_out(K: np.ndarray, Y: np.ndarray, weight: np.ndarray, ridges) -> np.ndarray:
    """Predictions of every row by the others, (ridges, n, q), for targets Y (n, q).

    Cost: one eigendecomposition, about 10 n^3, then n^2 q for every ridge; or 2/3 n^3 for every ridge.
    """
    if len(ridges) < PATH_RIDGES:
        return np.stack([solve(K.copy(), Y, weight, ridge, left_out=True)[1] for ridge in ridges])
    root = np.sqrt(weight).astype(K.dtype)[:, None]
    values, Q = scipy.linalg.eigh(K * root * root.T, check_finite=False, driver="evd")
    values = np.maximum(values, 0)
    projected = Q.T @ (root * Y).astype(K.dtype)
    shrunk = 1 / (values[:, None] + np.asarray(ridges, dtype=K.dtype))  # (n, ridges)
    spread = root * ((Q * Q) @ shrunk)
    return np.stack([Y - (Q @ (s[:, None] * projected)) / d[:, None] for s, d in zip(shrunk.T, spread.T, strict=True)])


def solve(K: np.ndarray, Y: np.ndarray, weight: np.ndarray, ridge: float, *, left_out: bool = False):
    """Dual weights (n, q), and leave-one-out predictions or None, in the precision of K, which is overwritten.

    Cost: n^3 / 3, twice that with `left_out`.
    """
    root = np.sqrt(weight).astype(K.dtype)[:, None]
    ridge = max(ridge, 8 * np.sqrt(len(K)) * np.finfo(K.dtype).eps * float(np.mean(np.diag(K))))  # what rounding adds
    K *= root
    K *= root.T
    K[np.diag_indices_from(K)] += ridge
    # The transpose of a symmetric C-ordered matrix is itself in the order LAPACK wants: nothing is copied.
    factor = scipy.linalg.cholesky(K.T, lower=True, overwrite_a=True, check_finite=False)
    inner = scipy.linalg.cho_solve((factor, True), root * Y.astype(K.dtype), check_finite=False)
    predictions = None
    if left_out:
        # diag(H^-1) are the squared lengths of the columns of the factor's inverse: half the work of the whole inverse.
        inverse, _ = scipy.linalg.get_lapack_funcs(("trtri",), (factor,))[0](factor, lower=1, overwrite_c=1)
        predictions = Y - inner / (root * np.einsum("ij,ij->j", inverse, inverse)[:, None])
    return root * inner, predictions
