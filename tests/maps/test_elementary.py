"""Logarithm, exponential and power: near the truth, and the same bits compiled or not."""

import numpy as np
import pytest

from unkernel.maps import elementary, elementary_hot

X = np.concatenate([10.0 ** np.linspace(-300, 300, 61), 1 + np.linspace(-0.4, 0.5, 40), [1.0, 5e-324, 0.5]])


def test_logarithms_are_right_to_the_last_places():
    np.testing.assert_allclose(elementary.ln(X), np.log(X), rtol=1e-15, atol=3e-16)


def test_exponentials_are_right_and_vanish_in_time():
    x = np.linspace(-699, 699, 500)
    np.testing.assert_allclose(elementary.exp(x), np.exp(x), rtol=3e-15)
    assert elementary.exp(-701.0) == elementary.exp(-1e9) == 0


def test_powers_of_shares():
    x = np.linspace(0, 1, 101)
    np.testing.assert_allclose(elementary.power(x, 2.5), x**2.5, rtol=1e-14)
    assert elementary.power(x, 1) is x


@pytest.mark.hot
def test_twins_agree_to_the_bit():
    assert [elementary_hot.ln(x) for x in X] == elementary.ln(X).tolist()
    for x in (-800.0, -3.7, 0.0, 12.25, 600.0):
        assert elementary_hot.exp(x) == elementary.exp(x)
    for x in (0.0, 1e-9, 0.3, 1.0):
        assert elementary_hot.power(x, 0.7) == elementary.power(x, 0.7)
        assert elementary_hot.power(x, 1.0) == x


@pytest.mark.hot
def test_the_narrow_logarithm_is_near_enough():
    for x in [2.0**-48, 1e-6, 0.3, 0.70710678, 0.9999999, 1.0, 1.5, 30.0]:
        assert abs(elementary_hot.ln_narrow(np.float32(x)) - np.log(np.float64(np.float32(x)))) < 2e-7 * max(
            1, abs(np.log(x))
        )
