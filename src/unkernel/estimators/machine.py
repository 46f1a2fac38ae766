"""What a chosen candidate becomes: a fitted thing that turns canonical rows into scores, block by block."""

from typing import Any

import numpy as np

from .._blocks import block_rows_for, map_blocks
from .leave_one_out import WIDE_ROWS, solve
from .scaling import Scale
from .selection import Target, mean_diagonal

BLOCK_BYTES = 1 << 24


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

    def __init__(self, scale: Scale, kernel: Any, ridge: float):
        self.scale, self.kernel, self.ridge = scale, kernel, ridge

    def fit(self, X, target: Target, *, left_out: bool = False, n_jobs: int | None = None) -> "ExactMachine":
        """Solve on these rows; n^2 numbers at a time."""
        self.scale_ = self.scale.fit(X)
        self.basis_ = self.scale_.transform(X)
        if self.basis_.shape[0] > WIDE_ROWS:
            self.basis_ = self.basis_.astype(np.float32)
        self.kernel_ = self.kernel.fit(self.basis_)
        K = np.asarray(self.kernel_(self.basis_, n_jobs=n_jobs))
        self.unit_ = mean_diagonal(K)
        K += self.unit_
        self.dual_, self.left_out_ = solve(K, target.Y, target.weight, self.ridge * self.unit_, left_out=left_out)
        self.dual_ = self.dual_.astype(self.basis_.dtype)
        return self

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
    """

    left_out_ = None

    def __init__(self, scale: Scale, map_: Any, learner: Any):
        self.scale, self.map, self.learner = scale, map_, learner

    def fit(self, X, y, weight, *, n_jobs: int | None = None) -> "FeatureMachine":
        """Learn scale, map and weights."""
        self.scale_ = self.scale.fit(X)
        X = self.scale_.transform(X)
        self.map_ = self.map and self.map.fit(X)
        self.learner_ = self.learner.fit(self.map_.features(X) if self.map_ else X, y, sample_weight=weight)
        return self

    def scores(self, X, *, n_jobs: int | None = None) -> np.ndarray:
        """(n, q) scores of canonical rows; the features of one block are all that is ever held."""
        decide = getattr(self.learner_, "decision_function", self.learner_.predict)

        def block(rows):
            part = self.scale_.transform(X[rows])
            found = decide(self.map_.features(part) if self.map_ else part)
            return found.reshape(len(found), -1)

        return _blockwise(block, X.shape[0], 8 * max(self.learner_.n_features_in_, 1), n_jobs)


def _blockwise(block, n_rows: int, row_bytes: int, n_jobs) -> np.ndarray:
    size = block_rows_for(row_bytes, n_rows, n_jobs=n_jobs, budget=BLOCK_BYTES)
    return np.concatenate(map_blocks(block, n_rows, block_rows=size, n_jobs=n_jobs))
