"""Random directions: each column standard normal, together independent, at right angles, or even."""

import numpy as np
import pytest
import scipy.sparse
from scipy import stats

from unkernel import InputError
from unkernel.maps.frequency import TABLES, aligned, gaussian, main_axes, norms, orthogonal, sobol


@pytest.mark.parametrize("draw", TABLES.values(), ids=TABLES)
def test_entries_are_standard_normal(draw):
    sample = np.array([draw(seed, 6, 7)[:, 6] for seed in range(1000)])
    for j in range(6):
        assert stats.kstest(sample[:, j], "norm").pvalue > 1e-4
    assert np.abs(np.corrcoef(sample.T) - np.eye(6)).max() < 0.12


@pytest.mark.parametrize("draw", TABLES.values(), ids=TABLES)
def test_the_seed_decides_and_chunks_do_not(draw, monkeypatch):
    table = draw(5, 9, 20)
    assert table.shape == (9, 20)
    monkeypatch.setattr("unkernel.maps.frequency.CHUNK", 7)
    np.testing.assert_array_equal(draw(5, 9, 20), table)
    assert (draw(6, 9, 20) != table).mean() > 0.99


@pytest.mark.parametrize("m", [3, 7, 14, 21])
def test_columns_of_a_block_are_at_right_angles(m):
    table = orthogonal(1, 7, m)
    for start in range(0, m, 7):
        block = table[:, start : start + 7]
        G = block.T @ block
        np.testing.assert_allclose(G, np.diag(np.diag(G)), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(table, axis=0), norms(1, 7, np.arange(m)))


@pytest.mark.parametrize("m", [9, 13, 17])
def test_a_longer_block_prefers_no_direction(m):
    table = orthogonal(1, 7, m)
    for columns in np.array_split(np.arange(m), m // 7):
        turned = table[:, columns] / norms(1, len(columns), columns)
        np.testing.assert_allclose(turned @ turned.T, np.eye(7), atol=1e-12)


AXES = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 3)))[0]


def test_aligned_directions_are_normal_and_at_right_angles_along_the_axes():
    sample = np.array([aligned(seed, 9, 4, AXES)[:, 3] for seed in range(1000)])
    for j in range(9):
        assert stats.kstest(sample[:, j], "norm").pvalue > 1e-4
    assert np.abs(np.corrcoef(sample.T) - np.eye(9)).max() < 0.12
    G = (AXES.T @ aligned(1, 9, 3, AXES)).T @ (AXES.T @ aligned(1, 9, 3, AXES))
    np.testing.assert_allclose(G, np.diag(np.diag(G)), atol=1e-12)
    np.testing.assert_array_equal(aligned(1, 9, 4, AXES[:, :0]), orthogonal(1, 9, 4))


@pytest.mark.parametrize("n", [7, 40])
def test_axes_are_those_along_which_rows_differ(n):
    spread = np.array([5.0, 3.0, 2.0, 0, 0, 0, 0, 0, 0])
    rows = 7 + np.random.default_rng(1).normal(size=(n, 9)) * spread
    axes = main_axes(rows, 8)
    assert axes.shape == (9, 3)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-6)
    np.testing.assert_allclose(axes[3:], 0, atol=1e-6)
    assert main_axes(rows, 2).shape == (9, 2)
    np.testing.assert_allclose(main_axes(scipy.sparse.csr_array(rows), 8), axes, atol=1e-6)
    assert main_axes(np.ones((5, 9)), 4).shape == (9, 0)


def test_lengths_follow_chi():
    assert stats.kstest(norms(3, 12, np.arange(5000)), stats.chi(12).cdf).pvalue > 1e-3


def test_a_sobol_sequence_is_more_even_than_chance():
    counts = [np.histogram(stats.norm.cdf(draw(2, 4, 256)[3]), 16, (0, 1))[0] for draw in (sobol, gaussian)]
    assert (counts[0] == 16).all()
    assert not (counts[1] == 16).all()


def test_too_many_columns_for_sobol_are_refused():
    with pytest.raises(InputError, match="21201"):
        sobol(0, 30_000, 2)
