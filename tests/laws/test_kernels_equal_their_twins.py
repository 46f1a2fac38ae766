"""Every kernel equals its naive twin: dense, sparse, mixed, both types, zero rows and equal rows."""

import numpy as np
import pytest
import scipy.sparse

import naive
from catalogue import KERNELS

FORMS = {"dense": np.asarray, "sparse": scipy.sparse.csr_array}
TOLERANCE = {np.float64: 1e-6, np.float32: 1e-4}


@pytest.mark.hot
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("right", FORMS)
@pytest.mark.parametrize("left", FORMS)
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_gram_equals_the_twin(row, left, right, dtype):
    X, Y = row.data(0).astype(dtype), row.data(1, 23).astype(dtype)
    Y[0] = X[0]
    K = row.make()(FORMS[left](X), FORMS[right](Y))
    assert K.dtype == dtype
    np.testing.assert_allclose(K, naive.gram(row.naive, X, Y), rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype] * 1e-3)


@pytest.mark.hot
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_symmetric_gram_equals_the_twin(row, form, dtype):
    X = row.data(2).astype(dtype)
    K = row.make()(FORMS[form](X))
    np.testing.assert_allclose(K, naive.gram(row.naive, X, X), rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype] * 1e-3)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(row.make().diag(FORMS[form](X)), np.diag(K), rtol=10 * np.finfo(dtype).eps)


@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_two_vectors_give_a_number(row):
    u, v = row.data(3)[:2]
    assert row.make()(u, v) == pytest.approx(row.naive(u.tolist(), v.tolist()), rel=1e-9)


@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_a_base_serves_every_formula(row):
    X, Y = row.data(4), row.data(5, 11)
    kernel = row.make()
    for base, K in ((kernel.base(X, Y), kernel(X, Y)), (kernel.base(X), kernel(X))):
        for _ in range(2):
            np.testing.assert_allclose(kernel.of_base(base), K, rtol=1e-9, atol=1e-12)
