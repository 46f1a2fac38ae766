"""The waist: the forms features take, and the row verbs every learner is written against.

A form is a NamedTuple of arrays, so compiled loops take it as it is. The Python body of a verb is its specification
and what runs with the compiler off; `features_hot.py` holds its machine code, one body per form.
"""

from threading import Lock
from typing import NamedTuple

import numpy as np
import scipy.sparse

from ._codes_file import CodesWriter, open_codes
from ._validate import InputError
from .monomials import Monomials

__all__ = [
    "Codes",
    "CodesWriter",
    "Dense",
    "Features",
    "Gathering",
    "Monomials",
    "Sparse",
    "as_features",
    "concatenate",
]


class Codes(NamedTuple):
    """One-hot blocks, one per component, kept as the index of the one: a byte where CSR spends twelve.

    Feature (j, c) of row i is `value` if `codes[i, j] == c` and the row is filled, else 0. It stands in column
    `j * levels + c`. A row that is not filled carries the empty code: no feature of it is set.

    Parameters
    ----------
    codes : ndarray of shape (n, k), uint8 or uint16
    filled : ndarray of shape (n,), bool
    levels : int
        Values a code can take, at most 256 or 65,536.
    value : float
        What a set feature is worth; 1 / sqrt(k) makes inner products the share of equal codes.

    Examples
    --------
    >>> from unkernel import Codes
    >>> F = Codes.of([[2, 0], [2, 3]], levels=4)
    >>> F.to_dense().astype(bool).astype(int)
    array([[0, 0, 1, 0, 1, 0, 0, 0],
           [0, 0, 1, 0, 0, 0, 0, 1]])
    """

    codes: np.ndarray
    filled: np.ndarray
    levels: int
    value: float

    @classmethod
    def of(
        cls, codes: np.ndarray, levels: int, *, filled: np.ndarray | None = None, value: float | None = None
    ) -> "Codes":
        """Codes from an integer array, with the usual scale 1 / sqrt(k) and all rows filled."""
        codes = np.asarray(codes)
        if not 1 <= levels <= 65_536:
            raise InputError(f"levels is {levels}; codes take between 1 and 65,536 values: use fewer bits")
        if codes.ndim != 2 or codes.dtype.kind not in "ui":
            raise InputError(
                f"codes have {codes.ndim} axes of {codes.dtype}; a (rows, components) array of whole numbers is needed"
            )
        if codes.size and not 0 <= codes.min() <= codes.max() < levels:
            raise InputError(
                f"codes range from {codes.min()} to {codes.max()}; with {levels} levels they lie in 0 to {levels - 1}"
            )
        codes = np.ascontiguousarray(codes, dtype=np.uint8 if levels <= 256 else np.uint16)
        filled = np.ones(len(codes), dtype=bool) if filled is None else np.ascontiguousarray(filled, dtype=bool)
        return cls(codes, filled, int(levels), float(codes.shape[1] ** -0.5 if value is None else value))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the matrix the codes stand for."""
        return self.codes.shape[0], self.codes.shape[1] * self.levels

    @property
    def dtype(self) -> np.dtype:
        """Element type `to_dense` and `to_csr` give unless told."""
        return np.dtype(np.float32)

    @property
    def nbytes(self) -> int:
        """Bytes held, or mapped."""
        return self.codes.nbytes + self.filled.nbytes

    def __len__(self) -> int:
        return self.codes.shape[0]

    def __getitem__(self, rows) -> "Codes":
        rows = _several(rows)
        return Codes(self.codes[rows], self.filled[rows], self.levels, self.value)

    def to_csr(self, dtype=np.float32) -> scipy.sparse.csr_array:
        """The matrix itself, int32 indices while they fit."""
        n, k = self.codes.shape
        index = np.int32 if max(n * k, self.shape[1]) <= np.iinfo(np.int32).max else np.int64
        indices = (self.codes + np.arange(k, dtype=index) * index(self.levels))[self.filled]
        indptr = np.concatenate([[0], np.cumsum(self.filled, dtype=index) * k]).astype(index)
        data = np.full(indices.size, self.value, dtype=dtype)
        return scipy.sparse.csr_array((data, indices.ravel().astype(index, copy=False), indptr), shape=self.shape)

    def to_dense(self, dtype=np.float32) -> np.ndarray:
        """The matrix as an array: n * k * levels numbers."""
        return self.to_csr(dtype).toarray()

    def save(self, path) -> None:
        """Write to one file that `Codes.open` maps; beside it first, then renamed."""
        with CodesWriter(path, self.codes.shape[1], self.levels, self.value, self.codes.dtype) as writer:
            writer.append(self)

    @classmethod
    def open(cls, path, *, verify: bool = True) -> "Codes":
        """Map a file written by `save` or `CodesWriter`: rows are read from disk as they are used.

        Parameters
        ----------
        path : path-like
        verify : bool
            Read the file once, in pieces, and compare its checksum. A damaged code could point outside the weights.
        """
        return cls(*open_codes(path, verify))


class Sparse(NamedTuple):
    """CSR with 64-bit row pointers, so no number of nonzeros overflows.

    Examples
    --------
    >>> import scipy.sparse
    >>> from unkernel import Sparse
    >>> F = Sparse.of(scipy.sparse.csr_array([[0.0, 2.0], [1.0, 0.0]]))
    >>> F.shape, F.indptr.dtype
    ((2, 2), dtype('int64'))
    """

    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray
    n_columns: int

    @classmethod
    def of(cls, X) -> "Sparse":
        """From a SciPy CSR array or matrix; the data and indices are shared, not copied."""
        return cls(X.data, X.indices, X.indptr.astype(np.int64, copy=False), int(X.shape[1]))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.indptr) - 1, self.n_columns

    @property
    def dtype(self) -> np.dtype:
        """Element type."""
        return self.data.dtype

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.data.nbytes + self.indices.nbytes + self.indptr.nbytes

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __getitem__(self, rows) -> "Sparse":
        if isinstance(rows, slice) and rows.step in (None, 1):
            start, stop, _ = rows.indices(len(self))
            first, last = self.indptr[start], self.indptr[max(start, stop)]
            return Sparse(
                self.data[first:last],
                self.indices[first:last],
                self.indptr[start : max(start, stop) + 1] - first,
                self.n_columns,
            )
        return Sparse.of(self.to_csr()[_several(rows)])

    def to_csr(self, dtype=None) -> scipy.sparse.csr_array:
        """SciPy's CSR of the same numbers."""
        # Pointers of the same type as the indices, where they fit, spare SciPy a look at every index.
        narrow = self.indices.dtype == np.int32 and self.indptr[-1] <= np.iinfo(np.int32).max
        indptr = self.indptr.astype(np.int32) if narrow else self.indptr
        data = self.data.astype(dtype or self.dtype, copy=False)
        return scipy.sparse.csr_array((data, self.indices, indptr), shape=self.shape)

    def to_dense(self, dtype=None) -> np.ndarray:
        """The matrix as an array."""
        return self.to_csr(dtype).toarray()


class Dense(NamedTuple):
    """A C-ordered float32 or float64 array.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import Dense
    >>> Dense(np.eye(3))[1:].shape
    (2, 3)
    """

    values: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.values.shape

    @property
    def dtype(self) -> np.dtype:
        """Element type."""
        return self.values.dtype

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.values.nbytes

    def __len__(self) -> int:
        return self.values.shape[0]

    def __getitem__(self, rows) -> "Dense":
        return Dense(self.values[_several(rows)])

    def to_csr(self, dtype=None) -> scipy.sparse.csr_array:
        """SciPy's CSR of the nonzeros."""
        return scipy.sparse.csr_array(self.to_dense(dtype))

    def to_dense(self, dtype=None) -> np.ndarray:
        """The array itself."""
        return self.values.astype(dtype or self.dtype, copy=False)


Features = Codes | Sparse | Dense | Monomials


def _several(rows):
    """Row selections as they are, one row as a selection of one: a form never loses an axis."""
    return [int(rows)] if isinstance(rows, int | np.integer) else rows


def as_features(X) -> Features:
    """The form of a canonical input: an array is Dense, CSR is Sparse, a form is itself."""
    if isinstance(X, Features):
        return X
    return Sparse.of(X) if scipy.sparse.issparse(X) else Dense(X)


def concatenate(blocks: list[Features]) -> Features:
    """Blocks of rows, one under the other; all of one form and width."""
    first = blocks[0]
    kinds = {(type(b), b.shape[1], getattr(b, "levels", 0), getattr(b, "value", 0)) for b in blocks}
    if len(kinds) > 1:
        raise InputError(
            f"blocks differ in form, width, levels or value: {sorted(map(str, kinds))}; make them with one fitted map"
        )
    if isinstance(first, Codes):
        parts = [np.concatenate([getattr(b, name) for b in blocks]) for name in ("codes", "filled")]
        return Codes(*parts, first.levels, first.value)
    if isinstance(first, Dense):
        return Dense(np.concatenate([b.values for b in blocks]))
    starts = np.cumsum([0] + [len(b.data) for b in blocks])
    indptr = np.concatenate([[0], *(b.indptr[1:] + s for b, s in zip(blocks, starts[:-1], strict=True))]).astype(
        np.int64
    )
    data, indices = (np.concatenate([getattr(b, name) for b in blocks]) for name in ("data", "indices"))
    return Sparse(data, indices, indptr, first.n_columns)


class Gathering:
    """Blocks of rows, put where they belong as threads finish them.

    Forms of fixed width are copied into place and let go, so memory peaks at one copy of the features and not two.
    """

    def __init__(self, n_rows: int):
        self.n_rows = n_rows
        self._whole: Features | None = None
        self._parts: dict[tuple[int, int], Sparse] = {}
        self._lock = Lock()

    def put(self, rows: slice, block: Features) -> None:
        """Keep the features of these rows."""
        if isinstance(block, Sparse):
            self._parts[rows.start, rows.stop] = block
            return
        if rows == slice(0, self.n_rows):
            self._whole = block
            return
        with self._lock:
            if self._whole is None:
                fields = (np.empty((self.n_rows, *a.shape[1:]), a.dtype) if _is_array(a) else a for a in tuple(block))
                self._whole = type(block)(*fields)
        for whole, part in zip(tuple(self._whole), tuple(block), strict=True):
            if _is_array(part):
                whole[rows] = part

    def result(self) -> Features:
        """All rows, in order."""
        return self._whole if self._whole is not None else concatenate([self._parts[s] for s in sorted(self._parts)])


def _is_array(field) -> bool:
    return isinstance(field, np.ndarray)


# The row verbs. `F` is any form, `i` a row, `w` a vector over columns, `W` a C-ordered (columns, q) block.


def row_dot(F, i, w):
    """<phi_i, w>."""
    columns, values = row(F, i)
    return np.sum(values * w[columns])


def row_add(F, i, a, w):
    """w += a * phi_i."""
    columns, values = row(F, i)
    w[columns] += (a * values).astype(w.dtype)


def row_norm(F, i):
    """|phi_i|^2."""
    _, values = row(F, i)
    return np.sum(values * values)


def row_dots(F, i, W, out):
    """out = W' phi_i, all columns of W in one pass over the row."""
    columns, values = row(F, i)
    out[:] = values @ W[columns]


def row_adds(F, i, a, W):
    """W += phi_i a', all columns of W in one pass over the row."""
    columns, values = row(F, i)
    W[columns] += np.outer(values, a).astype(W.dtype)


def row(F, i):
    """Columns and values of the nonzeros of row i: what the other verbs mean by a row."""
    if isinstance(F, Codes):
        k = F.codes.shape[1] if F.filled[i] else 0
        return np.arange(k) * F.levels + F.codes[i, :k], np.full(k, F.value)
    if isinstance(F, Sparse):
        at = slice(F.indptr[i], F.indptr[i + 1])
        return F.indices[at], F.data[at]
    if isinstance(F, Monomials):
        return F.row(i)
    return np.arange(F.values.shape[1]), F.values[i]
