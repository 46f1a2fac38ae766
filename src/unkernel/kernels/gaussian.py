"""The Gaussian kernel."""

import numpy as np
import scipy.sparse

from .angular import half_square
from .scale import ScaledKernel

# Exponents this large keep six digits in float32, counted from the middle of the rows; rows beyond go the long way.
NARROW_EXPONENT = 64.0
FAR = 100.0  # squared distance of the middle from zero, in mean squared distances from the middle


class RBF(ScaledKernel):
    """exp(-gamma |u - v|^2), with scikit-learn's gamma.

    Parameters
    ----------
    gamma : float, "scale" or "median", default="scale"
        "scale" is 1 / (columns * variance of all values); "median" is 1 / median squared distance between training
        rows. Both are taken from the rows given to `fit`, else from the second argument of a call.

    Attributes
    ----------
    gamma_ : float
        The number in use, once fitted.

    Examples
    --------
    >>> from unkernel import RBF
    >>> RBF(0.5)([[0.0, 1.0]], [[1.0, 1.0], [0.0, 3.0]]).round(4)
    array([[0.6065, 0.1353]])
    >>> RBF("scale").fit([[0.0], [2.0]]).gamma_
    1.0
    """

    _map = "FourierMap"
    _rules = ("scale", "median")

    def __init__(self, gamma: float | str = "scale"):
        self.gamma = gamma

    def _rows(self, X):
        # The difference of large squares needs the wide type.
        return X.astype(np.float64, copy=False)

    def _sides(self, X, Y):
        A, B, u, v = super()._sides(X, Y)
        side = A if B is None else B
        middle = None if scipy.sparse.issparse(A) or scipy.sparse.issparse(side) else far_middle(side, v)
        if middle is None:
            return A, B, u, v
        return super()._sides(A - middle, None if B is None else B - middle)

    def _distance(self, S, u, v):
        return 2 * half_square(S, u, v)

    def _formula(self, S, u, v):
        S = half_square(S, u, v, -2 * self.gamma)
        return np.exp(S, out=S)

    def _onto(self, Y):
        wide = super()._onto(Y)
        if Y.dtype != np.float32 or scipy.sparse.issparse(Y):
            return wide
        middle = Y.mean(axis=0, dtype=np.float64).astype(np.float32)
        B = Y - middle
        v = self.gamma * np.einsum("ij,ij->i", B, B)
        B *= 2 * self.gamma

        def narrow(X):
            if X.dtype != np.float32 or scipy.sparse.issparse(X):
                return wide(X)
            A = X - middle
            u = self.gamma * np.einsum("ij,ij->i", A, A)
            S = A @ B.T
            S -= u[:, None]
            S -= v
            np.minimum(S, 0, out=S)
            K = np.exp(S, out=S)
            far = np.flatnonzero(~(u + v.max() < NARROW_EXPONENT))
            if len(far):
                K[far] = wide(X[far])
            return K

        return narrow


def far_middle(R: np.ndarray, squares: np.ndarray) -> np.ndarray | None:
    """Mean of rows that lie so far from zero, against their spread, that squared distances would lose digits."""
    middle = R.mean(axis=0)
    offset = float(middle @ middle)
    return middle if offset > FAR * (float(squares.mean()) - offset) else None
