"""Products with a block of columns are matrix products, for every form."""

import numpy as np
import pytest

from unkernel import Codes, Dense, Sparse
from unkernel.linear.product import squared_norms, times, transposed_times


def forms(seed=0, n=31, k=5, levels=4):
    rng = np.random.default_rng(seed)
    codes = Codes.of(rng.integers(0, levels, (n, k)), levels, filled=rng.random(n) < 0.9)
    X = codes.to_csr(np.float64)
    return [codes, Sparse.of(X), Dense(X.toarray())]


@pytest.mark.hot
@pytest.mark.parametrize("F", forms(), ids=lambda F: type(F).__name__)
@pytest.mark.parametrize("q", [1, 3, 16, 37])
def test_products_are_matrix_products(F, q):
    rng = np.random.default_rng(1)
    A = F.to_dense(np.float64)
    W, B = rng.normal(size=(A.shape[1], q)), rng.normal(size=(A.shape[0], q))
    np.testing.assert_allclose(times(F, W), A @ W, atol=1e-12)
    np.testing.assert_allclose(transposed_times(F, B), A.T @ B, atol=1e-12)
    np.testing.assert_allclose(squared_norms(F), (A**2).sum(axis=1), atol=1e-12)


@pytest.mark.parametrize("F", forms(n=9000), ids=lambda F: type(F).__name__)
def test_threads_do_not_change_a_bit(F):
    rng = np.random.default_rng(1)
    W, B = rng.normal(size=(F.shape[1], 37)), rng.normal(size=(len(F), 37))
    np.testing.assert_array_equal(times(F, W), times(F, W, n_jobs=3))
    np.testing.assert_array_equal(transposed_times(F, B), transposed_times(F, B, n_jobs=3))


def test_single_precision_stays():
    for F in forms():
        assert times(F, np.ones((F.shape[1], 2), np.float32)).dtype == np.float32
        assert transposed_times(F, np.ones((len(F), 2), np.float32)).dtype == np.float32
