"""The waist: the three forms features take, and the row verbs every learner is written against.

A form is a NamedTuple of arrays, so compiled loops take it as it is. The Python body of a verb is its specification
and what runs with the compiler off; `features_hot.py` holds its machine code, one body per form.
"""

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.sparse

from ._validate import InputError


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
    def open(cls, path) -> "Codes":
        """Map a file written by `save` or `CodesWriter`: rows are read from disk as they are used."""
        path = Path(path)
        size = path.stat().st_size
        head = np.fromfile(path, dtype=_HEADER, count=1) if size >= _HEADER.itemsize else np.empty(0, _HEADER)
        if not len(head) or head["magic"][0] != _MAGIC:
            raise InputError(f"{path} is not a file of codes; files of codes are written by Codes.save and CodesWriter")
        n, k, levels, itemsize = (int(head[name][0]) for name in ("rows", "components", "levels", "itemsize"))
        if size != _HEADER.itemsize + n * k * itemsize + n:
            raise InputError(
                f"{path} holds {size} bytes where {n} rows of {k} codes need "
                f"{_HEADER.itemsize + n * k * itemsize + n}: it is truncated or damaged; write it again"
            )
        if not n:
            return cls.of(np.empty((0, k), np.uint8), levels, value=float(head["value"][0]))
        codes = np.memmap(path, dtype=f"u{itemsize}", mode="r", offset=_HEADER.itemsize, shape=(n, k))
        filled = np.fromfile(path, dtype=bool, count=n, offset=_HEADER.itemsize + codes.nbytes)
        return cls(codes, filled, levels, float(head["value"][0]))


class Sparse(NamedTuple):
    """CSR with 64-bit row pointers, so no number of nonzeros overflows."""

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
        return Sparse.of(self.to_csr()[rows])

    def to_csr(self, dtype=None) -> scipy.sparse.csr_array:
        """SciPy's CSR of the same numbers."""
        return scipy.sparse.csr_array(
            (self.data.astype(dtype or self.dtype, copy=False), self.indices, self.indptr), shape=self.shape
        )

    def to_dense(self, dtype=None) -> np.ndarray:
        """The matrix as an array."""
        return self.to_csr(dtype).toarray()


class Dense(NamedTuple):
    """A C-ordered float32 or float64 array."""

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
        return Dense(self.values[rows])

    def to_csr(self, dtype=None) -> scipy.sparse.csr_array:
        """SciPy's CSR of the nonzeros."""
        return scipy.sparse.csr_array(self.to_dense(dtype))

    def to_dense(self, dtype=None) -> np.ndarray:
        """The array itself."""
        return self.values.astype(dtype or self.dtype, copy=False)


Features = Codes | Sparse | Dense


def as_features(X) -> Features:
    """The form of a canonical input: an array is Dense, CSR is Sparse, a form is itself."""
    if isinstance(X, Codes | Sparse | Dense):
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
    return np.arange(F.values.shape[1]), F.values[i]


# Codes on disk: a header, n * k codes, then n bytes that say which rows are filled.

_MAGIC = b"UNKCODE1"
_HEADER = np.dtype(
    [("magic", "S8"), ("rows", "<u8"), ("components", "<u8"), ("levels", "<u8"), ("itemsize", "<u8"), ("value", "<f8")]
)


class CodesWriter:
    """Append blocks of codes to a file; it takes its name only when the `with` block ends well.

    Examples
    --------
    >>> import numpy as np, tempfile, os
    >>> from unkernel import Codes, CodesWriter
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.codes")
    >>> with CodesWriter(path, 4, 16) as writer:
    ...     writer.append(Codes.of(np.array([[1, 2, 3, 15]]), 16))
    >>> Codes.open(path).shape
    (1, 64)
    """

    def __init__(self, path, n_components: int, levels: int, value: float | None = None, dtype=None):
        self.path = Path(path)
        self.dtype = np.dtype(dtype or (np.uint8 if levels <= 256 else np.uint16))
        self.n_components, self.levels = n_components, levels
        self.value = n_components**-0.5 if value is None else value

    def __enter__(self) -> "CodesWriter":
        self._beside = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        self._file = open(self._beside, "wb")
        self._filled: list[np.ndarray] = []
        self._file.write(bytes(_HEADER.itemsize))
        return self

    def append(self, block: Codes) -> None:
        """Write the next rows."""
        if block.codes.shape[1] != self.n_components or block.levels != self.levels:
            raise InputError(
                f"a block of {block.codes.shape[1]} codes with {block.levels} levels does not fit a file of "
                f"{self.n_components} codes with {self.levels} levels; make all blocks with one fitted map"
            )
        np.ascontiguousarray(block.codes, dtype=self.dtype).tofile(self._file)
        self._filled.append(np.array(block.filled))

    def __exit__(self, kind, error, trace) -> None:
        try:
            if kind is None:
                filled = np.concatenate(self._filled) if self._filled else np.empty(0, bool)
                filled.tofile(self._file)
                self._file.seek(0)
                row = (_MAGIC, len(filled), self.n_components, self.levels, self.dtype.itemsize, self.value)
                np.array([row], dtype=_HEADER).tofile(self._file)
        finally:
            self._file.close()
            if kind is None:
                os.replace(self._beside, self.path)
            else:
                self._beside.unlink(missing_ok=True)
