"""Compiled Hadamard projections: passes of random signs, each mixed by sums and differences in d log d."""

from .._jit import kernel
from .._lanes import LANES, add, hadamard, load, mul, splat, store, sub

LEAST = 4 * LANES  # shortest transform


@kernel
def _transform(b, unit):
    # b = unit * H b with the Hadamard matrix of Sylvester, in place.
    # Given   b of D values, a power of two, at least LEAST.     Cost O(D log D).
    # The first sweep does six stages on 64 values in registers, each later one up to three.
    D, c = b.shape[0], splat(unit)
    for i in range(0, D, LEAST):
        j, k, l = i + LANES, i + 2 * LANES, i + 3 * LANES
        u, v = hadamard(mul(load(b, i), c)), hadamard(mul(load(b, j), c))
        x, y = hadamard(mul(load(b, k), c)), hadamard(mul(load(b, l), c))
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
def _turned(x, signs, shift, y):
    # y = signs * x, rotated by shift.
    whole = x.shape[0] - shift
    for i in range(whole):
        y[i + shift] = x[i] * signs[i]
    for i in range(whole, x.shape[0]):
        y[i - whole] = x[i] * signs[i]


@kernel
def _blocks(x, signs, factors, scale, D, unit, work, t):
    # t = scale * factors * (passes over x), one block of signs for each stretch of t as long as x.
    # A pass is signs, a rotation, and a transform of the first D values. Where that is not all, the rotation brings
    # others under the transform each time. Every step is orthogonal on the L values: no row is filled up to a power.
    # Given   x (L); signs (blocks, passes, L); D, the largest power of two in L; unit = D^-1/2; work (2, L), scratch.
    L, m, passes = x.shape[0], t.shape[0], signs.shape[1]
    shift = (3 * L) // 8 if D < L else 0
    for k in range(signs.shape[0]):
        _turned(x, signs[k, 0], 0, work[0])
        _transform(work[0][:D], unit)
        for p in range(1, passes):
            y = work[p % 2]
            _turned(work[1 - p % 2], signs[k, p], shift, y)
            _transform(y[:D], unit)
        found, at = work[1 - passes % 2], k * L
        for j in range(min(L, m - at)):
            t[at + j] = found[j] * factors[at + j] * scale


@kernel
def structured_dense(X, signs, factors, scale, D, unit, x, work, T):
    # T[i] = scale[i] * factors * (passes over X[i]).     Cost O(n m log D).
    d = X.shape[1]
    x[:] = 0
    for i in range(X.shape[0]):
        x[:d] = X[i]
        _blocks(x, signs, factors, scale[i], D, unit, work, T[i])


@kernel
def structured_csr(data, indices, indptr, signs, factors, scale, D, unit, x, work, T):
    # The same of CSR rows, each written into x and taken out again.
    x[:] = 0
    for i in range(T.shape[0]):
        for p in range(indptr[i], indptr[i + 1]):
            x[indices[p]] = data[p]
        _blocks(x, signs, factors, scale[i], D, unit, work, T[i])
        for p in range(indptr[i], indptr[i + 1]):
            x[indices[p]] = 0
