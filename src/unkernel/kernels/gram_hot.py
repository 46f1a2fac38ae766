"""Compiled sums over columns: tiles of pairs whose sums stay in registers, and walks along shared nonzeros."""

from numba import types
from numba.extending import overload

from .._jit import kernel
from .._lanes import LANES, add, div, greatest, least, load, mul, pick, splat, store, sub
from .statistic import ChiSquares, Distances, Minima, Products, pair, shared

PANEL = 2 * LANES  # rows of the right side packed side by side
TILE = 4  # rows of the left side against them: eight registers of sums
CHUNK = 256  # columns after which sums go to memory, so that a packed panel stays in the first cache


# The term of one column, sixteen pairs of rows at once. Minima are of amounts: the caller splits signs.


def _minimum(statistic, u, v):
    return least(u, v)


def _distance(statistic, u, v):
    return greatest(sub(u, v), sub(v, u))


def _chi_square(statistic, u, v):
    zero, both, apart = sub(u, u), add(u, v), sub(u, v)
    return pick(zero, both, mul(apart, div(apart, both)), zero)


_TERMS = {Minima: _minimum, Distances: _distance, ChiSquares: _chi_square}


@overload(pair, strict=False)
def _pick_pair(statistic, u, v):
    return _TERMS.get(statistic.instance_class) if isinstance(statistic, types.BaseNamedTuple) else None


# What a column in which neither row is zero adds to the sums of both rows alone.


def _shared_product(statistic, u, v):
    return u * v


def _shared_minimum(statistic, u, v):
    return max(min(u, v), 0.0) - min(max(u, v), 0.0)


def _shared_chi_square(statistic, u, v):
    return -4 * u * (v / (u + v))


def _shared_distance(statistic, u, v):
    return abs(u - v) - abs(u) - abs(v)


_SHARED = {
    Products: _shared_product,
    Minima: _shared_minimum,
    ChiSquares: _shared_chi_square,
    Distances: _shared_distance,
}


@overload(shared, strict=False)
def _pick_shared(statistic, u, v):
    return _SHARED.get(statistic.instance_class) if isinstance(statistic, types.BaseNamedTuple) else None


@kernel
def pack(B, panels):
    # panels[p, k, t] = B[32 p + t, k], zero past the last row.
    n, d = B.shape
    for p in range(panels.shape[0]):
        for t in range(PANEL):
            j = p * PANEL + t
            for k in range(d):
                panels[p, k, t] = B[j, k] if j < n else 0


@kernel
def tile_sums(statistic, A, panels, S):
    # S[i, j] += sum over k of the term of A[i, k] and B[j, k], where B is packed in panels.
    # S has rows for whole tiles and columns for whole panels; what is past A and B is not used.
    # Cost n m d terms; each value loaded serves a tile or a panel.
    n, d = A.shape
    flat, zero = panels.reshape(-1), splat(A.dtype.type(0))
    for start in range(0, d, CHUNK):
        stop = min(start + CHUNK, d)
        for p in range(panels.shape[0]):
            for i in range(0, S.shape[0], TILE):
                x, y = A[i], A[min(i + 1, n - 1)]
                z, w = A[min(i + 2, n - 1)], A[min(i + 3, n - 1)]
                x0, x1, y0, y1 = zero, zero, zero, zero
                z0, z1, w0, w1 = zero, zero, zero, zero
                at = (p * d + start) * PANEL
                for k in range(start, stop):
                    v0, v1 = load(flat, at), load(flat, at + LANES)
                    at += PANEL
                    u = splat(x[k])
                    x0, x1 = add(x0, pair(statistic, u, v0)), add(x1, pair(statistic, u, v1))
                    u = splat(y[k])
                    y0, y1 = add(y0, pair(statistic, u, v0)), add(y1, pair(statistic, u, v1))
                    u = splat(z[k])
                    z0, z1 = add(z0, pair(statistic, u, v0)), add(z1, pair(statistic, u, v1))
                    u = splat(w[k])
                    w0, w1 = add(w0, pair(statistic, u, v0)), add(w1, pair(statistic, u, v1))
                _add_to(S[i], p, x0, x1)
                _add_to(S[i + 1], p, y0, y1)
                _add_to(S[i + 2], p, z0, z1)
                _add_to(S[i + 3], p, w0, w1)


@kernel
def _add_to(row, p, s0, s1):
    at = p * PANEL
    store(row, at, add(load(row, at), s0))
    store(row, at + LANES, add(load(row, at + LANES), s1))


@kernel
def tile_products(A, panels, start, stop, P):
    # P[i, j] = product over k in [start, stop) of A[i, 2k] B[j, 2k] + A[i, 2k + 1] B[j, 2k + 1], B packed in panels.
    (n, d), flat, one = A.shape, panels.reshape(-1), splat(A.dtype.type(1))
    for p in range(panels.shape[0]):
        for half in range(0, PANEL, LANES):
            for i in range(0, P.shape[0], TILE):
                x, y = A[i], A[min(i + 1, n - 1)]
                z, w = A[min(i + 2, n - 1)], A[min(i + 3, n - 1)]
                x0, y0, z0, w0 = one, one, one, one
                for k in range(2 * start, 2 * stop, 2):
                    at = (p * d + k) * PANEL + half
                    v, r = load(flat, at), load(flat, at + PANEL)
                    x0 = mul(x0, add(mul(splat(x[k]), v), mul(splat(x[k + 1]), r)))
                    y0 = mul(y0, add(mul(splat(y[k]), v), mul(splat(y[k + 1]), r)))
                    z0 = mul(z0, add(mul(splat(z[k]), v), mul(splat(z[k + 1]), r)))
                    w0 = mul(w0, add(mul(splat(w[k]), v), mul(splat(w[k + 1]), r)))
                at = p * PANEL + half
                store(P[i], at, x0)
                store(P[i + 1], at, y0)
                store(P[i + 2], at, z0)
                store(P[i + 3], at, w0)


@kernel
def shared_sums(statistic, data, indices, indptr, columns, S):
    # S[i, j] += what shared nonzeros of row i and of row j on the right add.
    # Given   CSR rows; columns, the right side by columns as (data, indices, indptr).
    # Cost    one step per pair of nonzeros in the same column: no smaller number of terms gives the sums.
    of, rows, ends = columns
    for i in range(S.shape[0]):
        sums = S[i]
        for p in range(indptr[i], indptr[i + 1]):
            u, k = data[p], indices[p]
            for q in range(ends[k], ends[k + 1]):
                sums[rows[q]] += shared(statistic, u, of[q])
