"""Every Gram matrix is symmetric, semi-definite to rounding, within its bounds, and the same for any threads."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone

from catalogue import KERNELS

AMOUNTS = arrays(np.float64, (9, 4), elements=st.floats(0, 50).map(lambda x: x if x > 1e-3 else 0.0))
SHARES = ["minmax", "minmax_p", "gmm", "gmm_p", "acos", "acos_chi2", "rbf", "cosine_rbf", "exp_chi2", "product"]
SHARES += ["skewed_chi2", "skewed_intersection"]
EACH = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)


@EACH
@settings(max_examples=20, deadline=None)
@given(X=AMOUNTS)
def test_gram_is_symmetric_bounded_and_semidefinite(row, X):
    if row.data.__name__ == "signed":
        X = X - X.mean(axis=0).round(3)
    kernel = row.make()
    K = kernel(X)
    np.testing.assert_array_equal(K, K.T)
    d = np.diag(K)
    assert (d >= 0).all()
    # Cauchy and Schwarz bound every entry by the diagonal.
    assert (np.abs(K) <= np.sqrt(np.outer(d, d)) * (1 + 1e-7) + 1e-12 * max(1, d.max())).all()
    if row.semidefinite:
        assert np.linalg.eigvalsh(K).min() >= -1e-9 * max(1.0, np.trace(K))
    np.testing.assert_allclose(kernel(X, X.copy()), K, rtol=1e-6, atol=1e-7 * max(1.0, d.max()))
    np.testing.assert_allclose(kernel.diag(X), d, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(kernel(scipy.sparse.csr_array(X)), K, rtol=1e-6, atol=1e-7 * max(1.0, d.max()))


@pytest.mark.parametrize("name", SHARES)
@settings(max_examples=10, deadline=None)
@given(X=AMOUNTS)
def test_shares_are_between_nothing_and_all(name, X):
    kernel = KERNELS[name].make()
    K, whole = kernel(X), X.any(axis=1)
    assert (K >= 0).all()
    assert (K <= 1 + 1e-12).all()
    np.testing.assert_array_equal(np.diag(K)[whole], 1)


@EACH
def test_real_size_gram_is_semidefinite(row):
    X = np.vstack([row.data(seed) for seed in range(8)])
    smallest = np.linalg.eigvalsh(row.make()(X)).min()
    assert smallest >= -1e-9 * len(X) or not row.semidefinite


@EACH
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_threads_and_memory_maps_change_no_bit(row, form, tmp_path):
    X = form(np.vstack([row.data(seed, 300) for seed in range(2)]))
    K = row.make()(X)
    np.testing.assert_array_equal(row.make()(X, n_jobs=3), K)
    told = []
    disk = np.memmap(tmp_path / "gram", dtype=np.float64, mode="w+", shape=K.shape)
    assert row.make()(X, out=disk, progress=lambda done, total: told.append((done, total))) is disk
    np.testing.assert_array_equal(disk, K)
    assert told[-1][0] == told[-1][1]


@EACH
def test_kernels_clone_and_pickle(row):
    kernel = row.make()
    assert clone(kernel).get_params().keys() == kernel.get_params().keys()
    X = row.data(0)
    np.testing.assert_array_equal(clone(kernel)(X), kernel(X))


@EACH
def test_not_finite_values_are_refused(row):
    X = row.data(0)
    X[2, 1] = np.nan
    with pytest.raises(ValueError, match="NaN at row 2, column 1"):
        row.make()(X)
