"""Projections: machine code against twins, one order of sums, refusals before allocation."""

import tracemalloc
from functools import partial

import numpy as np
import pytest
import scipy.sparse

import naive
from unkernel import FoldedFourierMap, FourierMap, InputError, SignGaussianMap
from unkernel.maps.projection import filled_rows, inverse_lengths, padded, project


def rows(dtype, n=6, d=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6)
    X[-1] = 0
    return X.astype(dtype)


@pytest.mark.hot
@pytest.mark.parametrize("n", [1, 4, 6])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_projections_equal_their_twin(dtype, n):
    X, W = rows(dtype, n), np.random.default_rng(1).normal(size=(5, 35)).astype(dtype)
    scale = np.linspace(1, 2, n).astype(dtype)
    T = project(X, padded(W, dtype), scale)
    assert T.dtype == dtype
    np.testing.assert_allclose(T[:, :35], naive.projections(X, W, scale), atol=10 * np.finfo(dtype).eps)
    assert not T[:, 35:].any()
    np.testing.assert_array_equal(project(scipy.sparse.csr_array(X), padded(W, dtype), scale), T)


@pytest.mark.hot
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_lengths_of_rows(form):
    X = rows(np.float64)
    lengths = np.linalg.norm(X, axis=1)
    np.testing.assert_allclose(inverse_lengths(form(X)) * lengths, lengths > 0)
    np.testing.assert_array_equal(filled_rows(form(X)), lengths > 0)


def test_long_float32_rows_do_not_overflow():
    assert inverse_lengths(np.full((1, 4), 1e30, np.float32))[0] == pytest.approx(5e-31)


@pytest.mark.parametrize("make", [FourierMap, SignGaussianMap])
def test_a_table_beyond_memory_is_refused_before_it_is_made(make):
    with pytest.raises(InputError, match=r"take .* GB .*fewer components"):
        make(10**12, variant="gaussian").fit(np.eye(3))


@pytest.mark.parametrize("variant", ["haar", 3])
def test_unknown_variants_are_refused(variant):
    with pytest.raises(InputError, match=r"variant is .*'gaussian'"):
        FourierMap(8, variant=variant).fit(np.eye(3))


@pytest.mark.parametrize(
    ("variant", "d", "m"), [("orthogonal", 30_000, 32), ("orthogonal", 100, 2000), ("sobol", 500, 500)]
)
def test_memory_asked_for_is_the_memory_directions_take(monkeypatch, variant, d, m):
    map_ = SignGaussianMap(m, variant=variant, random_state=0)
    X = scipy.sparse.csr_array(([1.0], ([0], [0])), shape=(1, d))
    map_.fit(X)  # modules and machine code are there
    tracemalloc.start()
    map_.fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    monkeypatch.setattr("unkernel.maps.projection.free_bytes", lambda: int(0.9 * peak))
    with pytest.raises(InputError, match="use fewer components"):
        map_.fit(X)


@pytest.mark.parametrize(("make", "bytes_"), [(SignGaussianMap, 8), (FourierMap, 64)])
def test_features_that_do_not_fit_are_refused_before_any_is_made(monkeypatch, make, bytes_):
    X = rows(np.float64)
    map_ = make(8, random_state=0).fit(X)
    monkeypatch.setattr("unkernel.maps.projection.free_bytes", lambda: bytes_ * len(X))
    assert map_.features(X).shape[0] == len(X)
    monkeypatch.setattr("unkernel.maps.projection.free_bytes", lambda: bytes_ * len(X) - 1)
    with pytest.raises(InputError, match=r"the features of 6 rows take .*transform fewer rows"):
        map_.features(X)


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_rows_of_any_size_have_a_direction_unless_it_is_no_number(form):
    X = np.random.default_rng(0).normal(size=(4, 5))
    for make in (partial(FourierMap, unit_rows=True, gamma=1.0), FoldedFourierMap):
        map_ = make(16, random_state=0).fit(form(X))
        for size in (1e250, 1e-250):
            np.testing.assert_allclose(map_.transform(form(size * X)), map_.transform(form(X)), atol=1e-12)
        for dtype, size in ((np.float64, 1e-310), (np.float32, 1e-41)):
            with pytest.raises(InputError, match=rf"row 0 is .*no direction in {np.dtype(dtype)}; multiply all rows"):
                map_.transform(form((size * X).astype(dtype)))
