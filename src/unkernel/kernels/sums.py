"""Sums over columns of every pair of rows: one product, register tiles, or a walk along shared nonzeros."""

from collections.abc import Callable

import numpy as np
import scipy.sparse

from .._blocks import row_blocks
from . import gram_hot
from .statistic import Distances, LogCosh, Minima, Products, Statistic, alone, itself

Block = Callable[[slice, slice], np.ndarray]

MOST_EXPONENT = 600.0  # of a product that float64 holds
DENSE_PER_STEP = 16  # float64 terms that tiles sum in the time of one step along shared nonzeros; float32 twice that


def sums(statistic: Statistic, A, B) -> Block:
    """Function of (rows, columns) that gives a fresh block of sums; B None means A, with an exact diagonal."""
    symmetric, B = B is None, A if B is None else B
    dtype = np.result_type(A.dtype, B.dtype)
    A, B = A.astype(dtype, copy=False), B.astype(dtype, copy=False)
    own = itself(statistic, A) if symmetric else None
    if scipy.sparse.issparse(A) and scipy.sparse.issparse(B):
        A, B = _without_empty_columns(A, B)
        if _better_dense(statistic, A, B):
            A, B = (A.toarray(),) * 2 if A is B else (A.toarray(), B.toarray())
    of_pairs = _method(statistic, A, B)

    def block(rows, columns):
        S = of_pairs(A[rows], B[columns])
        if symmetric:
            both = np.arange(max(rows.start, columns.start), min(rows.stop, columns.stop))
            S[both - rows.start, both - columns.start] = own[both]
        return S

    return block


def _method(statistic, A, B) -> Callable:
    """The function of two blocks of rows that suits them: one product, a walk along nonzeros, or tiles."""
    both_sparse = scipy.sparse.issparse(A) and scipy.sparse.issparse(B)
    if isinstance(statistic, LogCosh):
        return lambda a, b: _log_cosh(_dense(a), _dense(b))
    if both_sparse:
        lonely = not isinstance(statistic, Products | Minima)
        return lambda a, b: _walk(statistic, a, b, lonely)
    if isinstance(statistic, Products):
        return lambda a, b: np.ascontiguousarray(a @ b.T)
    signed = _signed_columns(A, B) if isinstance(statistic, Minima) else None
    counts = _narrows(statistic) and _counts(A) and _counts(B)
    dtype = np.float32 if counts else A.dtype

    def block(a, b):
        a, b = (_amounts(_dense(R), signed).astype(dtype, copy=False) for R in (a, b))
        return _tiles(statistic, a, b).astype(A.dtype, copy=False)

    return block


def _without_empty_columns(A, B):
    """Rows with their columns renumbered, where most hold nothing: then no array is as long as a row is wide."""
    stored = A.nnz + (0 if A is B else B.nnz)
    if A.shape[1] <= 4 * stored:
        return A, B
    held = np.unique(A.indices if A is B else np.concatenate([A.indices, B.indices]))

    def narrow(R):
        columns = np.searchsorted(held, R.indices).astype(np.int32)
        return scipy.sparse.csr_array((R.data, columns, R.indptr), shape=(R.shape[0], max(len(held), 1)))

    A_ = narrow(A)
    return A_, A_ if A is B else narrow(B)


def _better_dense(statistic, A, B) -> bool:
    """Whether rows are so full that sums of every column cost less than those of shared nonzeros; then dense rows
    take a few times the memory of sparse ones at most."""
    if isinstance(statistic, LogCosh):
        return False  # made dense a block at a time
    nonzeros = (np.bincount(R.indices, minlength=R.shape[1]).astype(float) for R in (A, B))
    steps = float(np.dot(*nonzeros))
    narrow = A.dtype == np.float32 or (_narrows(statistic) and _counts(A) and _counts(B))
    return steps * DENSE_PER_STEP * (2 if narrow else 1) > float(A.shape[0]) * B.shape[0] * A.shape[1]


def _narrows(statistic) -> bool:
    """Whether sums of whole numbers are whole numbers."""
    return isinstance(statistic, Minima | Distances)


def _counts(R) -> bool:
    """Whether values are whole and their sums over rows below 2^24, so that float32 holds every sum exactly."""
    values = R.data if scipy.sparse.issparse(R) else R
    if max(values.max(initial=0), -values.min(initial=0)) * R.shape[1] >= 1 << 23:
        return False
    return all(np.array_equal(part, np.rint(part)) for part in (values[b] for b in row_blocks(len(values), 1024)))


def _tiles(statistic, A, B):
    """Sums of dense rows."""
    n, m = len(A), len(B)
    panels, S = _empty_tiles(A, m)
    gram_hot.pack(B, panels)
    S[:] = 0
    gram_hot.tile_sums(statistic, A, panels, S)
    return S[:n, :m]


def _empty_tiles(A, m: int):
    """Panels for m rows of the other side, and sums for whole tiles and whole panels."""
    n, d = A.shape
    panels = np.empty((-(-m // gram_hot.PANEL), d, gram_hot.PANEL), A.dtype)
    return panels, np.empty((-(-n // gram_hot.TILE) * gram_hot.TILE, len(panels) * gram_hot.PANEL), A.dtype)


def _walk(statistic, A, B, lonely: bool):
    """Sums of sparse rows, in float64: what each row has alone, and then what pairs share."""
    columns = B.tocsc()
    S = np.zeros((A.shape[0], B.shape[0]))
    if lonely:
        S += alone(statistic, A)[:, None]
        S += alone(statistic, B)
    gram_hot.shared_sums(statistic, *_parts(A), _parts(columns), S)
    return S.astype(A.dtype, copy=False)


def _parts(R):
    """Values and positions in one type each, so that one loop is compiled."""
    return R.data.astype(np.float64), R.indices.astype(np.int32, copy=False), R.indptr.astype(np.int64, copy=False)


def _log_cosh(A, B):
    """sum log cosh(a - b): products of (e^(a - b) + e^(b - a)) / 2 over some columns, and then a logarithm."""
    (n, d), m = A.shape, B.shape[0]
    widest = max(A.max(), B.max()) - min(A.min(), B.min(), 0.0)
    columns = int(MOST_EXPONENT / (widest + 1))
    if not columns:
        return np.array([LogCosh().pair(row, B).sum(axis=1) for row in A])
    pairs = np.stack([np.exp(A), np.exp(-A)], axis=2).reshape(n, -1)
    panels, P = _empty_tiles(pairs, m)
    gram_hot.pack(np.stack([np.exp(-B), np.exp(B)], axis=2).reshape(m, -1), panels)
    S = np.zeros((n, m))
    for start in range(0, d, columns):
        stop = min(start + columns, d)
        gram_hot.tile_products(pairs, panels, start, stop, P)
        S += np.log(P[:n, :m])
        S -= (stop - start) * np.log(2)
    return np.maximum(S, 0, out=S)


def _signed_columns(A, B) -> np.ndarray | None:
    """Columns in which both sides have negative values, or None where no value at all is negative."""
    lows = [np.asarray(_dense(R.min(axis=0))).ravel() for R in (A, B)]
    if min(low.min() for low in lows) >= 0:
        return None
    return np.flatnonzero((lows[0] < 0) & (lows[1] < 0))


def _amounts(R, signed: np.ndarray | None):
    """Rows without negative values: positive parts, then negative parts of the columns that need them."""
    if signed is None:
        return R
    return np.ascontiguousarray(np.hstack([np.maximum(R, 0), np.maximum(-R[:, signed], 0)]))


def _dense(R):
    return R.toarray() if scipy.sparse.issparse(R) else np.ascontiguousarray(R)
