"""Rows of monomials that are made as they are used: a form of features that holds the rows they come from."""

from typing import NamedTuple

import numpy as np
import scipy.sparse

from .monomials_hot import expand


class Monomials(NamedTuple):
    """The monomial features of sparse rows, generated row by row by whoever reads them.

    A row verb makes the features of its row, one multiplication each, uses them and forgets them, so that a learner
    trains on C(s + degree, degree) features a row in the memory of s. Maps make this form by `implicit`.

    Parameters
    ----------
    z, columns, indptr : ndarray
        The rows, as in CSR, times the factor of the map.
    scale : ndarray of shape (n,)
        Multiplies every feature of a row.
    terms : ndarray of shape (2, degree + 1)
        Weight of each size of monomial, and 1 / sqrt(m) for each m.
    first : ndarray of shape (degree + 1,), int64
    offset : ndarray of shape (degree + 1, d), int64
        The column of a monomial: first[k] less the offsets of its members but the last, plus the last.
    n_columns : int

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import TaylorMap
    >>> X = np.array([[0.0, 2.0], [1.0, 1.0]])
    >>> phi = TaylorMap(2, gamma=0.1, output="sparse").fit(X)
    >>> F = phi.implicit(X)
    >>> F.shape, bool(np.allclose(F.to_dense(), phi.features(X).to_dense()))
    ((2, 6), True)
    """

    z: np.ndarray
    columns: np.ndarray
    indptr: np.ndarray
    scale: np.ndarray
    terms: np.ndarray
    first: np.ndarray
    offset: np.ndarray
    n_columns: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.scale), self.n_columns

    @property
    def dtype(self) -> np.dtype:
        """Element type."""
        return self.z.dtype

    @property
    def nbytes(self) -> int:
        """Bytes held: those of the rows, not of their features."""
        return sum(part.nbytes for part in tuple(self)[:7])

    def __len__(self) -> int:
        return len(self.scale)

    def __getitem__(self, rows) -> "Monomials":
        rows = [int(rows)] if isinstance(rows, int | np.integer) else rows
        shape = len(self), self.offset.shape[1]
        X = scipy.sparse.csr_array((self.z, self.columns, self.indptr), shape=shape)[rows]
        parts = X.data, X.indices.astype(self.columns.dtype, copy=False), X.indptr.astype(np.int64)
        return Monomials(*parts, self.scale[rows], self.terms, self.first, self.offset, self.n_columns)

    def row(self, i: int) -> tuple[np.ndarray, np.ndarray]:
        """Columns and values of the features of row i."""
        return expand(self, i)

    def to_csr(self, dtype=None) -> scipy.sparse.csr_array:
        """The features themselves."""
        rows = [self.row(i) for i in range(len(self))]
        indptr = np.concatenate([[0], np.cumsum([len(columns) for columns, _ in rows], dtype=np.int64)])
        columns = np.concatenate([np.empty(0, self.columns.dtype), *(c for c, _ in rows)])
        values = np.concatenate([np.empty(0, self.dtype), *(v for _, v in rows)])
        return scipy.sparse.csr_array(
            (values.astype(dtype or self.dtype, copy=False), columns, indptr), shape=self.shape
        )

    def to_dense(self, dtype=None) -> np.ndarray:
        """The features as an array."""
        return self.to_csr(dtype).toarray()
