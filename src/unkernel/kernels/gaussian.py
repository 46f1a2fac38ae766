"""The Gaussian kernel."""

import numpy as np

from .angular import half_square
from .scale import ScaledKernel


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

    def _distance(self, S, u, v):
        return 2 * half_square(S, u, v)

    def _formula(self, S, u, v):
        S = half_square(S, u, v)
        S *= -2 * self.gamma
        return np.exp(S, out=S)
