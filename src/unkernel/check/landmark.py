"""The landmark probe: the Gaussian kernel seen from some hundred rows, exact where these are all rows."""

from time import process_time
from typing import Any

import numpy as np
import scipy.linalg

from ..kernels.gaussian import RBF
from .base import Probe, Task, Trial
from .ridge import least_squares
from .search import learn
from .width import choose_width

MOST, FEWER, MANY = 1024, 512, 3000  # landmarks, and landmarks of more than MANY rows


class LandmarkProbe(Probe):
    """Least squares on Nystroem features of the Gaussian kernel, K(x, L) R^-1 with R'R = K(L, L), L drawn at random.

    The scale of the columns and `gamma` are chosen on the rows held back, from exact kernels on a few hundred rows. A
    score of probabilities is served by the logistic loss instead.

    Parameters
    ----------
    n_components : int or None
        Landmarks; None is 1,024, or 512 of more than 3,000 rows, and never more than the rows.
    """

    name, family, code, kernel = "landmarks (rbf)", "rbf", "P04", "rbf"
    central = True

    def __init__(self, n_components: int | None = None):
        self.n_components = n_components

    def count(self, task: Task) -> int:
        """Landmarks there will be."""
        wanted = self.n_components or (FEWER if task.n_rows > MANY or task.score.wants_probability else MOST)
        return min(wanted, task.n_rows)

    def width(self, task: Task) -> float:
        """One number per landmark."""
        return float(self.count(task))

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
        start = process_time()
        scale, gamma = choose_width(task)
        X, V = getattr(task, scale)
        rows = np.random.default_rng(task.seed % 2**63).permutation(task.n_rows)[: self.count(task)]
        root = _root(RBF(gamma)(X[rows]))
        F, G = (_whitened(RBF(gamma)(Z, X[rows], n_jobs=task.n_jobs), root) for Z in (X, V))
        got = (learn if task.score.wants_probability else least_squares)(task, F, G, C=C)
        seconds, k = process_time() - start, len(rows)
        params = {"gamma": gamma, "scale": scale}
        return Trial(got.C, got.path, got.score, got.held, got.f, seconds, got.fit_seconds, k, 4.0 * k, params)


def _root(K: np.ndarray) -> np.ndarray:
    """Upper triangle R with R'R = K, K lifted by what float64 can tell from zero in a matrix of float32."""
    K = K.astype(np.float64)
    K.flat[:: len(K) + 1] += 1e-5
    return scipy.linalg.cholesky(K, overwrite_a=True, check_finite=False)


def _whitened(K: np.ndarray, root: np.ndarray) -> Any:
    """K R^-1, float32."""
    solved = scipy.linalg.solve_triangular(
        root.astype(np.float32), K.astype(np.float32).T, trans="T", overwrite_b=True, check_finite=False
    )
    return np.ascontiguousarray(solved.T)
