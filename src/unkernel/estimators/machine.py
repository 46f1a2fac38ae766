"""What a chosen candidate becomes: a fitted thing that turns canonical rows into scores, block by block."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone

from .._blocks import block_rows_for, map_blocks
from ..report.words import seconds_in_words
from .leave_one_out import solve
from .scaling import Scale
from .selection import Target, mean_diagonal, order

Tell = Callable[[float, str], Any]  # (share done, what is next and how long it takes)

BLOCK_BYTES = 1 << 24
FINE_ROWS = 2000  # up to here float64 costs nothing
WIDE_ROWS = 6000  # beyond, amounts are solved in float32 too
HELD_ROWS = 10_000
FOLDS = 3
HOLD_FROM = 10_000  # rows from which a twentieth can be spared
PILOT_ROWS = 10_000
PROBE_ROWS = 1000
LEFT_OUT_ROWS = 2000  # up to here every row is scored by the others


class ExactMachine:
    """Least squares on the full Gram matrix: scores are sums over the training rows.

    Attributes
    ----------
    scale_ : Scale
    kernel_ : kernel with every parameter a number
    basis_ : rows the scores are sums over, scaled
    dual_ : ndarray of shape (n, q)
    left_out_ : ndarray of shape (n, q) or None
        Score of each training row by the model of the others.
    """

    left_out_ = None

    def __init__(self, scale: Scale, kernel: Any, ridge: float):
        self.scale, self.kernel, self.ridge = scale, kernel, ridge

    def fit(self, X, target: Target, *, n_jobs: int | None = None, tell: Tell | None = None) -> "ExactMachine":
        """Solve on these rows; n^2 numbers at a time. Few rows are also scored by the others."""
        self.scale_ = self.scale.fit(X)
        self.basis_ = self.scale_.transform(X)
        if self.basis_.shape[0] > (WIDE_ROWS if target.index is None else FINE_ROWS):
            self.basis_ = self.basis_.astype(np.float32)
        self.kernel_ = self.kernel.fit(self.basis_)
        if tell:
            about = seconds_in_words(self._seconds(len(target.Y)))
            tell(0.0, f"the exact kernel of {len(target.Y):,} rows, about {about}")
        K = np.asarray(self.kernel_(self.basis_, n_jobs=n_jobs))
        left_out = len(K) <= LEFT_OUT_ROWS
        self.unit_ = mean_diagonal(K)
        K += self.unit_
        self.dual_, self.left_out_ = solve(K, target.Y, target.weight, self.ridge * self.unit_, left_out=left_out)
        self.dual_ = self.dual_.astype(self.basis_.dtype)
        return self

    def _seconds(self, n: int) -> float:
        """What the kernel and a factor of n rows take, from those of a few."""
        few = self.basis_[: min(n, PROBE_ROWS)]
        start = perf_counter()
        K = np.array(self.kernel_(few))
        kernel = perf_counter() - start
        solve(K + np.eye(len(K), dtype=K.dtype), np.ones((len(K), 1)), np.ones(len(K)), 1.0)
        return kernel * (n / len(K)) ** 2 + (perf_counter() - start - kernel) * (n / len(K)) ** 3

    def scores(self, X, *, n_jobs: int | None = None) -> np.ndarray:
        """(n, q) scores of canonical rows, a block of the Gram matrix at a time."""
        constant = self.unit_ * self.dual_.sum(axis=0)

        def block(rows):
            part = self.scale_.transform(X[rows]).astype(self.basis_.dtype, copy=False)
            return self.kernel_(part, self.basis_) @ self.dual_ + constant

        return _blockwise(block, X.shape[0], 8 * len(self.dual_), n_jobs)


class FeatureMachine:
    """A linear learner on scaled columns, or on the features a map makes of them.

    Attributes
    ----------
    scale_ : Scale
    map_ : fitted map or None
    learner_ : fitted linear learner
    left_out_ : ndarray of shape (held, q) or None
        Scores of the rows held back from the learner, where rows are many; else of rows by a learner of the others.
    held_ : ndarray of shape (held,)
        Those rows.
    """

    left_out_ = None

    def __init__(self, scale: Scale, map_: Any, learner: Any, seed: int = 0):
        self.scale, self.map, self.learner, self.seed = scale, map_, learner, seed

    def fit(self, X, target: Target, *, n_jobs: int | None = None, tell: Tell | None = None) -> "FeatureMachine":
        """Learn scale, map and weights; on a few rows first, to tell how long all will take."""
        labels = target.Y if target.index is None else target.index
        taught, self.held_ = apart(target, self.seed)
        self.scale_ = self.scale.fit(X)
        Z = self.scale_.transform(X)
        self.map_ = self.map and self.map.fit(Z)

        def learn(rows):
            self.learner_ = self.learner.fit(self._features(Z[rows]), labels[rows], sample_weight=target.weight[rows])

        if tell and len(taught) > 2 * PILOT_ROWS:
            few = order(target, self.seed)[:PILOT_ROWS]
            learn(few[: PILOT_ROWS // 10])  # compiled loops are loaded before the clock runs
            start = perf_counter()
            learn(few)
            about, what = (perf_counter() - start) * len(taught) / PILOT_ROWS, f"{self._what()} on {len(taught):,} rows"
            tell(0.0, f"{what}, about {seconds_in_words(about)}")
            self.learner.callbacks = _passes(tell, what, about)
        try:
            learn(taught if len(self.held_) else slice(None))
        finally:
            self.learner.callbacks = None  # no file holds what was told
        if len(self.held_):
            self.left_out_ = self.scores(X[self.held_], n_jobs=n_jobs)
        elif target.index is not None:
            self._leave_out(Z, target)
        return self

    def _leave_out(self, Z, target: Target) -> None:
        """Scores of rows by the same learner trained without them; the first row of a class always teaches."""
        rows = order(target, self.seed)
        first, rest = np.split(rows, [target.Y.shape[1] + (target.Y.shape[1] == 1)])
        fold, learner = np.arange(len(rest)) % FOLDS, clone(self.learner)
        learner.set_params(C=self.learner_.C_)
        scores = np.empty(target.Y.shape)
        for f in np.unique(fold):
            taught, asked = np.concatenate([first, rest[fold != f]]), rest[fold == f]
            learner.fit(self._features(Z[taught]), target.index[taught], sample_weight=target.weight[taught])
            scores[asked] = learner.decision_function(self._features(Z[asked])).reshape(len(asked), -1)
        if len(rest):
            self.held_ = np.sort(rest)
            self.left_out_ = scores[self.held_]

    def _features(self, Z):
        return self.map_.features(Z) if self.map_ else Z

    def _what(self) -> str:
        return f"{self.map_.n_components:,} components" if self.map_ else "a linear model"

    def scores(self, X, *, n_jobs: int | None = None) -> np.ndarray:
        """(n, q) scores of canonical rows; the features of one block are all that is ever held."""
        decide = getattr(self.learner_, "decision_function", self.learner_.predict)

        def block(rows):
            part = self.scale_.transform(X[rows])
            found = decide(self._features(part))
            return found.reshape(len(found), -1)

        row_bytes = self.map_._row_bytes() if self.map_ else 8 * max(X.shape[1], 1)
        return _blockwise(block, X.shape[0], row_bytes, n_jobs)


def _passes(tell: Tell, what: str, about: float) -> Callable[[Any], None]:
    """A callback of a learner that says how far it is, by the clock and by its gap."""
    start = perf_counter()

    def passed(step) -> None:
        spent = perf_counter() - start
        tell(min(spent / about, 0.99), f"{what}, {seconds_in_words(spent)} so far, gap {step.gap:.2g}")

    return passed


def apart(target: Target, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows that teach and rows held back, in their order: a twentieth of many rows, none of few."""
    n = len(target.Y)
    rows = order(target, seed)
    held = rows[n - min(HELD_ROWS, n // 20) :] if n >= HOLD_FROM else rows[:0]
    return np.setdiff1d(np.arange(n), held), np.sort(held)


def _blockwise(block, n_rows: int, row_bytes: int, n_jobs) -> np.ndarray:
    size = block_rows_for(row_bytes, n_rows, n_jobs=n_jobs, budget=BLOCK_BYTES)
    return np.concatenate(map_blocks(block, n_rows, block_rows=size, n_jobs=n_jobs))
