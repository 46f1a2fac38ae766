"""Features by column, for solvers that change one group of weights at a time: the forms, and the column verbs.

A unit is a set of columns that is changed at once: a component of codes, a group, or a single column. As in
`features.py`, the Python body of a verb is its specification; `column_hot.py` holds its machine code.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse

from ..features import Codes, Dense, Features


class CodeColumns(NamedTuple):
    """Codes by component; a unit is all columns of one component, in order.

    Parameters
    ----------
    codes : ndarray of shape (k, n), uint8 or uint16
    size : ndarray of shape (n,), float64
        Value of a set feature of the row; 0 for an empty row.
    levels : int
    """

    codes: np.ndarray
    size: np.ndarray
    levels: int


class SparseColumns(NamedTuple):
    """CSC."""

    data: np.ndarray
    rows: np.ndarray
    indptr: np.ndarray


class DenseColumns(NamedTuple):
    """The transposed array, C-ordered."""

    values: np.ndarray


Columns = CodeColumns | SparseColumns | DenseColumns


def columns_of(F: Features) -> Columns:
    """Features of any form by column. Holds a copy of them; `Monomials` are written out as CSC.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import Codes
    >>> columns_of(Codes.of(np.array([[0, 1], [1, 1], [1, 0]]), 2)).codes
    array([[0, 1, 1],
           [1, 1, 0]], dtype=uint8)
    """
    if isinstance(F, Codes):
        return CodeColumns(np.ascontiguousarray(F.codes.T), np.where(F.filled, F.value, 0.0), F.levels)
    if isinstance(F, Dense):
        return DenseColumns(np.ascontiguousarray(F.values.T))
    X = scipy.sparse.csc_array(F.to_csr())
    index = X.indices.astype(np.int32 if len(F) <= np.iinfo(np.int32).max else np.int64, copy=False)
    return SparseColumns(X.data, index, X.indptr.astype(np.int64))


# The column verbs. `F` is any form by column, `columns` a unit, `r`, `h` vectors over rows, `a`, `out` over the unit.


def unit_dot(F, columns, r, out):
    """out = Phi_u' r."""
    out[:] = _part(F, columns, len(r)).T @ r


def unit_bend(F, columns, h, out):
    """out = the diagonal of Phi_u' diag(h) Phi_u."""
    out[:] = (_part(F, columns, len(h)) ** 2).T @ h


def unit_add(F, columns, a, h, r):
    """r += h * (Phi_u a)."""
    r += h * (_part(F, columns, len(r)) @ a)


def _part(F, columns, n) -> np.ndarray:
    """The columns of a unit as an array of n rows: what the verbs mean."""
    if isinstance(F, CodeColumns):
        j = columns[0] // F.levels
        return (F.codes[j][:, None] == np.arange(F.levels)) * F.size[:, None]
    if isinstance(F, DenseColumns):
        return F.values[columns].T.astype(np.float64)
    out = np.zeros((n, len(columns)))
    for p, j in enumerate(columns):
        at = slice(F.indptr[j], F.indptr[j + 1])
        out[F.rows[at], p] = F.data[at]
    return out
