"""The contract of a solver: a problem that is only read, a solution with its certificate, and what each status means.

All columns of a problem share the rows of its features:

    for every column:   min over w, v   1/2 |w|^2 + 1/2 v^2 + sum_i c_i loss(y_i, <w, phi_i> + bias v)

A column is a class, a fold left out, and a C. The intercept is the weight v of one more feature, `bias`, and is
regularised with the rest, as in LIBLINEAR; a larger `bias` frees it.
"""

from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from .._blocks import row_blocks
from .._validate import InputError, check_rows
from ..features import Dense, Features, Sparse, as_features
from .losses import Loss, conjugate, limit, slope, value
from .product import times, transposed_times
from .watch import Watch

CERTIFY_ROWS = 8192


class Status(Enum):
    """How a solver ended; the value says what to do next."""

    CONVERGED = "The relative duality gap is within tol."
    OUT_OF_EPOCHS = (
        "The relative duality gap is above tol after the last pass allowed, or a callback wanted an end. Lower C, "
        "raise tol, or accept the gap: it bounds how far the objective is from its minimum"
    )
    STALLED = (
        "The relative duality gap stopped shrinking above tol: the working precision is in the way, or C is so large "
        'that steps hardly help. Lower C, raise tol, or work in double precision, dtype="float64"'
    )
    NOT_FINITE = (
        "The weights overflowed. Scale the features (for example sklearn.preprocessing.MaxAbsScaler) or lower C"
    )


class Columns(NamedTuple):
    """What differs between columns: the class that counts as +1 (or the target), the C, and the fold left out."""

    positive: np.ndarray  # (q,) int32
    C: np.ndarray  # (q,) float64
    held: np.ndarray  # (q,) int32, -1 where no fold is left out


class Problem(NamedTuple):
    """All that a solver reads.

    Parameters
    ----------
    F : Codes, Sparse or Dense
    y : ndarray of shape (n,) int32, or (n, t) float64
        Classes as indices, or targets of a regression.
    weight : ndarray of shape (n,), float64
        Sample weight times class weight; a row costs `C * weight`, and nothing where its fold is left out.
    fold : ndarray of shape (n,), int32
    columns : Columns
    loss : Loss
    bias : float
        Value of the intercept's feature; 0 for no intercept.
    watch : Watch or None
        Whom to tell how far the columns are.
    """

    F: Features
    y: np.ndarray
    weight: np.ndarray
    fold: np.ndarray
    columns: Columns
    loss: Loss
    bias: float
    watch: Watch | None = None

    @classmethod
    def of(
        cls,
        F: Features,
        y: np.ndarray,
        loss: Loss,
        C: float = 1.0,
        *,
        bias: float = 0.0,
        weight: np.ndarray | None = None,
    ) -> "Problem":
        """One column per class (one for two classes) or per target, at one C, no fold left out."""
        if loss.classifies:
            n_classes = int(y.max()) + 1
            positive = np.arange(n_classes) if n_classes > 2 else np.array([1])
        else:
            y = y.reshape(len(y), -1)
            positive = np.arange(y.shape[1])
        q = len(positive)
        columns = Columns(positive.astype(np.int32), np.full(q, float(C)), np.full(q, -1, dtype=np.int32))
        weight = np.ones(len(y)) if weight is None else weight
        return cls(F, y, weight, np.zeros(len(y), dtype=np.int32), columns, loss, float(bias))

    @property
    def n_columns(self) -> int:
        """Columns of weights."""
        return len(self.columns.C)

    def column(self, chosen) -> "Problem":
        """The same problem with some of its columns: an index, a slice or an array."""
        chosen = np.atleast_1d(np.arange(self.n_columns)[chosen])
        return self._replace(columns=Columns(*(part[chosen] for part in self.columns)))

    def at(self, C: float) -> "Problem":
        """The same problem with one C in every column."""
        return self._replace(columns=self.columns._replace(C=np.full(self.n_columns, float(C))))

    def tell(self, passes: int, gap: float) -> bool:
        """Tell who watches about the one column there is; whether to end."""
        if self.watch is None:
            return False
        positive, C, held = (part[0] for part in self.columns)
        return self.watch.passed((int(positive), int(held)), C, passes, gap)

    @property
    def stopped(self) -> bool:
        """Whether who watches wanted an end."""
        return self.watch is not None and self.watch.stopped

    def targets(self, rows=slice(None)) -> np.ndarray:
        """Target of each row in each column, float64."""
        if self.loss.classifies:
            return np.where(self.y[rows, None] == self.columns.positive, 1.0, -1.0)
        return self.y[rows][:, self.columns.positive]

    def costs(self, rows=slice(None)) -> np.ndarray:
        """Cost of each row in each column, float64; zero where its fold is left out."""
        used = self.fold[rows, None] != self.columns.held
        return self.weight[rows, None] * self.columns.C * used


class Solution(NamedTuple):
    """What a solver returns, all of it per column.

    Attributes
    ----------
    W : ndarray of shape (columns of F, q)
    v : ndarray of shape (q,)
        Weight of the intercept's feature; the intercept is `bias * v`.
    dual : ndarray of shape (n, q) or None
        Dual variables, for a warm start.
    objective, gap : ndarray of shape (q,)
        Primal objective, and the relative duality gap at W.
    n_epochs : ndarray of shape (q,), int
        Passes over the rows, in whole passes.
    status : list of Status
    decided : ndarray of shape (n, q) or None
        Predictions at W, from solvers that have them anyway.
    """

    W: np.ndarray
    v: np.ndarray
    dual: np.ndarray | None
    objective: np.ndarray
    gap: np.ndarray
    n_epochs: np.ndarray
    status: list[Status]
    decided: np.ndarray | None = None


def certify(
    problem: Problem, W: np.ndarray, v: np.ndarray, dual: np.ndarray | None = None, *, n_jobs: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Primal objective and relative duality gap of each column, the same function for every solver.

    The gap is (primal - dual) / primal and bounds how far the objective is above its minimum. Without dual variables
    those that the predictions imply are used, b = -c * slope, which certify a smooth loss well near its optimum.

    Cost: one product with W and one transposed, in float64 sums over blocks of rows.
    """
    loss, n = problem.loss, len(problem.F)
    primal = 0.5 * (_squares(W) + v.astype(np.float64) ** 2)
    owed = np.zeros(problem.n_columns)
    B = np.empty((n, problem.n_columns), dtype=W.dtype) if dual is None else dual
    for rows in row_blocks(n, CERTIFY_ROWS):
        y, c = problem.targets(rows), problem.costs(rows)
        f = (times(problem.F[rows], W, n_jobs=n_jobs) + problem.bias * v).astype(np.float64)
        primal += (c * value(loss, y, f)).sum(axis=0)
        if dual is None:
            B[rows] = -c * slope(loss, y, f)
        owed += paid(loss, y, c, B[rows])
    reached = _squares(transposed_times(problem.F, B, n_jobs=n_jobs)) + (problem.bias * B.sum(axis=0)) ** 2
    return primal, relative_gap(primal, -0.5 * reached - owed)


def relative_gap(primal: np.ndarray, dual: np.ndarray) -> np.ndarray:
    """(primal - dual) / primal, zero where both are zero."""
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = (primal - dual) / np.abs(primal)
    return np.where(primal == dual, 0.0, gap)


def paid(loss: Loss, y: np.ndarray, c: np.ndarray, B: np.ndarray) -> np.ndarray:
    """sum_i c_i conjugate(b_i / c_i), rows without cost left out."""
    with np.errstate(invalid="ignore", divide="ignore"):
        b = np.where(c > 0, B / c, 0.0)
    top = limit(loss)
    b = y * np.clip(y * b, 0, top) if loss.classifies else np.clip(b, -top, top)
    return (c * conjugate(loss, y, b)).sum(axis=0)


def _squares(W: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->j", W, W, dtype=np.float64)


def features_of(estimator: Any, X: Any, *, reset: bool = False, dtype: Any = None) -> Features:
    """Features of what a linear estimator is given: an array, CSR, or a form that a map made."""
    if isinstance(X, Dense | Sparse):
        X = X.values if isinstance(X, Dense) else X.to_csr()
    if not isinstance(X, Features):
        return as_features(check_rows(estimator, X, reset=reset, dtypes=_dtypes(dtype)))
    if reset:
        estimator.n_features_in_ = X.shape[1]
        vars(estimator).pop("feature_names_in_", None)  # of an earlier fit on a frame
    elif X.shape[1] != estimator.n_features_in_:
        raise InputError(
            f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} "
            "features as input; make them with the same fitted map"
        )
    if not len(X):
        raise InputError("X has no rows; at least one is needed")
    return Sparse.of(X.to_csr(np.float64)) if dtype is not None and np.dtype(dtype) == np.float64 else X


def _dtypes(dtype):
    return (np.float64, np.float32) if dtype is None else (np.dtype(dtype).type,)
