"""The Gaussian kernel against scikit-learn's, and where squares cancel."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.metrics.pairwise import rbf_kernel

from catalogue import signed
from unkernel import RBF


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_rbf_is_scikit_learns(form):
    X, Y = form(signed(0)), form(signed(1, 9))
    np.testing.assert_allclose(RBF(0.3)(X, Y), rbf_kernel(X, Y, gamma=0.3), rtol=1e-12)


def test_narrow_rows_far_from_the_origin_keep_their_digits():
    X = (signed(0) + 1000).astype(np.float32)
    np.testing.assert_allclose(RBF(1.0)(X), RBF(1.0)(X.astype(float)), rtol=1e-4, atol=1e-12)


def test_diagonal_is_exactly_one():
    X = signed(0) * 1e6
    np.testing.assert_array_equal(np.diag(RBF(10.0)(X)), 1)


@pytest.mark.parametrize("offset", [1e6, 1.6e9])
def test_rows_far_from_zero_keep_their_distances(offset):
    X, Y = signed(0).round(6) + offset, signed(1, 9).round(6) + offset
    near = (X - offset, Y - offset)
    np.testing.assert_allclose(RBF(0.1)(X, Y), RBF(0.1)(*near), rtol=1e-5)
    np.testing.assert_allclose(RBF(0.1)(X), RBF(0.1)(near[0]), rtol=1e-5)
    assert RBF("median").fit(X).gamma_ == pytest.approx(RBF("median").fit(near[0]).gamma_, rel=1e-4)
