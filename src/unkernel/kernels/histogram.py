"""Kernels of histograms: chi-square and intersection, on rows that are not negative."""

import numpy as np
import scipy.sparse

from .._validate import InputError, check_real
from .base import Kernel
from .scale import ScaledKernel
from .statistic import ChiSquares, Distances, LogCosh

REMEDY = "use GMM or RBF, which take signed rows, or count amounts from zero"


class AcosChi2(Kernel):
    """1 - arccos(rho) / pi with the chi-square similarity rho = sum 2 u v / (u + v) of rows scaled to sum 1.

    Computed from the chi-square distance D = sum (u - v)^2 / (u + v) = 2 - 2 rho as 1 - 2 arcsin(sqrt(D) / 2) / pi,
    which keeps its digits where rows are close. A row of zeros gives 0 with every row, itself included.

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, equations 4 and 5.

    Examples
    --------
    >>> from unkernel import AcosChi2
    >>> AcosChi2()([[1.0, 3.0]], [[2.0, 6.0], [3.0, 1.0]]).round(4)
    array([[1.    , 0.7699]])
    """

    _statistic = ChiSquares()
    _nonnegative = REMEDY
    _map = "SignCauchyMap"

    def _rows(self, X):
        return rows_of_sum_one(X)

    def _formula(self, S, u, v):
        S /= 4
        np.sqrt(np.clip(S, 0, 1, out=S), out=S)
        np.arcsin(S, out=S)
        S *= -2 / np.pi
        S += 1
        S *= (u > 0) & (v > 0)
        return S


class ExpChi2(ScaledKernel):
    """exp(-gamma sum (u - v)^2 / (u + v)): scikit-learn's `chi2_kernel`.

    Parameters
    ----------
    gamma : float or "median", default=1.0
        "median" is 1 / median chi-square distance between training rows.

    Attributes
    ----------
    gamma_ : float
        The number in use, once fitted.

    Examples
    --------
    >>> from unkernel import ExpChi2
    >>> ExpChi2(0.5)([[1.0, 3.0]], [[3.0, 1.0], [1.0, 3.0]]).round(4)
    array([[0.3679, 1.    ]])
    """

    _statistic = ChiSquares()
    _nonnegative = REMEDY
    _map = "LandmarkMap"

    def __init__(self, gamma: float | str = 1.0):
        self.gamma = gamma

    def _distance(self, S, u, v):
        return S

    def _formula(self, S, u, v):
        S *= -self.gamma
        return np.exp(S, out=S)


class _Skewed(Kernel):
    """A kernel of u + c and v + c, column by column: a product, so an exponential of a sum over columns."""

    _shaping = ("c", "sigma")

    def __init__(self, c: float = 1.0, *, sigma: float = 1.0):
        self.c = c
        self.sigma = sigma

    def _check(self):
        check_real("c", self.c, above=0)
        check_real("sigma", self.sigma, above=0)

    def _door(self, X, name, width):
        X = super()._door(X, name, width)
        check_above_skew(X, self.c, name)
        return X

    def _rows(self, X):
        return skewed_logs(X, self.c, self.sigma)

    def _formula(self, S, u, v):
        np.negative(S, out=S)
        return np.exp(S, out=S)


class SkewedChi2(_Skewed):
    """Product over columns of 2 a b / (a^2 + b^2) with a = (u + c)^sigma and b = (v + c)^sigma.

    The same as the product of 1 / cosh(sigma log((u + c) / (v + c))).

    Parameters
    ----------
    c : float, default=1.0
        Skew, above 0; values above -c are allowed.
    sigma : float, default=1.0
        Sharpness, above 0.

    References
    ----------
    Băzăvan, Li and Sminchisescu, Fourier Kernel Learning, 2012, table 1.

    Examples
    --------
    >>> from unkernel import SkewedChi2
    >>> SkewedChi2(1.0)([[0.0, 1.0]], [[1.0, 1.0]])
    array([[0.8]])
    """

    _statistic = LogCosh()
    _map = "SkewedChi2Map"


class SkewedIntersection(_Skewed):
    """Product over columns of min(a / b, b / a) with a = (u + c)^sigma and b = (v + c)^sigma.

    Parameters
    ----------
    c : float, default=1.0
        Skew, above 0; values above -c are allowed.
    sigma : float, default=1.0
        Sharpness, above 0.

    References
    ----------
    Băzăvan, Li and Sminchisescu, Fourier Kernel Learning, 2012, table 1.

    Examples
    --------
    >>> from unkernel import SkewedIntersection
    >>> SkewedIntersection(1.0)([[0.0, 1.0]], [[1.0, 1.0]])
    array([[0.5]])
    """

    _statistic = Distances()
    _map = "SkewedIntersectionMap"


def rows_of_sum_one(X):
    """Rows divided by their sums; a row of zeros stays."""
    sums = np.asarray(X.sum(axis=1, dtype=np.float64)).ravel()
    sums = np.where(sums > 0, sums, 1)
    if not scipy.sparse.issparse(X):
        return (X / sums[:, None]).astype(X.dtype, copy=False)
    shares = (X.data / np.repeat(sums, np.diff(X.indptr))).astype(X.dtype, copy=False)
    return scipy.sparse.csr_array((shares, X.indices, X.indptr), shape=X.shape)


def check_above_skew(X, c: float, name: str = "X") -> None:
    """Refuse values at or below -c, whose logarithm does not exist."""
    least = float((X.data if scipy.sparse.issparse(X) else X).min(initial=0.0))
    if least <= -c:
        raise InputError(
            f"{name} contains {least:g} and c is {c:g}: Negative values in data must be above -c; "
            f"choose a larger c or shift {name}"
        )


def skewed_logs(X, c: float, sigma: float):
    """sigma log(1 + x / c), float64: zero at zero, so sparse rows stay sparse."""
    check_above_skew(X, c)
    values = X.data if scipy.sparse.issparse(X) else X
    logs = sigma * np.log1p(values.astype(np.float64) / c)
    return scipy.sparse.csr_array((logs, X.indices, X.indptr), shape=X.shape) if scipy.sparse.issparse(X) else logs
