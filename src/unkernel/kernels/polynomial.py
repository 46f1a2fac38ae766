"""Kernels of the inner product: linear, polynomial, and the Gaussian kernel's Taylor polynomial."""

import numpy as np

from .._validate import InputError, check_integer, check_real
from .angular import half_square
from .base import Kernel
from .scale import ScaledKernel

EXPONENT = 700.0  # whose exponential float64 holds


class Linear(Kernel):
    """<u, v>.

    Examples
    --------
    >>> from unkernel import Linear
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    _map = "the rows themselves and a linear learner"

    def _formula(self, S, u, v):
        return S


class Polynomial(ScaledKernel):
    """(gamma <u, v> + coef0)^degree.

    Parameters
    ----------
    degree : int, default=2
    gamma : float or "scale", default=1.0
        "scale" is 1 / (columns * variance of all values).
    coef0 : float, default=1.0
        Not negative, which keeps the kernel positive semi-definite.

    Attributes
    ----------
    gamma_ : float
        The number in use, once fitted.

    Examples
    --------
    >>> from unkernel import Polynomial
    >>> Polynomial(2)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[144.]])
    """

    _map = "PolynomialMap"
    _rules = ("scale",)

    def __init__(self, degree: int = 2, *, gamma: float | str = 1.0, coef0: float = 1.0):
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0

    def _check(self):
        super()._check()
        check_integer("degree", self.degree, least=1)
        check_real("coef0", self.coef0, least=0)

    def _rows(self, X):
        return X.astype(np.float64, copy=False)  # gamma of small rows is out of the range of float32

    def _refuse_overflow(self, u, v, dtype):
        with np.errstate(over="ignore"):
            largest = self.gamma * np.sqrt(u.max()) * np.sqrt(v.max()) + self.coef0
            fits = largest**self.degree <= np.finfo(dtype).max
        if not fits:
            raise InputError(
                f"gamma <u, v> + coef0 is as large as {largest:g} and its power of {self.degree} overflows {dtype}; "
                'use gamma="scale", a lower degree, or scale the columns, for example with '
                "sklearn.preprocessing.MaxAbsScaler"
            )

    def _formula(self, S, u, v):
        S *= self.gamma
        S += self.coef0
        return np.power(S, self.degree, out=S)


class TaylorRBF(ScaledKernel):
    """The Gaussian kernel with its exponential of the inner product cut after `degree`.

    exp(-gamma (|u|^2 + |v|^2)) * sum over k <= degree of (2 gamma <u, v>)^k / k!, with scikit-learn's
    gamma = 1 / (2 sigma^2).

    Parameters
    ----------
    degree : int, default=2
    gamma : float, "scale" or "median", default="scale"
        As for `RBF`.

    Attributes
    ----------
    gamma_ : float
        The number in use, once fitted.

    References
    ----------
    Cotter, Keshet and Srebro, Explicit Approximations of the Gaussian Kernel, 2011, equation 10.

    Examples
    --------
    >>> from unkernel import TaylorRBF
    >>> TaylorRBF(3, gamma=0.5)([[1.0, 0.0]], [[1.0, 0.0]]).round(4)
    array([[0.981]])
    """

    _map = "TaylorMap"
    _rules = ("scale", "median")

    def __init__(self, degree: int = 2, *, gamma: float | str = "scale"):
        self.degree = degree
        self.gamma = gamma

    def _check(self):
        super()._check()
        check_integer("degree", self.degree, least=0)

    def _rows(self, X):
        return X.astype(np.float64, copy=False)

    def _distance(self, S, u, v):
        return 2 * half_square(S, u, v)

    def _formula(self, S, u, v):
        S *= 2 * self.gamma
        np.clip(S, -EXPONENT, EXPONENT, out=S)  # beyond, the exponentials below are zero
        total = np.ones_like(S)
        for k in range(self.degree, 0, -1):  # Horner: 1 + z (1 + z/2 (1 + z/3 ...))
            total *= S
            total /= k
            total += 1
        total *= np.exp(-self.gamma * u)
        total *= np.exp(-self.gamma * v)
        return total
