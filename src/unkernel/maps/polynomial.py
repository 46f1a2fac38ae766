"""The polynomial kernel's features, exactly: weighted monomials."""

import math
from typing import Any

import numpy as np
import scipy.sparse

from .._validate import InputError, check_integer
from ..kernels.polynomial import Polynomial
from ..kernels.statistic import tops
from .monomial import MOST_DEGREE, MonomialMap


class PolynomialMap(MonomialMap):
    """Monomials up to `degree`, weighted so that inner products equal (gamma <u, v> + coef0)^degree.

    The distinct monomial with counts m_i and size k has the weight sqrt(C(degree, k) coef0^(degree - k) gamma^k
    k! / prod m_i!), so that there are C(d + degree, degree) columns and, in a row with s nonzeros,
    C(s + degree, degree) features, each made by one multiplication.

    Parameters
    ----------
    degree : int, default=2
    gamma : float or "scale", default=1.0
        "scale" is 1 / (columns * variance of all values).
    coef0 : float, default=1.0
        Not negative. With 0 only monomials of the full degree remain.
    n_components : int or None
        Columns to hash monomials into, with random signs, where all are too many; None keeps all.
    output : "auto", "sparse" or "dense", default="auto"
        "auto" is dense where rows of `fit` have more than half of all monomials.
    random_state : int, RandomState, Generator or None
        Of the hashing only.
    n_jobs : int or None
        Threads, as in joblib.

    Attributes
    ----------
    gamma_ : float
        The number in use.
    mean_cost_ : float
        Features a row of `fit` has on average.
    output_ : "sparse" or "dense"

    References
    ----------
    Huang and Lin, Linear and Kernel Classification: When to Use Which?, 2016, equation 3.7.
    Chang, Hsieh, Chang, Ringgaard and Lin, Training and Testing Low-degree Polynomial Data Mappings, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import PolynomialMap
    >>> PolynomialMap(2).fit_transform(np.array([[1.0, 2.0]])).round(3)
    array([[1.   , 1.414, 2.828, 1.   , 2.828, 4.   ]])
    """

    def __init__(
        self,
        degree: int = 2,
        *,
        gamma: float | str = 1.0,
        coef0: float = 1.0,
        n_components: int | None = None,
        output: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
    ):
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.n_components = n_components
        self.output = output
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self) -> Polynomial:
        """The kernel its inner products equal."""
        return Polynomial(self.degree, gamma=getattr(self, "gamma_", self.gamma), coef0=self.coef0)

    def _weigh(self, X):
        given = Polynomial(self.degree, gamma=self.gamma, coef0=self.coef0)
        given._check()
        check_integer("degree", self.degree, least=1, most=MOST_DEGREE)
        self.gamma_ = given._gamma(X)
        r = int(self.degree)
        squares = [math.comb(r, k) * float(self.coef0) ** (r - k) * math.factorial(k) for k in range(r + 1)]
        return math.sqrt(self.gamma_), np.sqrt(squares)

    def _scale_rows(self, X):
        return np.ones(X.shape[0])

    def _check_sizes(self, X):
        sizes = np.abs(X.data if scipy.sparse.issparse(X) else X)
        extremes = np.array([sizes.max(initial=0.0), sizes.min(initial=np.inf, where=sizes > 0)])
        if not any(part.any() for part in self._lost(extremes[np.isfinite(extremes)], X.dtype)):
            return
        largest = tops(X)
        over, lost = self._lost(largest, X.dtype)
        if over.any() or lost.any():
            i = int(np.flatnonzero(over | lost)[0])
            raise InputError(
                f"the largest value of row {i} is {largest[i]:g} and its monomials up to degree {self.degree} "
                f"{'overflow' if over[i] else 'are all lost to underflow'} in {X.dtype}; scale the columns, for "
                "example with sklearn.preprocessing.MaxAbsScaler, or change gamma"
            )

    def _lost(self, sizes: np.ndarray, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
        """Whether rows with these largest values have monomials that overflow, or none that is a number above 0."""
        k = np.flatnonzero(self.weights_)
        sizes = self.factor_ * sizes.astype(np.float64)
        lns = np.log(sizes, out=np.zeros_like(sizes), where=sizes > 0)[:, None]
        largest = (np.log(self.weights_[k]) + k * lns).max(axis=1)
        limits = np.finfo(dtype)
        over, lost = largest > np.log(float(limits.max)), largest < np.log(float(limits.tiny))
        return (sizes > 0) & over, (sizes > 0) & lost
