"""The landmark probe: the Gaussian kernel seen from a few hundred rows, exact where these are all rows."""

from time import perf_counter
from typing import Any

import numpy as np

from ..kernels.gaussian import RBF
from .base import Probe, Task, Trial
from .search import learn
from .width import choose_width

COMPONENTS = 256


class LandmarkProbe(Probe):
    """Linear model on Nystroem features of the Gaussian kernel: K(x, L) K(L, L)^(-1/2) for landmarks L drawn at random.

    The scale of the columns and `gamma` are chosen on the rows held back, from exact kernels on a few hundred rows.

    Parameters
    ----------
    n_components : int
        Landmarks.
    """

    name, family, code, kernel = "landmarks (rbf)", "rbf", "P04", "rbf"

    def __init__(self, n_components: int = COMPONENTS):
        self.n_components = n_components

    def width(self, task: Task) -> float:
        """One number per landmark."""
        return float(min(self.n_components, task.n_rows))

    def smaller(self, n_components: int) -> "LandmarkProbe":
        """Fewer landmarks, the first of the same."""
        return LandmarkProbe(n_components)

    def refusal(self, task: Task) -> str | None:
        """Very wide sparse rows: distances between documents say little, and a plane already separates them."""
        if task.sparse and task.n_columns > 20_000:
            return f"{task.n_columns:,} sparse columns: all rows are about equally far apart"
        return None

    def fit(self, task: Task, *, C: float | None = None) -> Trial:
        """A sum of bumps around landmarks."""
        start = perf_counter()
        scale, gamma = choose_width(task)
        X, V = getattr(task, scale)
        rows = np.random.default_rng(task.seed % 2**63).permutation(task.n_rows)[: self.n_components]
        whiten = _inverse_root(RBF(gamma)(X[rows]).astype(np.float64))
        F, G = ((RBF(gamma)(Z, X[rows], n_jobs=task.n_jobs) @ whiten).astype(np.float32) for Z in (X, V))
        got = learn(task, F, G, C=C)
        seconds, width = perf_counter() - start, F.shape[1]
        return Trial(
            got.C,
            got.path,
            got.score,
            got.held,
            got.f,
            seconds,
            got.fit_seconds,
            len(rows),
            4.0 * width,
            {"gamma": gamma, "scale": scale},
        )


def _inverse_root(K: np.ndarray) -> Any:
    """K^(-1/2) on the directions that K has, in its own precision."""
    values, vectors = np.linalg.eigh(K)
    kept = values > 1e-7 * values[-1]
    return (vectors[:, kept] / np.sqrt(values[kept])).astype(np.float32)
