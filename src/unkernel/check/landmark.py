"""The landmark probe: the Gaussian kernel seen from some hundred rows, exact where these are all rows."""

from time import process_time
from typing import Any

from ..kernels.gaussian import RBF
from .base import Probe, Task, Trial
from .nystroem import features
from .ridge import least_squares
from .search import learn
from .width import choose_width

FIRST, MOST = 256, 1024  # landmarks to begin with, and when more of them help


class LandmarkProbe(Probe):
    """Least squares on Nystroem features of the Gaussian kernel, K(x, L) R^-1 with R'R = K(L, L), L drawn at random.

    The scale of the columns and `gamma` are chosen on the rows held back, with fewer landmarks. A score of
    probabilities is served by the logistic loss instead.

    Parameters
    ----------
    n_components : int
        Landmarks, never more than the rows.
    """

    name, family, code, kernel = "landmarks (rbf)", "rbf", "P04", "rbf"
    central = True

    def __init__(self, n_components: int = FIRST):
        self.n_components = n_components

    def width(self, task: Task) -> float:
        """One number per landmark."""
        return float(n_landmarks(task, self.n_components))

    def resized(self, n_components: int) -> "LandmarkProbe":
        """Fewer landmarks, the first of the same, or more."""
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
        k = n_landmarks(task, self.n_components)
        key = ("rbf", scale, gamma)
        F = features(task.pool, key, RBF(gamma), scale, k)
        return trial_of(task, key, F, k, C, {"gamma": gamma, "scale": scale}, start)


def n_landmarks(task: Task, wanted: int) -> int:
    """Landmarks there will be, never more than the rows."""
    return min(wanted, task.pool.n_turning)


def trial_of(task: Task, key: Any, F: Any, k: int, C: float | None, params: dict, start: float) -> Trial:
    """The first k features tried: least squares, or the logistic loss where a score wants probabilities."""
    if task.score.wants_probability:
        got = learn(task, F[:, :k], C=C)
    else:
        got = least_squares(task, key, F, C=C, width=k)
    seconds = process_time() - start
    return Trial(
        got.C, got.path, got.score, got.held, got.f, seconds, got.fit_seconds, k, 4.0 * k, params, half=got.half
    )
