"""Scales of columns: what a kernel that adds columns up needs first, learned once from the training rows."""

from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator

from .._validate import check_choice

SCALES = ("none", "standard", "range", "rank", "unit")
KNOTS = 256


class Scale(BaseEstimator):
    """One rule for all columns; rows keep their form, so sparse rows are never centred.

    Parameters
    ----------
    rule : {"none", "standard", "range", "rank", "unit"}
        As they are; mean 0 and deviation 1; least 0 and largest 1; the share of training values below, by at most 256
        knots (dense rows only); rows of length 1.
    weights : array-like of shape (d,) or None, default=None
        What each scaled column is multiplied by (dense rows only).
    """

    def __init__(self, rule: str = "standard", weights=None):
        self.rule = rule
        self.weights = weights

    def fit(self, X, y=None) -> "Scale":
        """Learn the scale of canonical rows."""
        check_choice("rule", self.rule, SCALES)
        self.sparse_ = scipy.sparse.issparse(X)
        if self.rule == "standard":
            self.shift_, spread = _moments(X)
        elif self.rule == "range":
            self.shift_, spread = _ends(X)
        elif self.rule == "rank":
            at = np.linspace(0, 1, min(KNOTS, len(X)))
            self.knots_ = np.quantile(X, at, axis=0).T
        if self.rule in ("standard", "range"):
            # A column of one value says nothing: it becomes zero, or stays as it is where rows are sparse.
            self.factor_ = np.divide(1.0, spread, out=np.zeros(len(spread)), where=spread > 0)
        return self

    def transform(self, X) -> Any:
        """Scaled rows, float64."""
        X = self._scaled(self._as_learned(X.astype(np.float64, copy=False)))
        return X if self.weights is None else X * self.weights

    def _as_learned(self, X):
        """Rows in the form the scale was learned from: only dense rows are moved, so the forms would not agree."""
        if self.rule in ("none", "unit") and self.weights is None:
            return X
        if self.sparse_:
            return scipy.sparse.csr_array(X)
        return X.toarray() if scipy.sparse.issparse(X) else X

    def _scaled(self, X):
        if self.rule == "none":
            return X
        if self.rule == "unit":
            return _units(X)
        if self.rule == "rank":
            return _ranks(X, self.knots_)
        if scipy.sparse.issparse(X):
            return scipy.sparse.csr_array(X * self.factor_[None, :])
        return (X - self.shift_) * self.factor_


def _moments(X):
    if scipy.sparse.issparse(X):
        X = X.astype(np.float64)
        mean = np.asarray(X.mean(axis=0)).ravel()
        square = np.asarray(X.multiply(X).mean(axis=0)).ravel()
        return mean, np.sqrt(np.maximum(square - mean**2, 0))
    mean, spread = X.mean(axis=0, dtype=np.float64), X.std(axis=0, dtype=np.float64)
    return mean, np.where(spread > 1e-12 * np.abs(mean), spread, 0.0)


def _ends(X):
    if scipy.sparse.issparse(X):
        return np.zeros(X.shape[1]), abs(X).max(axis=0).toarray().ravel().astype(np.float64)
    least, most = X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)
    return least, most - least


def _units(X):
    if scipy.sparse.issparse(X):
        lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
        by = np.divide(1.0, lengths, out=np.zeros(len(lengths)), where=lengths > 0)
        return scipy.sparse.csr_array(X * by[:, None])
    lengths = np.sqrt(np.einsum("ij,ij->i", X, X))
    return X * np.divide(1.0, lengths, out=np.zeros(len(lengths)), where=lengths > 0)[:, None]


def _ranks(X, knots):
    """Share of training values below each value, ties in the middle."""
    out = np.empty(X.shape)
    for j, knot in enumerate(knots):
        below, up_to = np.searchsorted(knot, X[:, j], "left"), np.searchsorted(knot, X[:, j], "right")
        tied = up_to > below
        between = np.interp(X[:, j], *_distinct(knot))
        out[:, j] = np.where(tied, (below + up_to - 1) / 2 / max(len(knot) - 1, 1), between)
    return out


def _distinct(knot):
    """Distinct knots and the share below each."""
    values, first, count = np.unique(knot, return_index=True, return_counts=True)
    return values, (first + (count - 1) / 2) / max(len(knot) - 1, 1)
