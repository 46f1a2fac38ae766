"""Compiled twins of elementary.py, one number at a time, and a logarithm of float32.

No branch and no call in the logarithms, and quotients that raise nothing: loops over them fit vector registers.
"""

import math

import numpy as np

from .._jit import kernel
from .elementary import LN2, LN2_HIGH, LN2_LOW, TERMS

F = np.float32
HALF_ROOT = np.int32(0x3F3504F3)  # the float32 sqrt(1/2)
MANTISSA = np.int32(0x007FFFFF)
HALF_ROOT_WIDE = np.int64(0x3FE6A09E667F3BCD)  # the float64 sqrt(1/2)
MANTISSA_WIDE = np.int64(0x000FFFFFFFFFFFFF)
NORMAL, LIFT = 2.2250738585072014e-308, np.int32(54)  # below NORMAL, a number is lifted by 2^LIFT first


@kernel
def ln(x):
    """Natural logarithm of a positive float64."""
    low = x < NORMAL
    i = np.float64(x * 2.0**54 if low else x).view(np.int64) - HALF_ROOT_WIDE
    e = np.float64(np.int32(i >> np.int64(52)) - (LIFT if low else np.int32(0)))
    m = np.int64((i & MANTISSA_WIDE) + HALF_ROOT_WIDE).view(np.float64)
    s = np.divide(m - 1.0, m + 1.0)
    square, series = s * s, 0.0
    for n in range(TERMS, -1, -1):
        series = series * square + np.divide(1.0, np.float64(2 * n + 1))
    return e * LN2_HIGH + (2.0 * s * series + e * LN2_LOW)


@kernel
def exp(x):
    """Exponential of a float64 up to 700; 0 below -700."""
    if x < -700.0:
        return 0.0
    n = math.floor(x / LN2 + 0.5)
    f = (x - n * LN2_HIGH) - n * LN2_LOW
    series = 0.0
    for term in range(13, 0, -1):
        series = (series + 1.0) * f / term
    return math.ldexp(series + 1.0, int(n))


@kernel
def power(x, p):
    """x^p of x in [0, 1] and p > 0; x itself where p is 1."""
    if p == 1.0 or x <= 0.0:
        return x
    return exp(p * ln(x))


@kernel
def ln_narrow(x):
    """Natural logarithm of a positive, normal float32, within 2e-7 of the larger of it and 1; no branch, no call."""
    i = np.int32(np.float32(x).view(np.int32) - HALF_ROOT)
    e = F(i >> np.int32(23))
    d = np.int32((i & MANTISSA) + HALF_ROOT).view(np.float32) - F(1)
    y = F(7.0376836292e-2)
    y = y * d + F(-1.1514610310e-1)
    y = y * d + F(1.1676998740e-1)
    y = y * d + F(-1.2420140846e-1)
    y = y * d + F(1.4249322787e-1)
    y = y * d + F(-1.6668057665e-1)
    y = y * d + F(2.0000714765e-1)
    y = y * d + F(-2.4999993993e-1)
    y = y * d + F(3.3333331174e-1)
    square = d * d
    y = y * d * square + e * F(-2.12194440e-4) - F(0.5) * square
    return d + y + e * F(0.693359375)
