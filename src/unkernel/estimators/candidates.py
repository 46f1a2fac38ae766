"""What is tried: pairs of a scale and a kernel, ordered from the simplest, each with the map that replaces it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from .._validate import InputError
from ..kernels.angular import Acos, Cosine, CosineRBF
from ..kernels.base import Kernel
from ..kernels.gaussian import RBF
from ..kernels.histogram import ExpChi2
from ..kernels.minmax import GMM, MinMax
from ..kernels.polynomial import Linear, Polynomial
from .scaling import Scale

GAMMAS = (0.05, 0.2, 0.5, 1.0, 2.5, 7.0)
POWERS = (0.5, 1.0, 2.0, 5.0)
NAMES = {
    "linear": Linear, "rbf": RBF, "minmax": GMM, "gmm": GMM, "acos": Acos, "cosine": Cosine, "cosine_rbf": CosineRBF,
    "polynomial": Polynomial, "exp_chi2": ExpChi2,
}  # fmt: skip


class Candidate(NamedTuple):
    """A scale and a kernel whose parameters are numbers, or rules that the scaled rows settle."""

    scale: str
    kernel: Kernel
    weights: np.ndarray | None = None  # of scaled columns

    @property
    def family(self) -> str:
        """The name a user would call it."""
        return type(self.kernel).__name__

    @property
    def is_linear(self) -> bool:
        """Whether a linear model on the columns is all there is to it."""
        return isinstance(self.kernel, Linear)

    def __str__(self) -> str:
        if self.scale == "none" and self.weights is None:
            return repr(self.kernel)
        weighted = "" if self.weights is None else "weighted "
        return f"{self.kernel!r} on {weighted}columns scaled by {self.scale!r}"

    def scaler(self) -> Scale:
        """The scale, unfitted."""
        return Scale(self.scale, self.weights)


def candidates(kernel: Any, X, scales=None) -> list[Candidate]:
    """What `kernel` stands for: everything for "auto", one family for a name, itself for an object."""
    if isinstance(kernel, Kernel):
        return [Candidate(scale, kernel) for scale in (scales or _usual(kernel, X))]
    if isinstance(kernel, str) and kernel == "auto":
        return list(_sparse(X) if scipy.sparse.issparse(X) else _dense(X))
    if isinstance(kernel, str) and kernel in NAMES:
        of_family = [c for c in candidates("auto", X) if type(c.kernel) is NAMES[kernel]]
        return of_family or [Candidate(scale, NAMES[kernel]()) for scale in _usual(NAMES[kernel](), X)]
    raise InputError(
        f"kernel is {kernel!r}; it must be a kernel such as RBF(0.1), 'auto', or one of {', '.join(map(repr, NAMES))}"
    )


def _usual(kernel, X):
    """Scales that suit a kernel the user named."""
    if scipy.sparse.issparse(X):
        return ("none", "unit")
    return ("range",) if kernel._nonnegative or isinstance(kernel, MinMax | GMM) else ("standard",)


def _dense(X) -> Iterator[Candidate]:
    d = X.shape[1]
    yield Candidate("standard", Linear())
    for gamma in GAMMAS:
        yield Candidate("standard", RBF(gamma / d))
    spread = float(np.mean(Scale("range").fit(X).transform(X).var(axis=0))) or 1.0
    for gamma in GAMMAS:
        yield Candidate("range", RBF(gamma / (d * spread)))
    for gamma in GAMMAS[1:]:
        yield Candidate("rank", RBF(12 * gamma / d))
    for p in POWERS:
        yield Candidate("range", GMM(p=p))
    yield Candidate("rank", GMM())
    yield Candidate("rank", GMM(p=3.0))
    yield Candidate("standard", GMM())
    yield Candidate("standard", Polynomial(2, gamma=1 / d, coef0=1.0))
    yield Candidate("standard", Polynomial(4, gamma=1 / d, coef0=1.0))
    yield Candidate("range", GMM() * RBF(1 / (d * spread)))


def _sparse(X) -> Iterator[Candidate]:
    yield Candidate("unit", Linear())
    yield Candidate("none", Linear())
    yield Candidate("range", Linear())
    for gamma in (0.5, 1.0, 2.0, 5.0):
        yield Candidate("unit", RBF(gamma))
    for p in (0.5, 1.0):
        yield Candidate("none", GMM(p=p))
        yield Candidate("range", GMM(p=p))
    yield Candidate("unit", Acos())
    mean = float(X.multiply(X).sum()) / max(X.shape[0], 1) or 1.0
    for gamma in (0.1, 0.5, 2.0):
        yield Candidate("none", RBF(gamma / mean))
