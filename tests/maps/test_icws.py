"""Consistent weighted sampling: the loops are the papers' algorithm, and their random numbers have its laws."""

import numpy as np
import pytest
from scipy import stats

import naive
from catalogue import signed
from unkernel.maps.amount import amounts
from unkernel.maps.icws import Icws, panels
from unkernel.maps.icws_hot import TILE, encode, fill
from unkernel.maps.sampler import Settings

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")


@pytest.mark.hot
@pytest.mark.parametrize("p", [1.0, 2.5])
def test_samples_are_those_of_the_paper(p):
    X, k = signed(0, n=6, d=3), 5
    columns, steps = Icws(Settings(k, 3, p, 11)).samples(amounts(X))
    expected = [[naive.icws(row, j, 11, p) for j in range(k)] for row in X.tolist()]
    assert [list(zip(c, t, strict=True)) for c, t in zip(columns.tolist(), steps.tolist(), strict=True)] == expected


@pytest.mark.hot
def test_samples_are_the_same_in_panels():
    X, k = signed(4, n=6, d=100)[:2], 2
    block = amounts(X)
    assert panels(block, 100).shape == (2, 4)
    columns, steps = Icws(Settings(k, 100, 1.0, 11)).samples(block)
    expected = [[naive.icws(row, j, 11, 1.0) for j in range(k)] for row in X.tolist()]
    assert [list(zip(c, t, strict=True)) for c, t in zip(columns.tolist(), steps.tolist(), strict=True)] == expected


def test_a_row_is_sampled_alike_in_full_and_lean_company():
    X = signed(5, n=70, d=150)
    lean = X * (np.random.default_rng(0).random(X.shape) < 0.02)
    sampler = Icws(Settings(40, 150, 1.0, 3))
    assert [panels(amounts(rows), 150).shape[1] for rows in (X, lean)] == [5, 2]
    alone = np.vstack([sampler.codes(amounts(row[None]), 6, 1) for row in np.vstack([X[:35], lean[35:]])])
    np.testing.assert_array_equal(sampler.codes(amounts(np.vstack([X[:35], lean[35:]])), 6, 1), alone)
    np.testing.assert_array_equal(sampler.codes(amounts(lean), 6, 1)[35:], alone[35:])


@pytest.mark.hot
def test_codes_are_low_bits_of_column_and_step():
    winners, steps = np.full((1, TILE), 13, np.int32), np.full((1, TILE), -3, np.float32)
    out = np.zeros((1, 3), np.uint8)
    encode(winners, steps, 3, 2, 0, out)
    assert out.tolist() == [[13 % 8 + 8 * (-3 % 4)] * 3]


def test_random_numbers_have_the_laws_of_the_paper():
    table = np.empty(4 * TILE * 4000, np.float32)
    fill(np.uint64(3), 0, 4000, table)
    inverse, b, r, c = table.reshape(4000, 2, 4, 16).transpose(2, 0, 1, 3).reshape(4, -1)[:, ::3].astype(float)
    np.testing.assert_allclose(inverse * r, 1, rtol=1e-6)
    assert stats.kstest(r, stats.gamma(2).cdf).pvalue > 1e-3
    assert stats.kstest(np.exp(c + r), stats.gamma(2).cdf).pvalue > 1e-3
    assert stats.kstest(b, "uniform").pvalue > 1e-3
    assert abs(np.corrcoef([r, b, c + r]) - np.eye(3)).max() < 4 / np.sqrt(len(r))


def test_components_do_not_depend_on_their_number():
    X = amounts(signed(1))
    few, many = (Icws(Settings(k, 7, 1.0, 5)).codes(X, 4, 1) for k in (33, 70))
    np.testing.assert_array_equal(few, many[:, :33])
