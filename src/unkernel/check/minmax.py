"""The min-max probe: the generalised min-max kernel seen from some hundred rows."""

from time import process_time

from ..kernels.minmax import GMM
from .base import Probe, Task, Trial
from .landmark import FIRST, n_landmarks, trial_of
from .nystroem import features


class MinmaxProbe(Probe):
    """Least squares on Nystroem features of the generalised min-max kernel, columns scaled to [0, 1].

    The kernel has no width to choose: only C is searched. It suits amounts, counts and words, where distances do not.

    Parameters
    ----------
    n_components : int
        Landmarks, never more than the rows.
    """

    name, family, code, kernel = "landmarks (minmax)", "minmax", "P06", "minmax"
    central = True

    def __init__(self, n_components: int = FIRST):
        self.n_components = n_components

    def width(self, task: Task) -> float:
        """One number per landmark."""
        return float(n_landmarks(task, self.n_components))

    def resized(self, n_components: int) -> "MinmaxProbe":
        """Fewer landmarks, the first of the same, or more."""
        return MinmaxProbe(n_components)

    def fit(self, task: Task, *, C: float | None = None) -> Trial:
        """A sum of tents around landmarks."""
        start = process_time()
        k = n_landmarks(task, self.n_components)
        F = features(task.pool, "minmax", GMM(), "amounts", k)
        return trial_of(task, "minmax", F, k, C, {"scale": "amounts"}, start)
