"""Kernels of the inner product against their limits and scikit-learn's."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel

from catalogue import signed
from unkernel import RBF, InputError, Linear, Polynomial, TaylorRBF


def test_linear_and_polynomial_are_scikit_learns():
    X, Y = signed(0), signed(1, 9)
    np.testing.assert_allclose(Linear()(X, Y), linear_kernel(X, Y), rtol=1e-12, atol=1e-14)
    expected = polynomial_kernel(X, Y, degree=4, gamma=0.2, coef0=0.5)
    np.testing.assert_allclose(Polynomial(4, gamma=0.2, coef0=0.5)(X, Y), expected, rtol=1e-12)


def test_taylor_tends_to_the_gaussian():
    X = signed(2)
    np.testing.assert_allclose(TaylorRBF(40, gamma=0.3)(X), RBF(0.3)(X), rtol=1e-9)
    errors = [np.abs(TaylorRBF(r, gamma=0.3)(X) - RBF(0.3)(X)).max() for r in (1, 3, 6, 12)]
    assert errors == sorted(errors, reverse=True)


def test_polynomial_takes_a_scale():
    X = signed(3)
    kernel = Polynomial(2, gamma="scale").fit(X)
    assert kernel.gamma_ == pytest.approx(1 / (X.shape[1] * X.var()))
    np.testing.assert_allclose(kernel(X[:3]), Polynomial(2, gamma=kernel.gamma_)(X[:3]))


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (Polynomial(0), "degree is 0"),
        (Polynomial(2.5), "degree is 2.5"),
        (Polynomial(coef0=-1), "coef0 is -1"),
        (Polynomial(gamma="median"), "one of 'scale'"),
        (TaylorRBF(-1), "degree is -1"),
        (TaylorRBF(gamma=0), "gamma is 0"),
        (RBF("auto"), "one of 'scale', 'median'"),
        (RBF(None), "gamma is None"),
    ],
)
def test_parameters_out_of_range_are_refused(kernel, words):
    with pytest.raises(InputError, match=words):
        kernel(signed(0))


def test_power_that_overflows_the_type_is_refused():
    X = np.full((3, 64), 200.0, np.float32)
    with pytest.raises(InputError, match=r"its power of 12 overflows float32; use gamma=.scale., a lower degree"):
        Polynomial(12)(X)
    assert np.isfinite(Polynomial(12)(X.astype(np.float64))).all()


@pytest.mark.parametrize("size", [200.0, 1e-25])
def test_taylor_and_scaled_polynomials_are_numbers_for_any_size(size):
    X = (np.random.default_rng(0).uniform(size=(9, 64)) * size).astype(np.float32)
    assert np.isfinite(TaylorRBF(10, gamma=1.0)(X)).all()
    for kernel in (TaylorRBF(3), Polynomial(3, gamma="scale")):
        unit = (X / size).astype(np.float32)
        np.testing.assert_allclose(kernel(X), kernel(unit), rtol=1e-3)
