"""Sums over columns: every way gives the sums of the definition."""

import numpy as np
import pytest
import scipy.sparse

from catalogue import nonnegative, signed
from unkernel.kernels import sums
from unkernel.kernels.statistic import ChiSquares, Distances, LogCosh, Minima, Products

EVERY = (slice(0, 40), slice(0, 23))


def pairs(statistic, X, Y):
    """Sums by definition."""
    return np.array([[sum(statistic.pair(a, b) for a, b in zip(u, v, strict=True)) for v in Y] for u in X])


@pytest.mark.hot
@pytest.mark.parametrize("way", ["tiles", "walk", "walk that turns dense"])
@pytest.mark.parametrize("statistic", [Products(), Minima(), ChiSquares(), Distances(), LogCosh()])
def test_every_way_of_summing_gives_the_sums(statistic, way, monkeypatch):
    make = nonnegative if isinstance(statistic, ChiSquares) else signed
    X, Y = make(0), make(1, 23)
    form = np.asarray if way == "tiles" else scipy.sparse.csr_array
    monkeypatch.setattr(sums, "DENSE_PER_STEP", 0 if way == "walk" else 1e9)
    S = sums.sums(statistic, form(X), form(Y))(*EVERY)
    np.testing.assert_allclose(S, pairs(statistic, X, Y), rtol=1e-12, atol=1e-12)


@pytest.mark.hot
def test_sums_run_over_more_columns_than_a_chunk():
    X, Y = signed(0, 6, 300), signed(1, 35, 300)
    S = sums.sums(Minima(), X, Y)(slice(0, 6), slice(0, 35))
    np.testing.assert_allclose(S, pairs(Minima(), X, Y), rtol=1e-12)


@pytest.mark.parametrize(("scale", "narrow"), [(1, True), (0.1, False), (1 << 20, False)])
def test_whole_numbers_are_summed_exactly(scale, narrow):
    X = (signed(0, 40, 60) * 20).round() * scale
    assert sums._counts(X) == narrow
    for statistic in (Minima(), Distances()):
        S = sums.sums(statistic, X, X[:23])(*EVERY)
        assert S.dtype == np.float64
        np.testing.assert_allclose(S, pairs(statistic, X, X[:23]), rtol=0 if narrow else 1e-14)


@pytest.mark.hot
@pytest.mark.parametrize("scale", [1.0, 60.0, 500.0])
def test_products_of_great_values_do_not_overflow(scale):
    X, Y = signed(0, 6, 50) * scale, signed(1, 35, 50) * scale
    S = sums.sums(LogCosh(), X, Y)(slice(0, 6), slice(0, 35))
    np.testing.assert_allclose(S, pairs(LogCosh(), X, Y), rtol=1e-12)


@pytest.mark.parametrize("statistic", [Products(), Minima(), ChiSquares(), Distances()])
def test_columns_that_hold_nothing_cost_nothing(statistic):
    X, Y = nonnegative(0)[:4] * (nonnegative(2)[:4] > 0.5), nonnegative(1)[:5]
    places = np.sort(np.random.default_rng(0).choice(1 << 40, X.shape[1]))

    def spread(R):
        i, j = np.nonzero(R)
        return scipy.sparse.csr_array((R[i, j], (i, places[j])), shape=(len(R), 1 << 40))

    S = sums.sums(statistic, spread(X), spread(Y))(slice(0, 4), slice(0, 5))
    np.testing.assert_allclose(S, pairs(statistic, X, Y), rtol=1e-12)
