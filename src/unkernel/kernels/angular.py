"""Kernels of the angle between two rows: functions of their cosine rho, whatever their lengths."""

import numpy as np
import scipy.sparse

from . import angular_hot
from .base import Kernel
from .scale import ScaledKernel
from .statistic import tops

SHORTEST, LONGEST = 1e-140, 1e150  # lengths between these are exact: their squares neither vanish nor overflow


class Cosine(Kernel):
    """Cosine of the angle, rho = <u, v> / (|u| |v|): the linear kernel of unit rows.

    A row of zeros has no direction: rho is 0 with every row, itself included.

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, equation 1.

    Examples
    --------
    >>> from unkernel import Cosine
    >>> Cosine()([[1.0, 0.0]], [[3.0, 4.0], [0.0, 2.0]])
    array([[0.6, 0. ]])
    """

    _family = "angle"
    _map = "sklearn.preprocessing.normalize, whose rows are the features themselves"

    def _rows(self, X):
        return unit_rows(X)

    def _formula(self, S, u, v):
        return np.clip(S, -1, 1, out=S)


class Acos(Kernel):
    """1 - arccos(rho) / pi: the chance that a random hyperplane leaves both rows on one side.

    Computed as 1 - 2 arcsin(|x - y| / 2) / pi of unit rows: equal rows give exactly 1, and angles below about 1e-8, the
    root of the rounding of a product, are not told from 0. A row of zeros gives 0 with every row, itself included: its
    map has no feature set.

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, equation 2.

    Examples
    --------
    >>> from unkernel import Acos
    >>> Acos()([[1.0, 0.0]], [[2.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    array([[1. , 0.5, 0. ]])
    """

    _family = "angle"
    _map = "SignGaussianMap"

    def _rows(self, X):
        return unit_rows(X)

    def _formula(self, S, u, v):
        S = half_square(S, u, v, 0.5)
        np.sqrt(np.minimum(S, 1, out=S), out=S)
        np.arcsin(S, out=S)
        S *= -2 / np.pi
        S += 1
        S *= (u > 0) & (v > 0)
        return S


class CosineRBF(ScaledKernel):
    """exp(-gamma (1 - rho)): the Gaussian kernel of unit rows, `RBF(gamma / 2)` of normalised rows.

    1 - rho is computed as |u/|u| - v/|v||^2 / 2, so a row of zeros stands at the origin: it gives exp(-gamma / 2)
    with other rows and 1 with itself.

    Parameters
    ----------
    gamma : float or "median", default=1.0
        "median" is 1 / median of 1 - rho over pairs of training rows.

    Attributes
    ----------
    gamma_ : float
        The number in use, once fitted.

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, equation 10.

    Examples
    --------
    >>> from unkernel import CosineRBF
    >>> CosineRBF(2.0)([[1.0, 0.0]], [[3.0, 4.0]]).round(4)
    array([[0.4493]])
    """

    _family = "angle"
    _map = "FourierMap"

    def __init__(self, gamma: float | str = 1.0):
        self.gamma = gamma

    def _rows(self, X):
        return unit_rows(X)

    def _distance(self, S, u, v):
        return half_square(S, u, v)

    def _formula(self, S, u, v):
        S = half_square(S, u, v, -self.gamma)
        return np.exp(S, out=S)


class FoldedRBF(ScaledKernel):
    """(exp(-gamma (1 - rho)) + exp(-gamma (1 + rho))) / 2: the Gaussian kernel folded at the origin.

    1 - rho and 1 + rho are half the squares of difference and sum of the unit rows, so a row of zeros stands at the
    origin: it gives exp(-gamma / 2) with other rows and 1 with itself.

    Parameters
    ----------
    gamma : float or "median", default=1.0
        "median" is 1 / median of 1 - rho over pairs of training rows.

    Attributes
    ----------
    gamma_ : float
        The number in use, once fitted.

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, equation 12.

    Examples
    --------
    >>> from unkernel import FoldedRBF
    >>> FoldedRBF(1.0)([[1.0, 0.0]], [[0.0, 1.0]]).round(4)
    array([[0.3679]])
    """

    _family = "angle"
    _map = "FoldedFourierMap"

    def __init__(self, gamma: float | str = 1.0):
        self.gamma = gamma

    def _rows(self, X):
        return unit_rows(X)

    def _distance(self, S, u, v):
        return half_square(S, u, v)

    def _formula(self, S, u, v):
        far = half_square(-S, u, v, -self.gamma)
        np.exp(far, out=far)
        S = half_square(S, u, v, -self.gamma)
        np.exp(S, out=S)
        S += far
        S *= 0.5
        return S


def unit_rows(X):
    """Rows of length one, float64; a row of zeros stays. Angles near zero need the wide type."""
    X = X.astype(np.float64, copy=False)
    with np.errstate(over="ignore"):
        lengths = _lengths(X)
    extreme = ~((lengths > SHORTEST) & (lengths < LONGEST))
    if extreme.any():  # squares that overflow or vanish, or nothing at all: first to values of at most one
        largest = tops(X)
        X = _divided(X, np.where(extreme & (largest > 0), largest, 1))
        lengths = np.where(extreme, _lengths(X), lengths)
    return _divided(X, np.where(lengths > 0, lengths, 1))


def _lengths(X) -> np.ndarray:
    if scipy.sparse.issparse(X):
        return np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    return np.sqrt(np.einsum("ij,ij->i", X, X))


def _divided(X, by: np.ndarray):
    """Rows divided by one number each."""
    if scipy.sparse.issparse(X):
        return scipy.sparse.csr_array((X.data / np.repeat(by, np.diff(X.indptr)), X.indices, X.indptr), shape=X.shape)
    return X / by[:, None]


def half_square(S, u, v, factor: float = 1.0):
    """factor * |x - y|^2 / 2 of products and squares, the distance never below zero; overwrites S."""
    if S.ndim == 2:
        angular_hot.half_squares(S, np.ravel(u / 2), v / 2, S.dtype.type(factor))
        return S
    np.subtract(u / 2, S, out=S)
    S += v / 2
    np.maximum(S, 0, out=S)
    S *= factor
    return S
