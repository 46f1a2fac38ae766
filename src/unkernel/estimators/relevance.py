"""How much each column matters: weights of columns that lower the leave-one-out error of a Gaussian kernel.

    K = exp(-gamma sum_j a_j^2 (u_j - v_j)^2),   H = K + ridge I,   r_i = (H^-1 y)_i / (H^-1)_ii

The error sum_i r_i^2 has the gradient sum(G * dK) with G = H^-1 diag(2 r^2 / diag H^-1) H^-1 - (H^-1 y) (H^-1 u)',
u = 2 r / diag H^-1, so that all columns together cost three products of matrices.
"""

import numpy as np
import scipy.linalg
import scipy.optimize

STEPS = 20


def relevance(X: np.ndarray, Y: np.ndarray, gamma: float, ridge: float, *, steps: int = STEPS) -> np.ndarray:
    """Weights a (d,), 1 where a column matters as it is, from rows X (n, d) and targets Y (n, q).

    Cost: `steps` inverses of an (n, n) matrix and as many products with X, in the precision of X.
    """
    squares, Y = X * X, Y.astype(X.dtype)
    size = np.sum(Y * Y)

    def error(theta):
        a2 = np.exp(2 * theta).astype(X.dtype)
        s = squares @ a2
        K = np.exp(-gamma * np.maximum(s[:, None] + s - 2 * (X * a2) @ X.T, 0))
        value, G = left_out_gradient(K + 1.0, Y, ridge)
        M = G * K
        M += M.T
        # sum over pairs of M_ab (x_aj - x_bj)^2, for every column j
        spread = 2 * (squares.T @ M.sum(axis=1) - np.einsum("ij,ij->j", X, M @ X))
        gradient = -gamma * a2 * spread
        return value / size, gradient.astype(np.float64) / size

    bounds = [(-5.0, 2.5)] * X.shape[1]
    found = scipy.optimize.minimize(
        error, np.zeros(X.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": steps}
    )
    return np.exp(found.x)


def left_out_gradient(K: np.ndarray, Y: np.ndarray, ridge: float) -> tuple[float, np.ndarray]:
    """Squared leave-one-out error, and its derivative by each entry of K; K is overwritten."""
    K[np.diag_indices_from(K)] += ridge
    factor = scipy.linalg.cholesky(K.T, lower=True, overwrite_a=True, check_finite=False)
    inverse, _ = scipy.linalg.get_lapack_funcs(("potri",), (factor,))[0](factor, lower=1, overwrite_c=1)
    inverse += np.tril(inverse, -1).T
    diagonal = np.diag(inverse)[:, None]
    dual = inverse @ Y
    r = dual / diagonal
    weight = (2 * r * r / diagonal).sum(axis=1)
    G = (inverse * weight) @ inverse
    G -= dual @ (inverse @ (2 * r / diagonal)).T
    return float(np.sum(r * r)), G
