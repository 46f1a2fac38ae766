"""Compiled waves: sine and cosine of an angle in turns, sixteen at a time.

In turns the reduction to half a turn is exact. What is left is a polynomial on a quarter turn either side of zero:
error below 1e-7 in float32 and 3e-16 in float64, apart from the rounding of the angle itself.
"""

import numpy as np
from numba import types
from numba.extending import overload

from .._jit import kernel
from .._lanes import LANES, add, load, mul, nearest, splat, store, sub

# Chebyshev interpolation in s = g^2 on |g| <= 1/2: cos(pi g) = Q(s), sin(pi g) = g P(s). Highest power first.
COS32 = (
    -0.024395932097550446,
    0.2349370685950865,
    -1.3352119493905503,
    4.058709154763134,
    -4.934802136928946,
    0.999999999779154,
)
SIN32 = (0.07765591227601387, -0.5982904112834275, 2.550077386528912, -5.167710076668315, 3.1415926400772034)
COS64 = (
    4.149564353942586e-06,
    -0.00010456655338748738,
    0.0019295562724817132,
    -0.025806888737002202,
    0.23533063012953284,
    -1.335262768843447,
    4.058712126416497,
    -4.934802200544676,
    1.0,
)
SIN64 = (
    -2.113362735205297e-05,
    0.0004659870158043378,
    -0.0073703643265304155,
    0.08214587881631043,
    -0.599264528825224,
    2.5501640398618677,
    -5.1677127800497855,
    3.1415926535897927,
)


def _polynomials(s, one):
    """Q(s) and P(s)."""
    tables = (COS32, SIN32) if one.dtype == np.float32 else (COS64, SIN64)
    return tuple(np.polyval(np.array(c, one.dtype), s) for c in tables)


def _polynomials32(s, one):
    q = splat(np.float32(COS32[0]))
    for c in COS32[1:]:
        q = add(mul(q, s), splat(np.float32(c)))
    p = splat(np.float32(SIN32[0]))
    for c in SIN32[1:]:
        p = add(mul(p, s), splat(np.float32(c)))
    return q, p


def _polynomials64(s, one):
    q = splat(COS64[0])
    for c in COS64[1:]:
        q = add(mul(q, s), splat(c))
    p = splat(SIN64[0])
    for c in SIN64[1:]:
        p = add(mul(p, s), splat(c))
    return q, p


@overload(_polynomials)
def _pick(s, one):
    return _polynomials32 if one == types.float32 else _polynomials64


@kernel
def _wave(t, one, scale):
    # Sixteen times scale * cos(2 pi t) and scale * sin(2 pi t).
    r = sub(t, nearest(t))
    r = add(r, r)
    half = nearest(r)
    g = sub(r, half)
    q, p = _polynomials(mul(g, g), one)
    # half is -1 or 1 where the angle lies opposite: both functions change sign there.
    sign = mul(sub(splat(one), mul(splat(one + one), mul(half, half))), scale)
    return mul(q, sign), mul(mul(p, g), sign)


@kernel
def pairs(T, m, scale, last, out):
    # out[i, :m] = scale * cos(2 pi T[i, :m]),  out[i, m:] = scale * sin(2 pi T[i, :m]).
    # Given   T (n, whole registers); out (n, 2 m); last (2, LANES), scratch.     Cost O(n m).
    s = splat(scale)
    whole = m - m % LANES
    for i in range(T.shape[0]):
        t, row = T[i], out[i]
        for j in range(0, whole, LANES):
            c, v = _wave(load(t, j), last.dtype.type(1), s)
            store(row, j, c)
            store(row, m + j, v)
        if whole < m:
            c, v = _wave(load(t, whole), last.dtype.type(1), s)
            store(last[0], 0, c)
            store(last[1], 0, v)
            row[whole:m] = last[0, : m - whole]
            row[m + whole :] = last[1, : m - whole]


@kernel
def cosines(T, offsets, scale, last, out):
    # out[i] = scale * cos(2 pi (T[i, :m] + offsets)).
    # Given   T (n, whole registers); offsets (whole registers); out (n, m); last (2, LANES), scratch.     Cost O(n m).
    s = splat(scale)
    m = out.shape[1]
    whole = m - m % LANES
    for i in range(T.shape[0]):
        t, row = T[i], out[i]
        for j in range(0, whole, LANES):
            c, _ = _wave(add(load(t, j), load(offsets, j)), last.dtype.type(1), s)
            store(row, j, c)
        if whole < m:
            c, _ = _wave(add(load(t, whole), load(offsets, whole)), last.dtype.type(1), s)
            store(last[0], 0, c)
            row[whole:] = last[0, : m - whole]
