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
        X, V = task.unit if self.scale == "unit" else task.standard
        got = learn(task, X, V, C=C, intercept=self.intercept)
        row_bytes = as_features(X).nbytes / task.n_rows
        seconds = process_time() - start
        return Trial(got.C, got.path, got.score, got.held, got.f, seconds, got.fit_seconds, X.shape[1], row_bytes, {})
