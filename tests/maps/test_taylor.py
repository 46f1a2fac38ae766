"""Taylor features: the published kernel, the published bound, and what a row costs."""

import math

import numpy as np
import pytest
import scipy.sparse
from sklearn.utils.estimator_checks import check_estimator

from catalogue import signed
from realdata import real
from unkernel import RBF, InputError, TaylorMap, TaylorRBF


@pytest.mark.parametrize("options", [{}, {"output": "sparse"}, {"n_components": 30, "random_state": 0}])
def test_it_is_a_scikit_learn_transformer(options):
    check_estimator(TaylorMap(**options))


@pytest.mark.parametrize("degree", range(5))
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_inner_products_are_the_kernel_to_rounding(degree, dtype):
    X, Y = signed(0).astype(dtype), scipy.sparse.csr_array(signed(1).astype(dtype))
    phi = TaylorMap(degree, gamma=0.2, output="sparse").fit(X)
    K = (phi.transform(X) @ phi.transform(Y).T).toarray()
    assert phi.kernel.get_params() == TaylorRBF(degree, gamma=0.2).get_params()
    np.testing.assert_allclose(K, phi.kernel(X, Y), atol=1e-12 if dtype == np.float64 else 1e-6)


@pytest.mark.parametrize("gamma", [0.01, 0.2, 2.0])
@pytest.mark.parametrize("degree", [0, 1, 2, 5])
def test_the_error_stays_within_its_bound(degree, gamma):
    X = signed(0)
    phi = TaylorMap(degree, gamma=gamma).fit(X)
    error = np.abs(phi.kernel(X) - RBF(gamma)(X))
    lengths = np.linalg.norm(X, axis=1)
    for radius in (None, lengths.max()):
        assert (error <= phi.error_bound(X, radius=radius)[:, None] + 1e-12).all()
    # The published bound is larger: it drops the factor exp(-gamma (a - b)^2).
    published = (2 * gamma * lengths * lengths.max()) ** (degree + 1) / math.factorial(degree + 1)
    assert (phi.error_bound(X, radius=lengths.max()) <= published * (1 + 1e-9) + 1e-300).all()


def test_the_bound_is_reached_by_rows_in_line():
    phi = TaylorMap(3, gamma=0.05).fit(np.eye(2))
    u, v = np.array([[1.0, 0.0]]), np.linspace(0, 20, 400)[:, None] * [[1.0, 0.0]]
    worst = np.abs(phi.kernel(u, v) - RBF(0.05)(u, v)).max()
    assert worst <= phi.error_bound(u)[0] < 12 * worst


def test_scales_are_those_of_the_kernel():
    X = signed(0)
    for rule in ("scale", "median"):
        assert TaylorMap(gamma=rule).fit(X).gamma_ == RBF(rule).fit(X).gamma_
    with pytest.raises(InputError, match="gamma is 0"):
        TaylorMap(gamma=0).fit(X)
    with pytest.raises(InputError, match="radius is -1"):
        TaylorMap(gamma=1.0).fit(X).error_bound(X, radius=-1)


def test_a_row_of_adult_costs_what_the_paper_says():
    X, _ = real("a9a", rows=500)
    phi = TaylorMap(4, gamma=1 / 80).fit(X)
    s = np.diff(X.indptr)
    assert phi.cost(X).tolist() == [math.comb(n + 4, 4) for n in s]
    Z = phi.transform(X[:50])
    np.testing.assert_allclose((Z @ Z.T).toarray(), RBF(1 / 80)(X[:50]), atol=2e-4)


def test_small_and_large_float32_are_not_lost():
    X = signed(0, n=6, d=3)
    expected = TaylorMap(3, output="dense").fit_transform(X)
    for size in (1e-40, 1e30):
        Z = TaylorMap(3, output="dense").fit_transform((size * X).astype(np.float32))
        np.testing.assert_allclose(Z, expected, rtol=1e-4, atol=1e-6)
