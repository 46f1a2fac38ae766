"""Polynomial features are the polynomial kernel."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.utils.estimator_checks import check_estimator

from catalogue import signed
from unkernel import InputError, PolynomialMap


@pytest.mark.parametrize("options", [{}, {"degree": 3, "gamma": "scale", "output": "sparse"}])
def test_it_is_a_scikit_learn_transformer(options):
    check_estimator(PolynomialMap(**options))


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("coef0", [0, 1.0, 2.5])
def test_inner_products_are_the_kernel_to_rounding(degree, coef0):
    X, Y = signed(0), signed(1)
    phi = PolynomialMap(degree, gamma=0.3, coef0=coef0, output="dense").fit(X)
    K = phi.transform(X) @ phi.transform(Y).T
    np.testing.assert_allclose(K, (0.3 * X @ Y.T + coef0) ** degree, atol=1e-11 * np.abs(K).max())


def test_without_a_constant_only_the_full_degree_remains():
    names = PolynomialMap(2, coef0=0).fit(np.ones((2, 2))).get_feature_names_out(["a", "b"])
    assert names.tolist() == ["a^2", "a b", "b^2"]


def test_degree_two_is_scaled_as_published():
    # Huang and Lin, equation 3.7: [1, sqrt(2 g) x_i, g x_i^2, sqrt(2) g x_i x_j].
    Z = PolynomialMap(2, gamma=0.5, coef0=1).fit_transform(np.array([[3.0, 5.0]]))
    np.testing.assert_allclose(Z, [[1, 3, 5, 4.5, np.sqrt(2) * 7.5, 12.5]])


def test_a_rule_needs_more_than_one_row():
    with pytest.raises(InputError, match="n_samples = 1"):
        PolynomialMap(gamma="scale").fit([[1.0, 2.0]])


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_rows_whose_monomials_are_no_numbers_are_refused(form):
    large, small = np.array([[1.0, 0.0], [0.0, -1e200]]), np.array([[1.0, 0.0], [1e-30, 0.0]], np.float32)
    phi = PolynomialMap(2).fit(np.eye(2))
    for make in (phi.transform, phi.features, phi.implicit):
        with pytest.raises(InputError, match=r"row 1 is 1e\+200 .* degree 2 overflow in float64; scale the columns"):
            make(form(large))
    assert np.isfinite(PolynomialMap(1).fit_transform(large)).all()
    with pytest.raises(InputError, match=r"row 1 is 1e-30 .* all lost to underflow in float32; scale the columns"):
        PolynomialMap(2, coef0=0).fit_transform(form(small))
    assert PolynomialMap(2, output="dense").fit_transform(form(small))[1, 0] == 1
    assert PolynomialMap(2, coef0=0, output="dense").fit_transform(form(0 * small)).max() == 0
