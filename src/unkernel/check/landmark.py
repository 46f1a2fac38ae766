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

    def width(self, task: Task) -> float:
        """One number per landmark."""
        return float(n_landmarks(task, self.n_components))

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
        F, G = features(task, RBF(gamma), *getattr(task, scale), n_landmarks(task, self.n_components))
        got = (learn if task.score.wants_probability else least_squares)(task, F, G, C=C)
        seconds, k = process_time() - start, F.shape[1]
        params = {"gamma": gamma, "scale": scale}
        return Trial(got.C, got.path, got.score, got.held, got.f, seconds, got.fit_seconds, k, 4.0 * k, params)


def n_landmarks(task: Task, wanted: int | None) -> int:
    """Landmarks there will be, never more than the rows."""
    return min(wanted or (FEWER if task.n_rows > MANY or task.score.wants_probability else MOST), task.n_rows)


def features(task: Task, kernel: Any, X: Any, V: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """K(X, L) R^-1 and K(V, L) R^-1 for k random landmarks L among X and R'R = K(L, L)."""
    rows = np.random.default_rng(task.seed % 2**63).permutation(task.n_rows)[:k]
    root = _root(kernel(X[rows]))
    return tuple(_whitened(kernel(Z, X[rows], n_jobs=task.n_jobs), root) for Z in (X, V))


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
