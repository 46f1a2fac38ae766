"""Fourier features of kernels of log(x + c): skewed chi-square and skewed intersection."""

import numpy as np

from .._validate import check_integer, check_real
from ..features import Dense
from ..kernels.histogram import SkewedChi2, SkewedIntersection, check_above_skew, skewed_logs
from . import random
from .fourier import even, offsets, paired, shifted
from .frequency import drawn
from .projection import ProjectionMap


class SkewedMap(ProjectionMap):
    """What both maps share: frequencies sigma * h(omega), with omega uniform and h the quantile of a fixed law.

    So another sigma scales the same draws, as the learning of kernel parameters needs.
    """

    _tables = ("_table", "_offsets")

    def _directions(self):
        return max(1, self.n_components // 2)

    def _learn(self, X):
        n = even(check_integer("n_components", self.n_components, least=1))
        check_real("sigma", self.sigma, above=0)
        check_real("c", self.c, above=0)
        check_above_skew(X, self.c)
        self.variant_ = "quantile"
        self._settle(X, n)

    def _unit(self):
        return self.sigma / (2 * np.pi)

    def _tabulate(self):
        super()._tabulate()
        self._offsets = offsets(self.seed_, self._table) if self.n_components == 1 else None

    def _block(self, X):
        T = self._projected(skewed_logs(X, self.c, 1.0).astype(X.dtype))
        return Dense(shifted(T, 1, self._offsets, 2**0.5) if self.n_components == 1 else paired(T, self._directions()))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True  # down to -c in truth, for which there is no tag
        return tags


class SkewedChi2Map(SkewedMap):
    """Features of `SkewedChi2(c, sigma=sigma)`: pairs of cosine and sine of <w_j, log(1 + x / c)>.

    Entries of w_j are sigma * (2 / pi) log tan(pi omega / 2) with omega uniform on (0, 1). A column at zero costs
    nothing, so sparse rows stay sparse.

    Parameters
    ----------
    n_components : int, default=256
        Columns of the features: even, two for each direction.
    c : float, default=1.0
        Skew, above 0; values above -c are allowed.
    sigma : float, default=1.0
        Sharpness, above 0.
    random_state : int, RandomState, Generator or None
    n_jobs : int or None

    Attributes
    ----------
    seed_ : int
    scheme_ : str

    References
    ----------
    Băzăvan, Li and Sminchisescu, Fourier Kernel Learning, 2012, table 1. Li, Ionescu and Sminchisescu, Random Fourier
    Approximations for Skewed Multiplicative Histogram Kernels, 2010.

    Examples
    --------
    >>> from unkernel import SkewedChi2Map
    >>> Z = SkewedChi2Map(8192, random_state=0).fit_transform([[0.0, 1.0], [1.0, 1.0]])
    >>> bool(abs(Z[0] @ Z[1] - 0.8) < 0.05)
    True
    """

    def __init__(
        self,
        n_components: int = 256,
        *,
        c: float = 1.0,
        sigma: float = 1.0,
        random_state=None,
        n_jobs: int | None = None,
    ):
        self.n_components = n_components
        self.c = c
        self.sigma = sigma
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self):
        """`SkewedChi2(c, sigma=sigma)`."""
        return SkewedChi2(self.c, sigma=self.sigma)

    def _draw(self, d, m):
        return drawn(_sech_quantiles, self.seed_, d, m)


class SkewedIntersectionMap(SkewedMap):
    """Features of `SkewedIntersection(c, sigma=sigma)`: pairs of cosine and sine of <w_j, log(1 + x / c)>.

    Entries of w_j are sigma * tan(pi (omega - 1/2)) with omega uniform on (0, 1): Cauchy. An estimate has variance
    (1 - K^2) / n_components.

    Parameters
    ----------
    n_components : int, default=256
        Columns of the features: even, two for each direction.
    c : float, default=1.0
        Skew, above 0; values above -c are allowed.
    sigma : float, default=1.0
        Sharpness, above 0.
    random_state : int, RandomState, Generator or None
    n_jobs : int or None

    Attributes
    ----------
    seed_ : int
    scheme_ : str

    References
    ----------
    Băzăvan, Li and Sminchisescu, Fourier Kernel Learning, 2012, table 1.

    Examples
    --------
    >>> from unkernel import SkewedIntersectionMap
    >>> Z = SkewedIntersectionMap(8192, random_state=0).fit_transform([[0.0, 1.0], [1.0, 1.0]])
    >>> bool(abs(Z[0] @ Z[1] - 0.5) < 0.05)
    True
    """

    def __init__(
        self,
        n_components: int = 256,
        *,
        c: float = 1.0,
        sigma: float = 1.0,
        random_state=None,
        n_jobs: int | None = None,
    ):
        self.n_components = n_components
        self.c = c
        self.sigma = sigma
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self):
        """`SkewedIntersection(c, sigma=sigma)`."""
        return SkewedIntersection(self.c, sigma=self.sigma)

    def _draw(self, d, m):
        return drawn(random.cauchys, self.seed_, d, m)


def _sech_quantiles(seed, i, j):
    """The law whose characteristic function is 1 / cosh."""
    return 2 / np.pi * np.log(np.tan(np.pi / 2 * random.uniforms(seed, i, j)))
