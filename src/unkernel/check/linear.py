"""The linear probe: what every other has to beat."""

from time import process_time

from ..features import as_features
from .base import Probe, Task, Trial
from .search import learn


class LinearProbe(Probe):
    """A linear model at its best C on scaled columns. The baseline: it must be under its best settings.

    Parameters
    ----------
    scale : {"standard", "unit"}
        How columns are scaled; "unit" is paper 003's division by the largest size.
    intercept : bool
        Paper 003's linear model has none, which costs it 12 points on svmguide1.
    """

    name, family, code, kernel = "linear", "linear", "P01", "linear"

    def __init__(self, scale: str = "standard", *, intercept: bool = True):
        self.scale = scale
        self.intercept = intercept

    def fit(self, task: Task, *, C: float | None = None) -> Trial:
        """A plane through the rows."""
        start = process_time()
        F = task.pool.once(("features", self.scale), lambda: as_features(task.pool.scaled(self.scale)))
        got = learn(task, F, C=C, intercept=self.intercept)
        seconds, row_bytes = process_time() - start, F.nbytes / len(F)
        return Trial(got.C, got.path, got.score, got.held, got.f, seconds, got.fit_seconds, F.shape[1], row_bytes, {})
