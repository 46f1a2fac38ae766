"""Products and sums of kernels."""

import numpy as np
import pytest
from sklearn.base import clone

from catalogue import nonnegative
from unkernel import GMM, RBF, Acos, CosineRBF, InputError, MinMax, Polynomial, Product, Sum


def test_operators_multiply_and_add():
    X = nonnegative(0)
    A, B, C = MinMax(), Acos(), RBF(0.5)
    np.testing.assert_allclose((A * B + C)(X), A(X) * B(X) + C(X), rtol=1e-12)
    np.testing.assert_allclose((A * (B + C)).diag(X), np.diag((A * (B + C))(X)), rtol=1e-12)


def test_parameters_are_reached_by_their_path():
    kernel = MinMax() * (RBF(1.0) + Acos())
    kernel.set_params(left__p=2.0, right__left__gamma=0.1)
    assert (kernel.left.p, kernel.right.left.gamma) == (2.0, 0.1)
    assert clone(kernel).get_params()["right__left__gamma"] == 0.1


def test_doors_of_both_members_hold():
    with pytest.raises(InputError, match="use GMM"):
        (RBF(1.0) * MinMax())([[1.0, -1.0]])
    with pytest.raises(InputError, match="p is 0"):
        (RBF(1.0) * MinMax(p=0))([[1.0, 1.0]])


@pytest.mark.parametrize("make", [Product, Sum])
def test_only_kernels_combine(make):
    with pytest.raises(InputError, match="right is 3; kernels combine with kernels"):
        make(MinMax(), 3)([[1.0]])


@pytest.mark.parametrize("change", [{"left__gamma": 50.0}, {"right__p": 3.0}, {"left": RBF(2.0)}])
def test_settings_changed_after_fit_count(change):
    X = nonnegative(0)
    fitted = (RBF("scale") * MinMax()).fit(X).set_params(**change)
    np.testing.assert_array_equal(fitted(X), clone(fitted)(X))


def test_members_stay_fitted_while_their_settings_stay():
    X = nonnegative(0)
    kernel = (RBF("scale") * GMM(center=X[0])).fit(X)
    np.testing.assert_array_equal(kernel(X[:5]), kernel(X)[:5, :5])


@pytest.mark.parametrize(
    ("made_by", "asked"),
    [(MinMax(), RBF(1.0)), (GMM(p=2.0), GMM()), (RBF(1.0), Polynomial()), (MinMax() * Acos(), MinMax()),
     (MinMax(), MinMax() * Acos()), (GMM(center=[1.0] * 7), GMM(center=[2.0] * 7))],
)  # fmt: skip
def test_a_base_of_another_kernel_is_refused(made_by, asked):
    with pytest.raises(InputError, match=r"the base was made by .* call base of this kernel"):
        asked.of_base(made_by.base(nonnegative(0)))


@pytest.mark.parametrize("kernel", [RBF(0.3), Acos(), CosineRBF(30.0), Polynomial(3), MinMax() * RBF(0.1)])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_a_base_of_float32_rows_keeps_the_digits_of_the_kernel(kernel, offset):
    X = (nonnegative(0) + offset).astype(np.float32)
    wide = kernel(X.astype(np.float64))
    np.testing.assert_allclose(kernel.of_base(kernel.base(X)), wide, rtol=1e-5, atol=1e-6)


def test_rows_of_two_types_keep_the_wider():
    narrow, wide = np.array([[1e38]], np.float32), np.array([[1e39]])
    np.testing.assert_allclose(MinMax()(narrow, wide), 0.1, rtol=1e-6)
    np.testing.assert_allclose(MinMax()(wide, narrow), 0.1, rtol=1e-6)
