"""Rows as amounts: the columns and sizes of what a row holds, with negative values in columns of their own.

Column v < d of a row of width d is the positive part of column v, column d + i the negative part of column i. A value
lies in one of them, so a row has as many amounts as nonzeros and the 2d columns are never written out.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse

from . import amount_hot


class Amounts(NamedTuple):
    """Rows of positive amounts: row i holds `sizes[p]` in `columns[p]`, for p from indptr[i] to indptr[i + 1]."""

    indptr: np.ndarray  # int64
    columns: np.ndarray  # int64, rising within each sign
    sizes: np.ndarray  # float64

    @property
    def filled(self) -> np.ndarray:
        """Whether a row holds anything."""
        return np.diff(self.indptr) > 0

    def logs(self, p: float) -> np.ndarray:
        """p ln(size), float32: the power of an amount is a product here."""
        out = np.empty(len(self.sizes), np.float32)
        amount_hot.logs(self.sizes, p, out)
        return out


def shifted(X, center: np.ndarray | None):
    """Rows minus the center, in the rows' own type."""
    return X if center is None else X - center.astype(X.dtype)


def amounts(X) -> Amounts:
    """Amounts of canonical rows, dense or CSR; the same for both."""
    width = X.shape[1]
    if scipy.sparse.issparse(X):
        columns, sizes = np.empty(X.nnz, np.int64), np.empty(X.nnz)
        amount_hot.split(X.indices, X.data, width, columns, sizes)
        return Amounts(X.indptr.astype(np.int64), columns, sizes)
    indptr = np.zeros(len(X) + 1, np.int64)
    np.cumsum(np.count_nonzero(X, axis=1), out=indptr[1:])
    columns, sizes = np.empty(indptr[-1] + 1, np.int64), np.empty(indptr[-1] + 1)
    amount_hot.pack(X.astype(np.float64, copy=False), columns, sizes)
    return Amounts(indptr, columns[:-1], sizes[:-1])


def largest(X) -> np.ndarray:
    """Largest amount of each of the 2d columns, float64."""
    high, low = X.max(axis=0), X.min(axis=0)
    if scipy.sparse.issparse(X):
        high, low = high.toarray(), low.toarray()
    return np.maximum(np.concatenate([high, -low]).astype(np.float64), 0.0)
