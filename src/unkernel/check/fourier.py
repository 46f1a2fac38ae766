"""The Fourier probe: the Gaussian kernel along random directions, for rows too many or too wide for landmarks."""

from time import process_time

import numpy as np

from ..maps.fourier import FourierMap
from .base import Probe, Task, Trial
from .landmark import trial_of
from .width import choose_width

COMPONENTS = 512


class FourierProbe(Probe):
    """Least squares on random Fourier features of the Gaussian kernel; scale and gamma as for landmarks.

    Parameters
    ----------
    n_components : int
        Columns of the features, two for each direction.
    """

    name, family, code, kernel = "fourier (rbf)", "rbf", "P05", "rbf"

    def __init__(self, n_components: int = COMPONENTS):
        self.n_components = n_components

    def refusal(self, task: Task) -> str | None:
        """Very wide sparse rows: distances between documents say little."""
        if task.sparse and task.n_columns > 20_000:
            return f"{task.n_columns:,} sparse columns: all rows are about equally far apart"
        return None

    def width(self, task: Task) -> float:
        """One number per component."""
        return float(self.n_components)

    def resized(self, n_components: int) -> "FourierProbe":
        """Fewer directions, or more."""
        return FourierProbe(max(2, n_components // 2 * 2))

    def fit(self, task: Task, *, C: float | None = None) -> Trial:
        """A sum of waves."""
        start = process_time()
        scale, gamma = choose_width(task)
        key = ("fourier", scale, gamma, self.n_components)
        F = task.pool.once(key, lambda: self._features(task, scale, gamma))
        return trial_of(task, key, F, F.shape[1], C, {"gamma": gamma, "scale": scale}, start)

    def _features(self, task: Task, scale: str, gamma: float) -> np.ndarray:
        X = task.pool.scaled(scale)
        map_ = FourierMap(self.n_components, gamma=gamma, random_state=task.seed % 2**32, n_jobs=task.n_jobs).fit(X)
        return map_.features(X).values.astype(np.float32)
