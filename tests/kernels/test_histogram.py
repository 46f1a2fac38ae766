"""Histogram kernels against scikit-learn's, their scales and what is refused."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.metrics.pairwise import chi2_kernel

from catalogue import nonnegative
from unkernel import AcosChi2, ExpChi2, InputError, SkewedChi2, SkewedIntersection


def test_exp_chi2_is_scikit_learns():
    X, Y = nonnegative(0), nonnegative(1, 9)
    np.testing.assert_allclose(ExpChi2(0.4)(X, Y), chi2_kernel(X, Y, gamma=0.4), rtol=1e-12)


def test_acos_chi2_ignores_the_length_of_rows():
    X = nonnegative(0)
    for form in (np.asarray, scipy.sparse.csr_array):
        np.testing.assert_allclose(AcosChi2()(form(X * 7), form(X)), AcosChi2()(X), atol=1e-7)


def test_exp_chi2_median_halves_nothing_but_the_scale():
    X = nonnegative(0, 30)
    kernel = ExpChi2("median").fit(X)
    D = -np.log(ExpChi2(1.0)(X))[np.triu_indices(30, 1)]
    assert kernel.gamma_ == pytest.approx(1 / np.median(D))


@pytest.mark.parametrize("kernel", [AcosChi2(), ExpChi2()], ids=repr)
def test_negative_values_name_another_kernel(kernel):
    with pytest.raises(InputError, match="use GMM or RBF"):
        kernel([[1.0, -2.0]])


@pytest.mark.parametrize("make", [SkewedChi2, SkewedIntersection])
def test_skewed_kernels_take_values_above_minus_c(make):
    X = nonnegative(0) - 0.4
    assert make(0.5)(X).shape == (40, 40)
    with pytest.raises(InputError, match=r"contains -0\.4 and c is 0\.3"):
        make(0.3)(X)
    with pytest.raises(InputError, match="c is 0"):
        make(0.0)(X)
    with pytest.raises(InputError, match="sigma is -1"):
        make(1.0, sigma=-1)(X)


def test_skewed_kernels_of_far_rows_vanish_quietly():
    X = np.array([[0.0] * 50, [1e9] * 50])
    for kernel in (SkewedChi2(sigma=9.0), SkewedIntersection(sigma=9.0)):
        np.testing.assert_array_equal(kernel(X), np.eye(2))


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_chi_squares_of_large_and_tiny_rows(form):
    X = np.array([[1.0, 2.0], [2.0, 1.0], [0.0, 0.0]])
    for size in (1e160, 1e-310):
        np.testing.assert_allclose(AcosChi2()(form(X * size)), AcosChi2()(X), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(ExpChi2(1e-160)(form(X * 1e160)), ExpChi2(1.0)(X), rtol=1e-9)
    narrow = form((X * 1e30).astype(np.float32))
    np.testing.assert_allclose(ExpChi2(1e-30)(narrow), ExpChi2(1.0)(X), rtol=1e-5)


def test_skew_names_the_side():
    with pytest.raises(InputError, match="Y contains -5"):
        SkewedChi2()([[1.0]], [[-5.0]])
