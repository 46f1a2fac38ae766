"""Products and sums of kernels."""

import numpy as np
import pytest
from sklearn.base import clone

from catalogue import nonnegative
from unkernel import RBF, Acos, InputError, MinMax, Product, Sum


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
