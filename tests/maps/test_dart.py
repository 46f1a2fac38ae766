"""Dart sampling: what its bands and bounds promise. Its law is in test_sampler."""

import warnings

import numpy as np
import pytest
from scipy import stats

from catalogue import signed
from unkernel.maps.amount import amounts
from unkernel.maps.dart import Dart, largest_sum, poisson_steps
from unkernel.maps.sampler import Settings

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
X = signed(0, n=8, d=3)


def sampler(k=8, p=1.0, rows=X):
    return Dart(Settings(k, rows.shape[1], p, 5), largest_sum(amounts(rows), p))


@pytest.mark.hot
def test_every_component_of_a_filled_row_gets_a_dart():
    columns, darts = sampler().samples(amounts(X))
    filled = X.any(axis=1)
    assert (darts[filled] >= 0).all()
    assert (columns[~filled] == -1).all()
    held = np.hstack([X > 0, X < 0])
    assert all(held[i, columns[i]].all() for i in np.flatnonzero(filled))
    np.testing.assert_array_equal(sampler().codes(amounts(X), 3, 0)[filled], darts[filled] & 7)


def test_columns_come_up_by_their_amounts():
    row = np.array([[1.0, -2.0, 5.0]])
    columns, _ = sampler(20_000, rows=row).samples(amounts(row))
    seen = [(columns == v).sum() for v in (0, 4, 2)]
    assert stats.chisquare(seen, 20_000 * np.array([1, 2, 5]) / 8).pvalue > 1e-3


@pytest.mark.hot
def test_amounts_beyond_the_range_of_fit_are_counted_and_named():
    one = sampler()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        one.samples(amounts(X))
        one.samples(amounts(10 * X))
    row = np.array([[1e3 * np.abs(X).sum(), -1.0, 0.0]])
    with pytest.warns(UserWarning, match="1 of 2 amounts are over 16 times .*use algorithm='counter'"):
        one.codes(amounts(row), 3, 0)


@pytest.mark.filterwarnings("ignore:.*over 16 times:UserWarning")
def test_rows_far_smaller_or_larger_than_those_of_fit_are_sampled():
    columns, _ = sampler(64).samples(amounts(np.array([[1e-30, 0, -1e-200], [1e200, 1.0, 0]])))
    assert set(columns[0]) == {0}
    assert (columns[1] >= 0).all()


def test_constants():
    np.testing.assert_allclose(poisson_steps(), stats.poisson(1).cdf(np.arange(20)), rtol=1e-14)
    sums = np.abs(X).sum(axis=1)
    assert np.log(sums.max()) - 0.25 <= largest_sum(amounts(X), 1.0) <= np.log(sums.max())
    assert largest_sum(amounts(np.zeros((2, 3))), 1.0) == 0
