"""Features times a block of columns, and its transpose: what primal solvers and certificates are made of."""

import numpy as np

from .._blocks import map_blocks, map_tasks
from ..features import Codes, Dense, Features, Monomials, Sparse
from .product_hot import squared_norms as _squared_norms
from .product_hot import times as _times
from .product_hot import transposed_times as _transposed_times

LANE_COLUMNS = 16


def times(F: Features, W: np.ndarray, *, n_jobs: int | None = None) -> np.ndarray:
    """F W, of shape (n, q), in the dtype of W.

    Cost: the nonzeros of F times q; BLAS for `Dense`, registers over the columns for `Codes`.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import Codes
    >>> times(Codes.of(np.array([[0, 1], [1, 1]]), 2, value=1.0), np.arange(4.0)[:, None])
    array([[3.],
           [4.]])
    """
    W = np.ascontiguousarray(W)
    if isinstance(F, Dense):
        return F.values.astype(W.dtype, copy=False) @ W
    if isinstance(F, Sparse):
        F = Sparse(F.data.astype(W.dtype, copy=False), F.indices, F.indptr, F.n_columns)
    out = np.empty((len(F), W.shape[1]), dtype=W.dtype)
    map_blocks(lambda rows: _times(F, W, rows.start, rows.stop, out[rows]), len(F), block_rows=4096, n_jobs=n_jobs)
    return out


def transposed_times(F: Features, B: np.ndarray, *, n_jobs: int | None = None) -> np.ndarray:
    """F' B, of shape (columns, q), in the dtype of B; the same bits for any number of threads."""
    if isinstance(F, Dense):
        return F.values.T.astype(B.dtype, copy=False) @ B
    if isinstance(F, Sparse):
        F = Sparse(F.data.astype(B.dtype, copy=False), F.indices, F.indptr, F.n_columns)
    groups = [slice(s, s + LANE_COLUMNS) for s in range(0, B.shape[1], LANE_COLUMNS)]

    def group(columns):
        part = np.ascontiguousarray(B[:, columns])
        W = np.zeros((F.shape[1], part.shape[1]), dtype=B.dtype)
        _transposed_times(F, part, W)
        return W

    return np.concatenate(map_tasks(group, groups, n_jobs=n_jobs), axis=1)


def squared_norms(F: Features) -> np.ndarray:
    """|phi_i|^2 of every row, float64."""
    if isinstance(F, Codes):
        return np.where(F.filled, F.codes.shape[1] * F.value**2, 0.0)
    if isinstance(F, Dense):
        return np.einsum("ij,ij->i", F.values, F.values, dtype=np.float64)
    if isinstance(F, Monomials):
        squares = np.empty(len(F))
        _squared_norms(F, squares)
        return squares
    squares = np.concatenate([[0.0], np.cumsum(F.data.astype(np.float64) ** 2)])
    return squares[F.indptr[1:]] - squares[F.indptr[:-1]]
