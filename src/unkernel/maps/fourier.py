"""Random Fourier features: waves along random directions, whose products average to a Gaussian kernel."""

import numpy as np

from .._validate import InputError, check_choice, check_integer
from ..features import Dense
from ..kernels.angular import CosineRBF, FoldedRBF, unit_rows
from ..kernels.gaussian import RBF
from . import random
from .fourier_hot import LANES, cosines, pairs
from .frequency import aligned, gaussian, main_axes
from .projection import ProjectionMap, inverse_lengths, variant_for

OFFSETS = 3  # stream of a seed


class FourierMap(ProjectionMap):
    """Features of the Gaussian kernel `RBF(gamma)`: sqrt(1/m) [cos <w_j, x>, sin <w_j, x>] for m directions w_j.

    Directions are normal with variance 2 gamma. An estimate of the kernel has mean K and variance (1 - K^2)^2 / (2 m)
    with independent directions, less with orthogonal ones.

    Parameters
    ----------
    n_components : int, default=256
        Columns of the features: even, two for each direction. With `variant="offset"` one for each.
    gamma : float, "scale" or "median", default="scale"
        As in `RBF`; with `unit_rows` as in `CosineRBF`.
    variant : str, default="auto"
        How directions are drawn. "gaussian": independently. "orthogonal": in blocks at right angles, the lowest error.
        "structured": nearly the same without a table, by three Hadamard transforms; the cost of a direction hardly
        grows with the columns of X, and memory a few bits each. "sobol": evenly, after a Sobol sequence.
        "offset": independently, with features sqrt(2/m) cos(<w_j, x> + b_j), the papers' form and the highest error.
        "aligned": orthogonal, and orthogonal too along the main axes of the rows of `fit`, half the error where
        directions are fewer than columns. "auto" takes "aligned" there, up to 1,024 columns, and else chooses by cost
        between "orthogonal" and "structured".
    unit_rows : bool, default=False
        Scale rows to length one first, which makes the kernel `CosineRBF(gamma)`. A row of zeros stays.
    normalize : bool, default=False
        Scale each row of features to length one. Matters to "offset" only: pairs have length one as they are.
    random_state : int, RandomState, Generator or None
    n_jobs : int or None

    Attributes
    ----------
    gamma_ : float
    variant_ : str
    axes_ : ndarray of shape (d, p), float32
        The axes of "aligned".
    seed_ : int
    scheme_ : str
        Names the way directions follow from the seed.

    References
    ----------
    Rahimi and Recht, Random Features for Large-Scale Kernel Machines, 2007. Yu et al., Orthogonal Random Features,
    2016. Li, Linearized GMM Kernels and Normalized Random Fourier Features, 2017: theorem 2 has the variance of
    "offset", (1/2 + (1 - K^2)^2 / 2) / m.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import FourierMap
    >>> X = np.array([[0.0, 1.0], [1.0, 1.0]])
    >>> Z = FourierMap(4096, gamma=0.5, random_state=0).fit_transform(X)
    >>> bool(abs(Z[0] @ Z[1] - np.exp(-0.5)) < 0.05)
    True
    """

    _tables = ("_table", "_offsets")
    _variants = ("gaussian", "orthogonal", "aligned", "structured", "sobol", "offset")

    def __init__(
        self,
        n_components: int = 256,
        *,
        gamma: float | str = "scale",
        variant: str = "auto",
        unit_rows: bool = False,
        normalize: bool = False,
        random_state=None,
        n_jobs: int | None = None,
    ):
        self.n_components = n_components
        self.gamma = gamma
        self.variant = variant
        self.unit_rows = unit_rows
        self.normalize = normalize
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self):
        """`RBF(gamma_)`, or `CosineRBF(gamma_)` of unit rows."""
        return (CosineRBF if self.unit_rows else RBF)(getattr(self, "gamma_", self.gamma))

    def _directions(self):
        return self.n_components if self.variant_ == "offset" else self.n_components // 2

    def _learn(self, X):
        n = check_integer("n_components", self.n_components, least=1)
        for name in ("unit_rows", "normalize"):
            check_choice(name, getattr(self, name), (False, True))
        self.variant_ = variant_for(self.variant, self._variants, X.shape[1], n // 2)
        if n == 1:  # no room for a pair
            self.variant_ = "offset"
        if self.variant_ != "offset":
            even(n)
        self.gamma_ = settled_gamma(self.gamma, X, self.unit_rows)
        self._settle(X, n)
        if self.variant_ == "aligned":
            self.axes_ = main_axes(unit_rows(X) if self.unit_rows else X, n // 2)

    def _draw(self, d, m):
        if self.variant_ == "aligned":
            return aligned(self.seed_, d, m, self.axes_)
        return gaussian(self.seed_, d, m) if self.variant_ == "offset" else super()._draw(d, m)

    def _tabulate(self):
        super()._tabulate()
        self._offsets = offsets(self.seed_, self._table) if self.variant_ == "offset" else None

    def _unit(self):
        return np.sqrt(self.gamma_ * (1 if self.unit_rows else 2)) / (2 * np.pi)

    def _block(self, X):
        T = self._projected(X, inverse_lengths(X) if self.unit_rows else None)
        if self.variant_ != "offset":
            return Dense(paired(T, self._directions()))
        Z = shifted(T, self.n_components, self._offsets, 2**0.5)
        return Dense(Z * inverse_lengths(Z)[:, None].astype(Z.dtype) if self.normalize else Z)


class FoldedFourierMap(ProjectionMap):
    """Features of `FoldedRBF(gamma)`: sqrt(1/k) cos <w_j, x / |x|> for k directions w_j, with no offset.

    Directions are normal with variance gamma.

    Parameters
    ----------
    n_components : int, default=256
    gamma : float or "median", default=1.0
    variant : "auto", "gaussian", "orthogonal", "structured" or "sobol", default="auto"
        As in `FourierMap`.
    random_state : int, RandomState, Generator or None
    n_jobs : int or None

    Attributes
    ----------
    gamma_ : float
    variant_ : str
    seed_ : int
    scheme_ : str

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, equation 13.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import FoldedFourierMap, FoldedRBF
    >>> X = np.array([[0.0, 1.0], [1.0, 1.0]])
    >>> Z = FoldedFourierMap(4096, gamma=1.0, random_state=0).fit_transform(X)
    >>> bool(abs(Z @ Z.T - FoldedRBF(1.0)(X)).max() < 0.05)
    True
    """

    def __init__(
        self,
        n_components: int = 256,
        *,
        gamma: float | str = 1.0,
        variant: str = "auto",
        random_state=None,
        n_jobs: int | None = None,
    ):
        self.n_components = n_components
        self.gamma = gamma
        self.variant = variant
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self):
        """`FoldedRBF(gamma_)`."""
        return FoldedRBF(getattr(self, "gamma_", self.gamma))

    def _directions(self):
        return self.n_components

    def _learn(self, X):
        n = check_integer("n_components", self.n_components, least=1)
        self.variant_ = variant_for(self.variant, self._variants, X.shape[1], n)
        self.gamma_ = FoldedRBF(self.gamma).fit(X).gamma_
        self._settle(X, n)

    def _unit(self):
        return np.sqrt(self.gamma_) / (2 * np.pi)

    def _block(self, X):
        T = self._projected(X, inverse_lengths(X))
        return Dense(shifted(T, self.n_components, np.zeros(T.shape[1], T.dtype), 1.0))


def paired(T: np.ndarray, m: int) -> np.ndarray:
    """sqrt(1/m) [cos, sin] of m angles in turns."""
    out = np.empty((len(T), 2 * m), T.dtype)
    pairs(T, m, T.dtype.type(m**-0.5), np.empty((2, LANES), T.dtype), out)
    return out


def shifted(T: np.ndarray, m: int, phases: np.ndarray, amplitude: float) -> np.ndarray:
    """amplitude * sqrt(1/m) cos of m angles in turns, each shifted by its phase."""
    out = np.empty((len(T), m), T.dtype)
    scale, last = T.dtype.type(amplitude * m**-0.5), np.empty((2, LANES), T.dtype)
    cosines(T, phases.astype(T.dtype, copy=False), scale, last, out)
    return out


def even(n: int) -> int:
    """n as it is, unless it is odd; 1 may pass, and stands for a single cosine with an offset."""
    if n % 2 and n > 1:
        raise InputError(f"n_components is {n}; sines and cosines come in pairs and need an even number: give {n + 1}")
    return n


def settled_gamma(gamma, X, on_unit_rows: bool) -> float:
    """The number that gamma stands for on these rows."""
    if isinstance(gamma, str) and X.shape[0] < 2:
        raise InputError(f"gamma is {gamma!r} and n_samples = 1: one row does not set a scale; give gamma as a number")
    if not on_unit_rows:
        return RBF(gamma).fit(X).gamma_
    # CosineRBF(g) is RBF(g / 2) of unit rows, and has no rule "scale" of its own.
    return 2 * RBF("scale").fit(unit_rows(X)).gamma_ if gamma == "scale" else CosineRBF(gamma).fit(X).gamma_


def offsets(seed: int, table: np.ndarray) -> np.ndarray:
    """Phases of the offset form, in turns: uniform on (0, 1)."""
    return random.uniforms(random.stream(seed, OFFSETS), np.arange(table.shape[1]), 0).astype(table.dtype)
