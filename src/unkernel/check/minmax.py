"""The min-max probe: the generalised min-max kernel seen from some hundred rows."""

from time import process_time

from ..kernels.minmax import GMM
from .base import Probe, Task, Trial
from .landmark import features, n_landmarks
from .ridge import least_squares
from .search import learn


class MinmaxProbe(Probe):
    """Least squares on Nystroem features of the generalised min-max kernel, columns scaled to [0, 1].

    The kernel has no width to choose: only C is searched. It suits amounts, counts and words, where distances do not.

    Parameters
    ----------
    n_components : int or None
        Landmarks; None as for the Gaussian kernel.
    """

    name, family, code, kernel = "landmarks (minmax)", "minmax", "P06", "minmax"
    central = True

    def __init__(self, n_components: int | None = None):
        self.n_components = n_components

    def width(self, task: Task) -> float:
        """One number per landmark."""
        return float(n_landmarks(task, self.n_components))

    def smaller(self, n_components: int) -> "MinmaxProbe":
        """Fewer landmarks, the first of the same."""
        return MinmaxProbe(n_components)

    def fit(self, task: Task, *, C: float | None = None) -> Trial:
        """A sum of tents around landmarks."""
        start = process_time()
        F, G = features(task, GMM(), *task.amounts, n_landmarks(task, self.n_components))
        got = (learn if task.score.wants_probability else least_squares)(task, F, G, C=C)
        seconds, k = process_time() - start, F.shape[1]
        params = {"scale": "amounts"}
        return Trial(got.C, got.path, got.score, got.held, got.f, seconds, got.fit_seconds, k, 4.0 * k, params)
