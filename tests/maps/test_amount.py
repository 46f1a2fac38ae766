"""Amounts: signs in columns of their own, nothing where there is nothing, dense and sparse alike."""

import numpy as np
import pytest
import scipy.sparse

from catalogue import signed
from unkernel.maps.amount import amounts, largest, shifted

pytestmark = pytest.mark.hot
X = signed(0, n=9, d=4)


def spread(block, width):
    """Amounts written out in all 2d columns."""
    out = np.zeros((len(block.indptr) - 1, 2 * width))
    for i in range(len(out)):
        at = slice(block.indptr[i], block.indptr[i + 1])
        out[i, block.columns[at]] = block.sizes[at]
    return out


def test_amounts_are_positive_parts_beside_negative_parts():
    np.testing.assert_array_equal(spread(amounts(X), 4), np.hstack([np.maximum(X, 0), np.maximum(-X, 0)]))


def test_dense_and_sparse_rows_have_the_same_amounts():
    for a, b in zip(amounts(X), amounts(scipy.sparse.csr_array(X)), strict=True):
        np.testing.assert_array_equal(a, b)


def test_rows_of_zeros_hold_nothing():
    np.testing.assert_array_equal(amounts(X).filled, X.any(axis=1))


def test_a_power_is_a_product_of_logs():
    block = amounts(X)
    np.testing.assert_allclose(block.logs(2.5), 2.5 * np.log(block.sizes), rtol=1e-6, atol=1e-6)
    assert block.logs(1.0).dtype == np.float32


def test_largest_amounts():
    expected = np.hstack([np.maximum(X, 0), np.maximum(-X, 0)]).max(axis=0)
    np.testing.assert_array_equal(largest(X), expected)
    np.testing.assert_array_equal(largest(scipy.sparse.csr_array(X)), expected)


def test_shifting_keeps_the_type():
    narrow = X.astype(np.float32)
    assert shifted(narrow, np.ones(4)).dtype == np.float32
    assert shifted(X, None) is X
