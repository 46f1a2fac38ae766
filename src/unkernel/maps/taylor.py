"""The Gaussian kernel's features by its Taylor polynomial: monomials, cheap where rows are sparse."""

import math
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._validate import check_integer, check_real
from ..kernels.polynomial import TaylorRBF
from ..kernels.statistic import Products, weight
from .monomial import MOST_DEGREE, MonomialMap


class TaylorMap(MonomialMap):
    """Monomials up to `degree`, weighted so that inner products equal the Gaussian kernel's Taylor polynomial.

    The distinct monomial with counts m_i is exp(-gamma |x|^2) prod_i (sqrt(2 gamma) x_i)^m_i / sqrt(m_i!), with
    scikit-learn's gamma = 1 / (2 sigma^2). There are C(d + degree, degree) columns and, in a row with s nonzeros,
    C(s + degree, degree) features, each made by one multiplication: the map for sparse rows and wide kernels.

    Parameters
    ----------
    degree : int, default=2
    gamma : float, "scale" or "median", default="scale"
        As for `RBF`.
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
    Cotter, Keshet and Srebro, Explicit Approximations of the Gaussian Kernel, 2011, equations 9 to 11.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import RBF, TaylorMap
    >>> X = np.array([[0.5, 0.0], [0.2, 0.4]])
    >>> phi = TaylorMap(3, gamma=0.5).fit(X)
    >>> Z = phi.transform(X)
    >>> bool(np.abs(Z @ Z.T - RBF(0.5)(X)).max() <= phi.error_bound(X).max())
    True
    """

    def __init__(
        self,
        degree: int = 2,
        *,
        gamma: float | str = "scale",
        n_components: int | None = None,
        output: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
    ):
        self.degree = degree
        self.gamma = gamma
        self.n_components = n_components
        self.output = output
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self) -> TaylorRBF:
        """The kernel its inner products equal."""
        return TaylorRBF(self.degree, gamma=getattr(self, "gamma_", self.gamma))

    def error_bound(self, X, *, radius: float | None = None) -> np.ndarray:
        """Bound of |inner product - Gaussian kernel| of each row with any row no longer than `radius`.

        The remainder of the exponential's Taylor series, exp(-gamma (a - b)^2) (2 gamma a b)^(r + 1) / (r + 1)! for
        rows of lengths a and b, at its largest over b. Cotter, Keshet and Srebro, equation 11, before its last step.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)
        radius : float or None
            None is any row whatever.

        Returns
        -------
        ndarray of shape (n,), float64
        """
        check_is_fitted(self)
        a = np.sqrt(_squares(self._rows(X, reset=False)))
        g, s = self.gamma_, int(self.degree) + 1
        b = (a + np.sqrt(a * a + 2 * s / g)) / 2
        if radius is not None:
            b = np.minimum(b, check_real("radius", radius, least=0))
        with np.errstate(divide="ignore"):
            return np.exp(s * np.log(2 * g * a * b) - g * (a - b) ** 2 - math.lgamma(s + 1))

    def _weigh(self, X):
        given = TaylorRBF(self.degree, gamma=self.gamma)
        given._check()
        check_integer("degree", self.degree, least=0, most=MOST_DEGREE)
        self.gamma_ = given._gamma(X)
        return math.sqrt(2 * self.gamma_), np.ones(int(self.degree) + 1)

    def _scale_rows(self, X):
        return np.exp(-self.gamma_ * _squares(X))


def _squares(X) -> np.ndarray:
    """Squared length of each row, float64: squares of small float32 would be lost in their own type."""
    return weight(Products(), X.astype(np.float64, copy=False))
