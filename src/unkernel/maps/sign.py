"""Signs of random projections: one bit a component, equal in two rows as often as their kernel says."""

import numpy as np

from .._validate import check_choice, check_integer
from ..features import Codes
from ..kernels.angular import Acos
from ..kernels.histogram import REMEDY, AcosChi2
from . import random
from .frequency import drawn
from .projection import ProjectionMap, filled_rows, variant_for


class SignMap(ProjectionMap):
    """What both sign maps share: codes of two levels, 1 where <w_j, x> >= 0."""

    def _directions(self):
        return self.n_components

    def _learn(self, X):
        k = check_integer("n_components", self.n_components, least=1)
        check_choice("output", self.output, ("csr", "codes"))
        self.variant_ = self._chosen(X.shape[1], k)
        self._settle(X, 2 * k)

    def _chosen(self, d: int, k: int) -> str:
        raise NotImplementedError

    def _feature_bytes(self, dtype):
        return self.n_components

    def _row_bytes(self):
        return 9 * self.n_components

    def _block(self, X):
        k = self.n_components
        codes = (self._projected(X)[:, :k] >= 0).view(np.uint8)
        return Codes(codes, filled_rows(X), 2, k**-0.5)

    def packed(self, X) -> np.ndarray:
        """The codes, eight to a byte: what storage and Hamming distances want.

        Bits beyond `n_components` are zero, and so is a row of zeros, which has no code. The share of equal bits of
        two rows is `1 - np.bitwise_count(a ^ b).sum() / n_components`.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)

        Returns
        -------
        ndarray of shape (n, ceil(n_components / 8)), uint8
        """
        F = self.features(X)
        return np.packbits(F.codes * F.filled[:, None], axis=1)


class SignGaussianMap(SignMap):
    """Features of `Acos`: the side of a random hyperplane a row lies on, for k hyperplanes.

    An estimate of the kernel is a share of equal bits, with variance K (1 - K) / k when directions are independent and
    less when they are orthogonal.

    Parameters
    ----------
    n_components : int, default=256
        Bits, each a code of two levels; `transform` gives two columns for each.
    variant : "auto", "gaussian", "orthogonal", "structured" or "sobol", default="auto"
        As in `FourierMap`.
    output : "csr" or "codes", default="csr"
        What `transform` gives.
    random_state : int, RandomState, Generator or None
    n_jobs : int or None

    Attributes
    ----------
    variant_ : str
    seed_ : int
    scheme_ : str

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, equations 2 and 3.

    Examples
    --------
    >>> from unkernel import SignGaussianMap
    >>> F = SignGaussianMap(4096, random_state=0).fit([[1.0, 0.0]]).features([[1.0, 0.0], [1.0, 1.0]])
    >>> bool(abs((F.codes[0] == F.codes[1]).mean() - 0.75) < 0.05)
    True
    """

    def __init__(
        self,
        n_components: int = 256,
        *,
        variant: str = "auto",
        output: str = "csr",
        random_state=None,
        n_jobs: int | None = None,
    ):
        self.n_components = n_components
        self.variant = variant
        self.output = output
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self):
        """`Acos()`."""
        return Acos()

    def _chosen(self, d, k):
        return variant_for(self.variant, self._variants, d, k)


class SignCauchyMap(SignMap):
    """Features of `AcosChi2`, nearly: the signs of projections on k Cauchy vectors.

    Two rows agree in a sign with a chance close to `AcosChi2`: the papers show it on data and prove it for rows of two
    values. Rows need not be scaled to sum 1: a sign does not depend on the scale.

    Parameters
    ----------
    n_components : int, default=256
        Bits, each a code of two levels; `transform` gives two columns for each.
    output : "csr" or "codes", default="csr"
        What `transform` gives.
    random_state : int, RandomState, Generator or None
    n_jobs : int or None

    Attributes
    ----------
    seed_ : int
    scheme_ : str

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, equations 5 and 6.

    Examples
    --------
    >>> from unkernel import SignCauchyMap
    >>> F = SignCauchyMap(4096, random_state=0).fit([[1.0, 3.0]]).features([[1.0, 3.0], [2.0, 6.0]])
    >>> bool((F.codes[0] == F.codes[1]).all())
    True
    """

    _nonnegative = REMEDY

    def __init__(self, n_components: int = 256, *, output: str = "csr", random_state=None, n_jobs: int | None = None):
        self.n_components = n_components
        self.output = output
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self):
        """`AcosChi2()`."""
        return AcosChi2()

    def _chosen(self, d, k):
        return "cauchy"

    def _draw(self, d, m):
        return drawn(random.cauchys, self.seed_, d, m)
