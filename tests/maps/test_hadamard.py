"""Structured directions: the transform equals its matrix, directions are normal and orthogonal, memory is small."""

import numpy as np
import pytest
import scipy.sparse
from scipy import stats

import naive
from unkernel import FourierMap, SignGaussianMap
from unkernel.maps.hadamard import length_for, project_structured, structured


@pytest.mark.hot
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_projections_equal_their_twin(dtype):
    X = np.random.default_rng(0).normal(size=(2, 70)).astype(dtype)
    X[0, ::2] = 0
    table = structured(3, 70, 150, dtype)
    scale = np.array([1.0, 0.5], dtype)
    T = project_structured(X, table, scale)
    assert table.signs.shape == (2, 3, 128)
    for i in range(2):
        x = [*X[i].tolist(), *[0.0] * 58]
        meant = [*naive.three_passes(x, table.signs[0].tolist()), *naive.three_passes(x, table.signs[1].tolist())]
        meant = np.array(meant[:150]) * table.factors[:150] * scale[i]
        np.testing.assert_allclose(T[i, :150], meant, atol=40 * np.finfo(dtype).eps * np.abs(meant).max())
    np.testing.assert_array_equal(project_structured(scipy.sparse.csr_array(X), table, scale), T)


@pytest.mark.parametrize("D", [64, 128, 256, 512, 1024, 2048, 4096, 8192])
def test_transforms_of_every_length_keep_squares(D):
    x = np.random.default_rng(D).normal(size=(1, D))
    table = structured(0, D, D, np.float64)
    T = project_structured(x, table._replace(factors=np.full(D, D**-1.5)), np.ones(1))
    # A transform that keeps all squares and does not repeat itself is orthogonal.
    assert np.sum(T**2) == pytest.approx(np.sum(x**2))
    assert stats.kstest(T[0] / np.sqrt(np.mean(x**2)), "norm").pvalue > 1e-3


def test_directions_of_a_block_are_at_right_angles():
    table = structured(1, 256, 256, np.float64)
    W = project_structured(np.eye(256), table, np.ones(256))
    G = W.T @ W
    np.testing.assert_allclose(G, np.diag(np.diag(G)), atol=1e-9)
    assert stats.kstest(np.diag(G), stats.chi2(256).cdf).pvalue > 1e-3


def test_wide_sparse_rows_need_a_thousandth_of_a_table():
    d = 47_236
    X = scipy.sparse.random_array((5, d), density=0.001, format="csr", dtype=np.float32, rng=0)
    map_ = FourierMap(1024, gamma=0.5, random_state=0).fit(X)
    assert map_.variant_ == "structured"
    assert map_.nbytes * 1000 < d * 1024 * 8
    np.testing.assert_allclose(map_.transform(X) @ map_.transform(X).T, map_.kernel(X), atol=0.2)


@pytest.mark.parametrize(
    ("d", "k", "variant"), [(16, 1024, "orthogonal"), (784, 2048, "structured"), (784, 64, "orthogonal")]
)
def test_the_cheaper_variant_is_chosen(d, k, variant):
    X = np.random.default_rng(0).normal(size=(2, d))
    assert FourierMap(k, random_state=0).fit(X).variant_ == variant


def test_lengths_are_powers_of_two():
    assert [length_for(d) for d in (1, 64, 65, 784, 1024, 47_236)] == [64, 64, 128, 1024, 1024, 65_536]


def test_signs_by_structured_directions():
    X = np.random.default_rng(0).normal(size=(6, 300))
    map_ = SignGaussianMap(4096, variant="structured", random_state=0).fit(X)
    codes = map_.features(X).codes
    found = (codes[:, None] == codes).mean(axis=2)
    np.testing.assert_allclose(found, map_.kernel(X), atol=0.05)
