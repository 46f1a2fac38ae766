"""Compiled projections: rows times a table, summed in one order whatever the form, the block and the thread.

BLAS is not used: its sums depend on the shape of the block, so the same row could give other bits.
"""

import numpy as np

from .._jit import kernel
from .._lanes import LANES, add, load, mul, splat, store

TILE = 2 * LANES  # columns that one pass over a row serves


@kernel
def project_dense(X, W, scale, panel, T):
    # T[i, c] = scale[i] * sum_j X[i, j] W[j, c], j ascending.
    # Given   X (n, d); W (d, m) with m a multiple of TILE; panel (d, TILE), scratch.      Cost O(n d m).
    # The panel is copied first: its rows in W lie a power of two apart and would evict each other from the cache.
    n, d = X.shape
    for c in range(0, W.shape[1], TILE):
        panel[:] = W[:, c : c + TILE]
        flat = panel.reshape(d * TILE)
        for i in range(0, n - n % 4, 4):
            _four_rows(X[i], X[i + 1], X[i + 2], X[i + 3], flat, scale[i : i + 4], T[i : i + 4, c : c + TILE])
        for i in range(n - n % 4, n):
            _one_row(X[i], flat, scale[i], T[i, c : c + TILE])


@kernel
def _four_rows(x0, x1, x2, x3, flat, scale, out):
    zero = splat(flat.dtype.type(0))
    a0, a1, b0, b1, c0, c1, d0, d1 = zero, zero, zero, zero, zero, zero, zero, zero
    for j in range(x0.shape[0]):
        u, v = load(flat, j * TILE), load(flat, j * TILE + LANES)
        x = splat(x0[j])
        a0, a1 = add(a0, mul(x, u)), add(a1, mul(x, v))
        x = splat(x1[j])
        b0, b1 = add(b0, mul(x, u)), add(b1, mul(x, v))
        x = splat(x2[j])
        c0, c1 = add(c0, mul(x, u)), add(c1, mul(x, v))
        x = splat(x3[j])
        d0, d1 = add(d0, mul(x, u)), add(d1, mul(x, v))
    _put(out[0], a0, a1, scale[0])
    _put(out[1], b0, b1, scale[1])
    _put(out[2], c0, c1, scale[2])
    _put(out[3], d0, d1, scale[3])


@kernel
def _one_row(x, flat, scale, out):
    a0 = a1 = splat(flat.dtype.type(0))
    for j in range(x.shape[0]):
        xj = splat(x[j])
        a0 = add(a0, mul(xj, load(flat, j * TILE)))
        a1 = add(a1, mul(xj, load(flat, j * TILE + LANES)))
    _put(out, a0, a1, scale)


@kernel
def _put(out, u, v, scale):
    s = splat(scale)
    store(out, 0, mul(u, s))
    store(out, LANES, mul(v, s))


@kernel
def project_csr(data, indices, indptr, W, scale, T):
    # The same sums over the nonzeros of CSR rows.     Cost O(nnz m).
    m = W.shape[1]
    flat = W.reshape(W.size)
    for i in range(T.shape[0]):
        for c in range(0, m, TILE):
            u = v = splat(flat.dtype.type(0))
            for p in range(indptr[i], indptr[i + 1]):
                x, at = splat(data[p]), np.int64(indices[p]) * m + c
                u = add(u, mul(x, load(flat, at)))
                v = add(v, mul(x, load(flat, at + LANES)))
            _put(T[i, c : c + TILE], u, v, scale[i])


@kernel
def squares_dense(X, out):
    # out[i] = |x_i|^2 in float64, columns ascending.
    for i in range(X.shape[0]):
        s = 0.0
        for j in range(X.shape[1]):
            s += np.float64(X[i, j]) * np.float64(X[i, j])
        out[i] = s


@kernel
def squares_csr(data, indptr, out):
    # The same over the nonzeros of CSR rows.
    for i in range(out.shape[0]):
        s = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            s += np.float64(data[p]) * np.float64(data[p])
        out[i] = s
