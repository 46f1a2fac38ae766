"""The degree-2 probe of paper 003: all products of two columns, then a linear model."""

from time import process_time

import numpy as np

from .base import Probe, Task, Trial
from .search import learn

MOST_COLUMNS = 2_500
MOST_BYTES = 200 << 20


class Degree2Probe(Probe):
    """Linear model on the explicit features of (gamma <u, v> + r)^2 with r = gamma = 1.

    Columns are divided by their largest size.

    Parameters
    ----------
    r : float
        Theorem 3.1 of the paper: without the regulariser, the boundary does not depend on r.
    most_columns : int
        Features beyond which the probe does not apply.
    every : int
        C climbs by this power of four.

    References
    ----------
    Huang and Lin, "Linear and Kernel Classification: When to Use Which?", 2016, equation 3.7.
    """

    name, family, code, kernel = "degree2", "polynomial", "P02", "polynomial"

    def __init__(self, r: float = 1.0, *, most_columns: int = MOST_COLUMNS, every: int = 2):
        self.r = r
        self.every = every
        self.most_columns = most_columns

    def refusal(self, task: Task) -> str | None:
        """Too wide: the features grow with the square of the columns."""
        width = n_features(task.n_columns)
        if width > self.most_columns or task.n_rows * width * 4 > MOST_BYTES:
            return f"{task.n_columns:,} columns make {width:,} products of two"
        return None

    def width(self, task: Task) -> float:
        """One number per product."""
        return float(n_features(task.n_columns))

    def fit(self, task: Task, *, C: float | None = None) -> Trial:
        """A quadratic boundary."""
        start = process_time()
        F = task.pool.once(("degree2", self.r), lambda: self._features(task))
        got, k = learn(task, F, C=C, every=self.every), F.shape[1]
        seconds, params = process_time() - start, {"degree": 2, "gamma": 1.0, "coef0": self.r}
        return Trial(got.C, got.path, got.score, got.held, got.f, seconds, got.fit_seconds, k, 4.0 * k, params)

    def _features(self, task: Task) -> np.ndarray:
        X = task.pool.scaled("unit")
        return expand(np.asarray(X.toarray() if task.sparse else X), self.r)


def n_features(d: int) -> int:
    """Columns of the expansion of d columns."""
    return (d + 1) * (d + 2) // 2


def expand(X: np.ndarray, r: float = 1.0) -> np.ndarray:
    """Features whose inner product is (<u, v> + r)^2: r, sqrt(2 r) x, x^2, sqrt(2) x_i x_j.

    Examples
    --------
    >>> import numpy as np
    >>> U = expand(np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> (U @ U.T).round(6)
    array([[ 36., 144.],
           [144., 676.]])
    """
    i, j = np.triu_indices(X.shape[1])
    out = np.empty((len(X), n_features(X.shape[1])), dtype=X.dtype)
    d = X.shape[1]
    out[:, 0] = r
    out[:, 1 : d + 1] = np.sqrt(2 * r) * X
    np.multiply(X[:, i], X[:, j], out=out[:, d + 1 :])
    out[:, d + 1 :] *= np.where(i == j, 1, np.sqrt(2)).astype(X.dtype)
    return out
