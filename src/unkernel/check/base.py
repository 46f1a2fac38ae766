"""The contract of a probe: rows that train and rows that judge come in, a trial goes out, or a reason why not.

A probe is a cheap nonlinear model that is trained like a linear one. It chooses all it has to choose on the rows that
train, of which some are held back for that; the rows that judge are only answered.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from .sample import EXTRA, FOLDS, LONE


class Pool:
    """The rows that take part, and what is learned from them without their targets: once, for all turns.

    Parameters
    ----------
    X : ndarray or CSR
        Rows as they came, in random order; those that only judge come last.
    y : ndarray
        Class numbers (int32) or targets (float64).
    fold : ndarray of int
        The part each row belongs to; LONE always trains, EXTRA only judges.
    n_classes : int
        0 for a regression.
    score : Score
    seed : int
    n_jobs : int or None
    """

    def __init__(self, X, y: np.ndarray, fold: np.ndarray, *, n_classes: int, score, seed: int, n_jobs: int | None):
        self.X, self.y, self.fold, self.n_classes = X, y, fold, n_classes
        self.score, self.seed, self.n_jobs = score, seed, n_jobs
        self.shared: dict = {}

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What `make` returns, remembered under a key."""
        if key not in self.shared:
            self.shared[key] = make()
        return self.shared[key]

    def scaled(self, kind: str) -> Any:
        """All rows, columns scaled as those that take turns in training say."""
        return self.once(("scaled", kind), lambda: scaled((self.X[: self.n_turning], self.X), kind)[1])

    @property
    def n_turning(self) -> int:
        """Rows that take turns in training and judging; they come first."""
        return int(np.sum(self.fold != EXTRA))


class Task:
    """One turn of the pool as probes read it: which rows train, which of these are held back, which judge.

    Parameters
    ----------
    pool : Pool
    turn : int
        The part that judges.
    parts : tuple of int or None
        The parts that train, of which the first is held back for choices; None is all others.
    """

    def __init__(self, pool: Pool, turn: int = 0, *, parts: tuple[int, ...] | None = None):
        self.pool, self.turn = pool, turn
        self.parts = tuple((turn + k) % FOLDS for k in range(1, FOLDS)) if parts is None else parts
        self.train = np.flatnonzero(np.isin(pool.fold, self.parts) | (pool.fold == LONE))
        self.judge = np.flatnonzero((pool.fold == turn) | (pool.fold == EXTRA))
        self.y = pool.y[self.train]
        self.held = pool.fold[self.train] == self.parts[0]
        self.n_classes, self.score = pool.n_classes, pool.score
        self.seed, self.n_jobs = pool.seed, pool.n_jobs

    @property
    def sparse(self) -> bool:
        """Whether rows are CSR."""
        return scipy.sparse.issparse(self.pool.X)

    @property
    def row_numbers(self) -> float:
        """Numbers a row of the data holds."""
        X = self.pool.X
        return X.nnz / max(X.shape[0], 1) if self.sparse else float(X.shape[1])

    @property
    def n_rows(self) -> int:
        """Rows that train."""
        return len(self.y)

    @property
    def n_columns(self) -> int:
        """Columns of the data."""
        return self.pool.X.shape[1]

    def beginning(self, count: int) -> "Task | None":
        """The same turn with only so many parts that train; None if they are too few to learn from."""
        part = Task(self.pool, self.turn, parts=self.parts[-count:])
        few = part.n_rows < 16 or (part.n_classes and len(np.unique(part.y)) < 2)
        return None if few else part


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
    half : float or None
        Score on the rows held back with half of the components, where that is known.
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
    half: float | None = None


class Probe:
    """One way to see whether rows need more than a plane.

    A member names itself and implements `fit`; `refusal` where there are data it does not suit.
    """

    name = ""
    family = ""
    code = ""
    central = False  # tried whatever it is likely to take, unless a budget forbids it: there is no "no" without it
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

    def resized(self, n_components: int) -> "Probe | None":
        """The same probe with so many components, or None where that has no meaning."""
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
