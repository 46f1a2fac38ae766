"""The exact regressor: kernel ridge and SVR on our kernels."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVR
from sklearn.utils.estimator_checks import parametrize_with_checks

from catalogue import nonnegative, signed
from unkernel import GMM, RBF, ExactRegressor, InputError, MinMax


@parametrize_with_checks([ExactRegressor(), ExactRegressor(RBF(0.1), loss="epsilon_insensitive")])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def rows(n=80, q=None):
    X = nonnegative(0, max(n, 6), 5)[:n]
    y = np.sin(X[:, 0]) + X[:, 1] + 0.05 * np.random.default_rng(1).normal(size=n)
    return X, y if q is None else np.column_stack([y, -3 * y + 5])[:, :q]


def test_ridge_is_kernel_ridge_around_an_intercept():
    X, y = rows()
    model = ExactRegressor(MinMax(), C=4.0).fit(X, y)
    theirs = KernelRidge(alpha=1 / 8, kernel="precomputed").fit(MinMax()(X), y - model.intercept_)
    np.testing.assert_allclose(model.predict(X), theirs.predict(MinMax()(X)) + model.intercept_, rtol=1e-8)
    np.testing.assert_allclose(np.sum(y - model.predict(X)), 0, atol=1e-8)
    assert model.gap_.max() < 1e-9


def test_a_shift_of_y_shifts_the_intercept_alone():
    X, y = rows()
    one, two = ExactRegressor(C=4.0).fit(X, y), ExactRegressor(C=4.0).fit(X, y + 1000)
    np.testing.assert_allclose(two.intercept_ - one.intercept_, 1000, rtol=1e-9)
    np.testing.assert_allclose(two.dual_coef_, one.dual_coef_, atol=1e-6)


def test_tube_is_svr():
    X, y = rows()
    model = ExactRegressor(MinMax(), loss="epsilon_insensitive", C=3.0, epsilon=0.05).fit(X, y)
    theirs = SVR(kernel=MinMax(), C=3.0, epsilon=0.05, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(model.predict(X), theirs.predict(X), atol=1e-8)
    assert len(model.support_) < len(y)


def test_the_curve_of_C_is_that_of_rows_left_out():
    X, y = rows(25)
    values = [0.1, 10.0]
    error = {}
    model = ExactRegressor(RBF(0.3), C=values, scoring="neg_mean_squared_error", cv=5).fit(X, y)
    for C in values:
        left = [
            ExactRegressor(RBF(0.3), C=C).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[i : i + 1])[0]
            for i in range(25)
        ]
        error[C] = np.mean((np.array(left) - y) ** 2)
    np.testing.assert_allclose(-model.C_path_["score"], list(error.values()), rtol=1e-6)
    assert model.C_ == min(error, key=error.get)


@pytest.mark.parametrize("loss", ["squared", "epsilon_insensitive"])
def test_many_targets_are_as_many_machines(loss):
    X, Y = rows(q=2)
    both = ExactRegressor(loss=loss, C=2.0).fit(X, Y)
    for j in range(2):
        np.testing.assert_allclose(both.predict(X)[:, j], ExactRegressor(loss=loss, C=2.0).fit(X, Y[:, j]).predict(X))
    assert both.predict(X).shape == Y.shape


@pytest.mark.parametrize("loss", ["squared", "epsilon_insensitive"])
def test_C_and_kernel_are_chosen_together(loss):
    X, y = rows()
    model = ExactRegressor(GMM(), C="auto", loss=loss, grid={"p": [0.5, 1.0]}).fit(X, y)
    assert model.kernel_.p in (0.5, 1.0)
    assert model.score(X, y) > 0.7


def test_the_automatic_C_knows_the_units():
    X, y = rows()
    one = ExactRegressor(RBF(0.3), C="auto", loss="epsilon_insensitive", epsilon=0.01).fit(X, y)
    two = ExactRegressor(RBF(0.3), C="auto", loss="epsilon_insensitive", epsilon=10.0).fit(X, 1000 * y)
    assert two.C_ == pytest.approx(1000 * one.C_)


def test_what_cannot_be_is_refused():
    with pytest.raises(InputError, match="epsilon is -1"):
        ExactRegressor(epsilon=-1).fit(signed(0), np.arange(40.0))
    with pytest.raises(InputError, match="loss is 'hinge'"):
        ExactRegressor(loss="hinge").fit(signed(0), np.arange(40.0))


@pytest.mark.parametrize("n", [2, 3, 7])
def test_few_rows_have_one_score_of_all_left_out(n, recwarn):
    X, y = rows(n)
    model = ExactRegressor(RBF(0.3), C=[0.1, 1e-3]).fit(X, y)
    left = [
        ExactRegressor(RBF(0.3), C=0.1).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[[i]])[0] for i in range(n)
    ]
    R2 = 1 - np.sum((y - left) ** 2) / np.sum((y - y.mean()) ** 2)
    np.testing.assert_allclose(model.C_path_["score"][1], R2, rtol=1e-6)
    assert not [w for w in recwarn.list if "largest that was tried" not in str(w.message)]


def test_one_row_has_nothing_to_leave_out():
    with pytest.raises(InputError, match="X has 1 row that counts; give one C"):
        ExactRegressor(C="auto").fit([[1.0]], [2.0])


def test_targets_whose_squares_overflow_are_refused():
    X, y = rows(10)
    with pytest.raises(InputError, match=r"y is as large as 1e\+300 at row 3; .* divide y by one number"):
        ExactRegressor().fit(X, np.where(np.arange(10) == 3, 1e300, y))
