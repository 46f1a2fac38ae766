"""Compiled Hadamard projections: three passes of random signs and sums in D log D, for a table of D columns."""

from .._jit import kernel
from .._lanes import LANES, add, hadamard, load, mul, splat, store, sub

LEAST = 4 * LANES  # shortest transform


@kernel
def _pass(b, signs):
    # b = H (signs * b) with the Hadamard matrix of Sylvester, in place.
    # Given   b and signs of D values, D a power of two, at least LEAST.     Cost O(D log D).
    # The first sweep does six stages on 64 values in registers, each later one up to three.
    D = b.shape[0]
    for i in range(0, D, LEAST):
        j, k, l = i + LANES, i + 2 * LANES, i + 3 * LANES
        u = hadamard(mul(load(b, i), load(signs, i)))
        v = hadamard(mul(load(b, j), load(signs, j)))
        x = hadamard(mul(load(b, k), load(signs, k)))
        y = hadamard(mul(load(b, l), load(signs, l)))
        _four(b, i, LANES, u, v, x, y)
    h = LEAST
    while h < D:
        if D >= 8 * h and D != 16 * h:
            _eights(b, h)
            h *= 8
        elif D >= 4 * h:
            _fours(b, h)
            h *= 4
        else:
            _twos(b, h)
            h *= 2


@kernel
def _four(b, i, h, u, v, x, y):
    # Two stages on four registers, stored a distance h apart.
    p, q, r, s = add(u, v), sub(u, v), add(x, y), sub(x, y)
    store(b, i, add(p, r))
    store(b, i + h, add(q, s))
    store(b, i + 2 * h, sub(p, r))
    store(b, i + 3 * h, sub(q, s))


@kernel
def _twos(b, h):
    for start in range(0, b.shape[0], 2 * h):
        for i in range(start, start + h, LANES):
            u, v = load(b, i), load(b, i + h)
            store(b, i, add(u, v))
            store(b, i + h, sub(u, v))


@kernel
def _fours(b, h):
    for start in range(0, b.shape[0], 4 * h):
        for i in range(start, start + h, LANES):
            _four(b, i, h, load(b, i), load(b, i + h), load(b, i + 2 * h), load(b, i + 3 * h))


@kernel
def _eights(b, h):
    for start in range(0, b.shape[0], 8 * h):
        for i in range(start, start + h, LANES):
            j = i + 4 * h
            s, t = load(b, i), load(b, j)
            u, v = load(b, i + h), load(b, j + h)
            w, x = load(b, i + 2 * h), load(b, j + 2 * h)
            y, z = load(b, i + 3 * h), load(b, j + 3 * h)
            _four(b, i, h, add(s, t), add(u, v), add(w, x), add(y, z))
            _four(b, j, h, sub(s, t), sub(u, v), sub(w, x), sub(y, z))


@kernel
def _blocks(x, signs, factors, scale, b, t):
    # t = scale * factors * (H S3 H S2 H S1 x), block by block.
    # Given   x (D), padded with zeros; signs (blocks, 3, D); t and factors, whole registers; b (D), scratch.
    s, D, m = splat(scale), x.shape[0], t.shape[0]
    for k in range(signs.shape[0]):
        b[:] = x
        for p in range(3):
            _pass(b, signs[k, p])
        for j in range(0, min(D, m - k * D), LANES):
            store(t, k * D + j, mul(load(b, j), mul(load(factors, k * D + j), s)))


@kernel
def structured_dense(X, signs, factors, scale, x, b, T):
    # T[i] = scale[i] * factors * (three passes over X[i]).     Cost O(n m log D).
    d = X.shape[1]
    x[:] = 0
    for i in range(X.shape[0]):
        x[:d] = X[i]
        _blocks(x, signs, factors, scale[i], b, T[i])


@kernel
def structured_csr(data, indices, indptr, signs, factors, scale, x, b, T):
    # The same of CSR rows, each written into x and taken out again.
    x[:] = 0
    for i in range(T.shape[0]):
        for p in range(indptr[i], indptr[i + 1]):
            x[indices[p]] = data[p]
        _blocks(x, signs, factors, scale[i], b, T[i])
        for p in range(indptr[i], indptr[i + 1]):
            x[indices[p]] = 0
