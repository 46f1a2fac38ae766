"""Logarithm and exponential from plain arithmetic: the same bits on every CPU, NumPy's and the compiler's alike.

A hash must not depend on whose mathematical library ran. Sums, products and quotients are exact to the last bit
everywhere, so all that follows from them is. `elementary_hot` holds the compiled twins.
"""

import numpy as np

LN2 = 0.6931471805599453
LN2_HIGH, LN2_LOW = 0.693145751953125, 1.42860682030941723212e-6
TERMS = 11  # of the series in s^2 <= 0.0295: the rest is under 1e-17


def ln(x) -> np.ndarray:
    """Natural logarithm of positive float64, within 3 units in the last place."""
    m, e = np.frexp(np.asarray(x, dtype=np.float64))
    low = m < 0.7071067811865476
    m, e = np.where(low, m * 2.0, m), np.where(low, e - 1, e)
    s = (m - 1.0) / (m + 1.0)
    square, series = s * s, np.zeros_like(s)
    for n in range(TERMS, -1, -1):
        series = series * square + 1.0 / (2 * n + 1)
    return e * LN2_HIGH + (2.0 * s * series + e * LN2_LOW)


def exp(x) -> np.ndarray:
    """Exponential of float64, 0 below -700; the caller keeps x <= 700."""
    x = np.asarray(x, dtype=np.float64)
    n = np.floor(np.maximum(x, -700.0) / LN2 + 0.5)
    f = (np.maximum(x, -700.0) - n * LN2_HIGH) - n * LN2_LOW
    series = np.zeros_like(f)
    for term in range(13, 0, -1):
        series = (series + 1.0) * f / term
    return np.where(x < -700.0, 0.0, np.ldexp(series + 1.0, n.astype(np.int32)))


def power(x, p: float) -> np.ndarray:
    """x^p of x in [0, 1] and p > 0; x itself where p is 1."""
    x = np.asarray(x, dtype=np.float64)
    if p == 1:
        return x
    inside = x > 0
    return np.where(inside, exp(p * ln(np.where(inside, x, 1.0))), 0.0)
