"""Angular kernels: known values, rows of zeros, and duplicates."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.metrics.pairwise import cosine_similarity, rbf_kernel
from sklearn.preprocessing import normalize

from catalogue import signed
from unkernel import Acos, Cosine, CosineRBF, FoldedRBF


def test_cosine_is_scikit_learns():
    X, Y = signed(0), signed(1, 9)
    np.testing.assert_allclose(Cosine()(X, Y), cosine_similarity(X, Y), atol=1e-14)


def test_cosine_rbf_is_rbf_at_half_gamma_of_normalised_rows():
    X, Y = signed(0), signed(1, 9)
    np.testing.assert_allclose(CosineRBF(7.0)(X, Y), rbf_kernel(normalize(X), normalize(Y), gamma=3.5), rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_close_rows_keep_their_digits(dtype):
    X = signed(2).astype(dtype)
    Y = (X * 3).astype(dtype)
    for kernel in (Acos(), CosineRBF(1000.0), FoldedRBF(1000.0)):
        filled = np.flatnonzero(X.any(axis=1))
        expected = kernel.diag(X)[filled]
        np.testing.assert_allclose(kernel(X, Y)[filled, filled], expected, rtol=1e-6 if dtype is np.float64 else 1e-4)


def test_large_gamma_folds_without_overflow():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
    np.testing.assert_allclose(FoldedRBF(5000.0)(X), [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 0.5]], atol=1e-12)


def test_rows_of_zeros():
    X = np.array([[0.0, 0.0], [3.0, 4.0]])
    np.testing.assert_allclose(Cosine()(X), [[0, 0], [0, 1]])
    np.testing.assert_allclose(Acos()(X), [[0, 0], [0, 1]])
    half = np.exp(-1.0)
    np.testing.assert_allclose(CosineRBF(2.0)(X), [[1, half], [half, 1]])
    np.testing.assert_allclose(FoldedRBF(2.0)(X), [[1, half], [half, (1 + np.exp(-4)) / 2]])


def test_one_base_serves_the_family():
    X, Y = signed(3), signed(4, 9)
    base = Cosine().base(X, Y)
    for kernel in (Cosine(), Acos(), CosineRBF(3.0), CosineRBF(300.0), FoldedRBF(3.0)):
        np.testing.assert_allclose(kernel.of_base(base), kernel(X, Y), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("size", [1e200, 1e-170, 1e-310])
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_the_size_of_rows_does_not_matter_however_extreme(size, form):
    X = np.array([[3.0, 4.0, 0.0], [0.0, 4.0, 3.0], [0.0, 0.0, 0.0]])
    for kernel in (Cosine(), Acos(), CosineRBF(5.0), FoldedRBF(5.0)):
        np.testing.assert_allclose(kernel(form(X * size)), kernel(X), rtol=1e-7, atol=1e-9)
