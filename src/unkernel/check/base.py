"""The contract of a probe: rows that train and rows that judge come in, a trial goes out, or a reason why not.

A probe is a cheap nonlinear model that is trained like a linear one. It chooses all it has to choose on the rows that
train, of which some are held back for that; the rows that judge are only answered.
"""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse


class Task:
    """One split of the data as probes read it.

    Parameters
    ----------
    X, V : ndarray or CSR
        Rows that train and rows that judge, as they came.
    y : ndarray
        Class numbers (int32) or targets (float64) of X.
    n_classes : int
        0 for a regression.
    score : Score
    seed : int
    n_jobs : int or None
    settled : dict or None
        What probes have chosen together, such as the width of a kernel; filled in as they run.
    """

    def __init__(
        self, X, V, y: np.ndarray, *, n_classes: int, score, seed: int, n_jobs: int | None, settled: dict | None = None
    ):
        self.raw = X, V
        self.settled = {} if settled is None else settled
        self.y, self.n_classes, self.score, self.seed, self.n_jobs = y, n_classes, score, seed, n_jobs
        self.held = _held(y, n_classes, seed)

    @property
    def sparse(self) -> bool:
        """Whether rows are CSR."""
        return scipy.sparse.issparse(self.raw[0])

    @property
    def row_numbers(self) -> float:
        """Numbers a row of the data holds."""
        X = self.raw[0]
        return X.nnz / max(X.shape[0], 1) if self.sparse else float(X.shape[1])

    @property
    def n_rows(self) -> int:
        """Rows that train."""
        return len(self.y)

    @property
    def n_columns(self) -> int:
        """Columns of the data."""
        return self.raw[0].shape[1]

    @cached_property
    def standard(self) -> tuple[Any, Any]:
        """Both sets of rows, scaled by column for a model that regularises all columns alike."""
        return scaled(self.raw, "standard")

    @cached_property
    def unit(self) -> tuple[Any, Any]:
        """Both sets of rows, each column over its largest size, as paper 003 does: zeros stay, offsets too."""
        return scaled(self.raw, "unit")

    @cached_property
    def amounts(self) -> tuple[Any, Any]:
        """Both sets of rows, each column scaled to [0, 1], negative values of new rows cut off."""
        return scaled(self.raw, "amounts")


class Trial(NamedTuple):
    """What a probe did.

    Attributes
    ----------
    C : float
    path : list of dict
        `C`, `score` and `error` of each C tried on the rows held back.
    score : float
        On the rows held back, at the best C.
    held : ndarray
        Decision values on the rows held back.
    f : ndarray
        Decision values on the rows that judge.
    seconds, fit_seconds : float
        Processor time of everything, and of one fit at a known C, compilation apart.
    n_components : int
        Columns of the features.
    row_bytes : float
        Bytes of features a row takes.
    params : dict
        What was learned besides C, as the recommended estimator takes it.
    """

    C: float
    path: list[dict]
    score: float
    held: np.ndarray
    f: np.ndarray
    seconds: float
    fit_seconds: float
    n_components: int
    row_bytes: float
    params: dict


class Probe:
    """One way to see whether rows need more than a plane.

    A member names itself and implements `fit`; `refusal` where there are data it does not suit.
    """

    name = ""
    family = ""
    code = ""
    central = False  # tried whatever it is likely to take, unless a budget forbids it
    kernel = ""  # the kernel to recommend when this probe finds something; "" for none

    def refusal(self, task: Task) -> str | None:
        """Why this probe does not apply, or None."""
        return None

    def width(self, task: Task) -> float:
        """Numbers a row of features takes, from which the time is guessed before it is spent."""
        return task.row_numbers

    def fit(self, task: Task, *, C: float | None = None) -> Trial:
        """Train on the rows that train, choosing C on those held back unless it is given; answer those that judge."""
        raise NotImplementedError

    def smaller(self, n_components: int) -> "Probe | None":
        """The same probe with fewer components, or None where that has no meaning."""
        return None


SCALERS = {
    "standard": ("StandardScaler", {}, "MaxAbsScaler"),
    "unit": ("MaxAbsScaler", {}, "MaxAbsScaler"),
    "amounts": ("MinMaxScaler", {"clip": True}, "MaxAbsScaler"),
}


def scaler(kind: str, sparse: bool) -> Any:
    """The unfitted scaler of that name; zeros of sparse rows stay zeros."""
    import sklearn.preprocessing

    dense, options, without_shift = SCALERS[kind]
    return (
        getattr(sklearn.preprocessing, without_shift)() if sparse else getattr(sklearn.preprocessing, dense)(**options)
    )


def scaled(rows: tuple[Any, Any], kind: str) -> tuple[Any, Any]:
    """Rows that train, and others as their scale says."""
    scale = scaler(kind, scipy.sparse.issparse(rows[0])).fit(rows[0])
    done = [scale.transform(X) for X in rows]
    if scipy.sparse.issparse(rows[0]):
        return tuple(scipy.sparse.csr_array(X) for X in done)
    return tuple(np.ascontiguousarray(X, dtype=np.float32) for X in done)


def _held(y: np.ndarray, n_classes: int, seed: int) -> np.ndarray:
    """A quarter of the rows of each class; classes of one row are never held back."""
    from .sample import stratified_order

    strata = y if n_classes else np.zeros(len(y), dtype=np.int64)
    _, rank = stratified_order(strata, seed ^ 0x5EED)
    count = np.bincount(strata)
    start = np.concatenate([[0], np.cumsum(count)[:-1]])
    return ((rank + start[strata]) % 4 == 0) & (count[strata] > 1)
