"""Rejection sampling: the first dart inside the row, and what happens when none is."""

import numpy as np
import pytest
from scipy import stats

import naive
from catalogue import signed
from unkernel.maps.amount import amounts, largest
from unkernel.maps.icws import Icws
from unkernel.maps.random import stream
from unkernel.maps.rejection import BEYOND, Rejection, aims, filled_share
from unkernel.maps.sampler import Settings

pytestmark = [
    pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:.*above the bounds:UserWarning"),
]


@pytest.mark.hot
@pytest.mark.parametrize("p", [1.0, 2.5])
def test_samples_are_first_darts(p):
    X, k, darts = signed(0, n=7, d=3), 4, 6
    bounds = largest(X)
    numbers = Rejection(Settings(k, 3, p, 9), bounds, darts, False).darts(amounts(X))
    seed = stream(9, 1)
    expected = [[naive.first_dart(row, j, bounds.tolist(), seed, p, darts) for j in range(k)] for row in X.tolist()]
    assert numbers.tolist() == expected
    assert -1 in numbers[X.any(axis=1)]
    assert numbers.max() > 0


@pytest.mark.hot
def test_few_columns_are_sampled_sixteen_components_at_a_time(monkeypatch):
    X, k = signed(1, n=8, d=3), 21
    made = Settings(k, 3, 1.0, 9), largest(X[:-2]), 6, True
    few = Rejection(*made)
    monkeypatch.setattr("unkernel.maps.rejection.FEW", 0)
    many = Rejection(*made)
    assert (few.few, many.few) == (True, False)
    assert -1 in few.darts(amounts(X))[X.any(axis=1)]
    for a, b in zip(few.samples(amounts(X)), many.samples(amounts(X)), strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(few.codes(amounts(X), 3, 0), many.codes(amounts(X), 3, 0))


@pytest.mark.hot
def test_where_all_darts_miss_the_sample_is_unbounded():
    X = np.array([[1.0, 0.0], [1e-6, -2.0], [0.0, 0.0]])
    settings = Settings(8, 2, 1.0, 4)
    sampler = Rejection(settings, np.array([1.0, 0, 0, 0]), 5, True)
    columns, steps = sampler.samples(amounts(X))
    beyond = tuple(part[1] for part in Icws(settings).samples(amounts(X)))
    np.testing.assert_array_equal(columns[1], beyond[0])
    np.testing.assert_array_equal(steps[1], beyond[1] + BEYOND)
    assert steps[0].tolist() == [0] * 8
    assert set(steps[2]) == {-1}
    assert sampler.codes(amounts(X), 2, 0)[1].max() <= 3


def test_rows_without_any_bound_are_sampled_too():
    X = amounts(signed(0))
    settings = Settings(8, 7, 1.0, 4)
    columns, _ = Rejection(settings, np.zeros(14), 8, True).samples(X)
    np.testing.assert_array_equal(columns, Icws(settings).samples(X)[0])


def test_darts_land_as_often_as_the_filled_share_says():
    X = signed(3, n=20)
    block, bounds = amounts(X), largest(X)
    share = filled_share(block, bounds, 1.7)
    for stratified, atol in ((False, 4 * np.sqrt(0.25 / 4000)), (True, 14 / 4000)):
        darts = Rejection(Settings(4000, 7, 1.7, 2), bounds, 1, stratified).darts(block)
        np.testing.assert_allclose((darts == 0).mean(axis=1), share, atol=atol)
    assert filled_share(block, np.zeros(14), 1.0).tolist() == [0] * 20


def test_stratified_aims_fill_every_stratum_once_and_are_uniform():
    u = aims(7, (30, 64), True)
    np.testing.assert_array_equal(np.sort((u * 64).astype(int), axis=1), np.tile(np.arange(64), (30, 1)))
    for sample in (u[:, 0], u[:, 63], (u * 64 % 1).ravel()):
        assert stats.kstest(sample, "uniform").pvalue > 1e-3
    assert abs(np.corrcoef(u) - np.eye(30)).max() < 0.5


@pytest.mark.filterwarnings("error")
def test_amounts_too_small_for_a_bound_are_sampled_without():
    X = np.abs(np.random.default_rng(0).normal(size=(9, 20)))
    made = Settings(8, 20, 1.0, 4)
    tiny = amounts(1e-310 * X)
    columns, _ = Rejection(made, largest(1e-310 * X), 8, True).samples(tiny)
    np.testing.assert_array_equal(columns, Icws(made).samples(tiny)[0])
    mixed = np.vstack([X, 1e-300 * X, 1e300 * X])
    Rejection(made, largest(mixed), 8, True).codes(amounts(mixed), 4, 0)
