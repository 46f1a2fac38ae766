"""Structured directions: the transform equals its matrix, directions are normal and orthogonal, memory is small."""

import numpy as np
import pytest
import scipy.sparse
from scipy import stats

import naive
from unkernel import FourierMap, SignGaussianMap
from unkernel.maps.hadamard import length_for, project_structured, structured, window_for


@pytest.mark.hot
@pytest.mark.parametrize(("d", "m", "length", "passes"), [(5, 128, 64, 3), (70, 140, 70, 4), (90, 125, 125, 6)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_projections_equal_their_twin(dtype, d, m, length, passes):
    X = np.random.default_rng(0).normal(size=(2, d)).astype(dtype)
    X[0, ::2] = 0
    table = structured(3, d, m, dtype)
    scale = np.array([1.0, 0.5], dtype)
    T = project_structured(X, table, scale)
    signs = table.signs(float).tolist()
    assert np.shape(signs) == (m // length, passes, length)
    for i in range(2):
        x = [*X[i].tolist(), *[0.0] * (length - d)]
        meant = np.concatenate([naive.passes(x, block) for block in signs]) * table.factors[:m] * scale[i]
        np.testing.assert_allclose(T[i, :m], meant, atol=40 * np.finfo(dtype).eps * np.abs(meant).max())
    assert not T[:, m:].any()
    np.testing.assert_array_equal(project_structured(scipy.sparse.csr_array(X), table, scale), T)


@pytest.mark.parametrize("d", [64, 128, 256, 512, 1000, 1025, 2048, 4096, 8192])
def test_passes_of_every_length_keep_squares(d):
    x = np.random.default_rng(d).normal(size=(1, d))
    table = structured(0, d, d, np.float64)
    T = project_structured(x, table._replace(factors=np.ones_like(table.factors)), np.ones(1))
    assert np.sum(T**2) == pytest.approx(np.sum(x**2))


@pytest.mark.parametrize("d", [64, 65, 100, 127, 256, 300])
def test_directions_of_a_block_are_at_right_angles(d):
    table = structured(1, d, d, np.float64)
    W = project_structured(np.eye(d), table, np.ones(d))[:, :d]
    G = W.T @ W
    np.testing.assert_allclose(G, np.diag(np.diag(G)), atol=1e-9)
    assert stats.kstest(np.diag(G), stats.chi2(d).cdf).pvalue > 1e-3


@pytest.mark.parametrize("d", [64, 80, 96, 127, 130, 784])
def test_projections_of_any_row_are_normal(d):
    # The hardest rows are those that stand in one place: only passes spread them.
    rows = np.zeros((3, d))
    rows[0, 0] = rows[1, d - 1] = 1
    rows[2, :8] = 8**-0.5
    seen = [project_structured(rows, structured(seed, d, d, np.float64), np.ones(3))[:, :d] for seed in range(40)]
    for i in range(3):
        sample = np.concatenate([T[i] for T in seen])
        assert np.mean(sample**2) == pytest.approx(1, abs=0.03)
        assert stats.kurtosis(sample) == pytest.approx(0, abs=0.35)
        # Every stretch of directions gets its share, whatever the place of the row.
        for part in np.array_split(np.array([T[i] for T in seen]), 4, axis=1):
            assert np.mean(part**2) == pytest.approx(1, abs=0.15)


def test_wide_sparse_rows_need_a_thousandth_of_a_table():
    d = 47_236
    X = scipy.sparse.random_array((5, d), density=0.001, format="csr", dtype=np.float32, rng=0)
    map_ = FourierMap(1024, gamma=0.5, random_state=0).fit(X)
    assert map_.variant_ == "structured"
    assert map_.nbytes * 1000 < d * 1024 * X.dtype.itemsize
    np.testing.assert_allclose(map_.transform(X) @ map_.transform(X).T, map_.kernel(X), atol=0.2)


@pytest.mark.parametrize(
    ("d", "k", "variant"),
    [(16, 1024, "orthogonal"), (784, 2048, "structured"), (784, 64, "aligned"), (2000, 64, "orthogonal")],
)
def test_the_cheaper_variant_is_chosen(d, k, variant):
    X = np.random.default_rng(0).normal(size=(2, d))
    assert FourierMap(k, random_state=0).fit(X).variant_ == variant


def test_windows_are_powers_of_two():
    assert [window_for(length) for length in (64, 65, 127, 128, 784, 47_236)] == [64, 64, 64, 128, 512, 32_768]


def test_blocks_of_directions_are_whole():
    lengths = [length_for(d, m) for d, m in [(5, 10), (64, 64), (784, 100), (784, 784), (784, 1024), (784, 2000)]]
    assert lengths == [64, 64, 784, 784, 1024, 1000]


def test_signs_by_structured_directions():
    X = np.random.default_rng(0).normal(size=(6, 300))
    map_ = SignGaussianMap(4096, variant="structured", random_state=0).fit(X)
    codes = map_.features(X).codes
    found = (codes[:, None] == codes).mean(axis=2)
    np.testing.assert_allclose(found, map_.kernel(X), atol=0.05)
