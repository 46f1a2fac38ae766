"""Decimal numbers become the nearest double, or are left undecided."""

from fractions import Fraction

import numpy as np
import pytest

from unkernel.data.decimal import FIVES, LEAST, MOST, TENS, TWOS, power_of_five
from unkernel.data.decimal_hot import nearest


@pytest.mark.parametrize("q", [LEAST, -27, -1, 0, 1, 55, 56, MOST])
def test_powers_of_five_are_their_leading_bits(q):
    high, low = power_of_five(q)
    assert high >> 63 == 1
    wide, exact = (high << 64) + low, Fraction(5) ** q
    scale = Fraction(2) ** (exact.numerator.bit_length() - exact.denominator.bit_length() - 128)
    ratio = exact / scale
    while ratio >= 2**128:
        ratio /= 2
    while ratio < 2**127:
        ratio *= 2
    assert abs(wide - ratio) <= 1
    assert FIVES[q - LEAST].tolist() == [high, low]


def test_tables_are_exact():
    assert [int(t) for t in TENS] == [10**q for q in range(23)]
    assert TWOS[1075] == 1
    assert TWOS[2046] == 2.0**971


@pytest.mark.hot
@pytest.mark.parametrize(
    ("w", "q"), [(1, 0), (9007199254740993, 0), (5, -324), (17976931348623157, 292), (123, 400), (2**63, -5), (1, 23)]
)
def test_the_nearest_double_or_none(w, q):
    with np.errstate(over="ignore"):
        got = nearest(np.uint64(w), q)
    want = float(f"{w}e{q}")
    assert got == want or (got == -1.0 and (want < 1e-300 or want > 8e307))
