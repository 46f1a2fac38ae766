"""What a kernel needs of a pair of rows: one sum over columns. Each is a tag that compiled loops choose a body by.

`pair` is the term of one column; it is zero where both are zero. Every sum splits as
S(u, v) = alone(u) + alone(v) + the sum over columns where neither is zero of [pair(u, v) - pair(u, 0) - pair(0, v)],
so sparse rows cost their common nonzeros only.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse

from .._blocks import row_blocks
from .._validate import InputError


class Products(NamedTuple):
    """sum_j u_j v_j."""

    name: int = 0

    def pair(self, u, v):
        """The term of one column."""
        return u * v


class Minima(NamedTuple):
    """sum_j min(u_j, v_j) over positive parts, plus the same over negative parts."""

    name: int = 1

    def pair(self, u, v):
        """The term of one column."""
        return np.maximum(np.minimum(u, v), 0) + np.maximum(np.minimum(-u, -v), 0)


class ChiSquares(NamedTuple):
    """sum_j (u_j - v_j)^2 / (u_j + v_j), of rows that are not negative."""

    name: int = 2

    def pair(self, u, v):
        """The term of one column."""
        total = u + v
        return (u - v) * ((u - v) / np.where(total > 0, total, 1))  # a square could overflow


class Distances(NamedTuple):
    """sum_j |u_j - v_j|."""

    name: int = 3

    def pair(self, u, v):
        """The term of one column."""
        return np.abs(u - v)


class LogCosh(NamedTuple):
    """sum_j log cosh(u_j - v_j)."""

    name: int = 4

    def pair(self, u, v):
        """The term of one column."""
        t = np.abs(u - v)
        return t + np.log1p(np.exp(-2 * t)) - np.log(2)


Statistic = Products | Minima | ChiSquares | Distances | LogCosh


def pair(statistic: Statistic, u, v):
    """The term of one column, as a verb that compiled loops know."""
    return statistic.pair(u, v)


def shared(statistic: Statistic, u, v):
    """What a column in which neither is zero adds to the sums of both rows alone; compiled loops know it too."""
    nothing = np.zeros_like(u)
    return statistic.pair(u, v) - statistic.pair(u, nothing) - statistic.pair(nothing, v)


def itself(statistic: Statistic, R) -> np.ndarray:
    """The sum of each row with itself, float64."""
    if isinstance(statistic, Products):
        return _row_sums(R, np.square)
    return _row_sums(R, np.abs) if isinstance(statistic, Minima) else np.zeros(R.shape[0])


def alone(statistic: Statistic, R) -> np.ndarray:
    """The sum of each row with a row of zeros, float64."""
    if isinstance(statistic, Products | Minima):
        return np.zeros(R.shape[0])
    return _row_sums(R, lambda x: statistic.pair(x, np.zeros_like(x)))


def weight(statistic: Statistic, R, name: str = "X") -> np.ndarray:
    """How much there is of each row, zero for a row of zeros: its square for products, else its absolute sum."""
    sums = _row_sums(R, np.square if isinstance(statistic, Products) else np.abs)
    fits = sums <= np.finfo(R.dtype).max
    if not fits.all():
        i = int(np.argmin(fits))
        largest = float(abs(R[[i]]).max())
        raise InputError(
            f"row {i} of {name} has values as large as {largest:g} and their {R.dtype} sums overflow; scale the "
            "columns, for example with sklearn.preprocessing.MaxAbsScaler"
        )
    return sums


def tops(R) -> np.ndarray:
    """Largest size of a value in each row."""
    if not scipy.sparse.issparse(R):
        return np.maximum(R.max(axis=1), -R.min(axis=1))
    return np.maximum(R.max(axis=1).toarray().ravel(), -R.min(axis=1).toarray().ravel())


@np.errstate(over="ignore")  # `weight` refuses
def _row_sums(R, function) -> np.ndarray:
    """Sum over columns of a function that is zero at zero."""
    if not scipy.sparse.issparse(R):
        blocks = (function(R[rows]) for rows in row_blocks(R.shape[0], 256))
        return np.concatenate([np.sum(block, axis=1, dtype=np.float64) for block in blocks])
    values = np.append(function(R.data).astype(np.float64), 0.0)
    sums = np.add.reduceat(values, np.minimum(R.indptr[:-1], len(values) - 1)) if R.shape[0] else np.empty(0)
    return np.where(np.diff(R.indptr) > 0, sums, 0.0)
