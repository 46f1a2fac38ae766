"""The regressor agrees with ridge regression and LIBLINEAR, moves with its targets, and refuses what it cannot use."""

import warnings

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import scale
from sklearn.svm import LinearSVR
from sklearn.utils.estimator_checks import check_estimator

import naive
from realdata import real
from unkernel import Codes, Dense, InputError, LinearRegressor, Sparse
from unkernel.linear.losses import REGRESSORS


def rows(n=200, targets=None, seed=0):
    rng = np.random.default_rng(seed)
    codes = Codes.of(rng.integers(0, 8, (n, 20)), 8)
    shape = (160,) if targets is None else (160, targets)
    y = codes.to_csr(np.float64) @ rng.normal(size=shape)
    return codes, 50.0 + 3.0 * (y + 0.1 * rng.standard_t(2, size=y.shape))


@pytest.mark.parametrize("loss", REGRESSORS)
def test_it_is_a_scikit_learn_regressor(loss):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(LinearRegressor(loss))


@pytest.mark.parametrize("name", ["reg_puma8NH", "reg_kin40k", "reg_fried"])
def test_the_squared_loss_is_ridge_regression(name):
    X, y = real(name, rows=800)
    X, y = scale(X.astype(np.float64)), y.astype(np.float64)
    ours = LinearRegressor(C=0.5, tol=1e-8).fit(X, y)
    theirs = Ridge(alpha=1.0).fit(X, y)
    assert ours.gap_[0] <= 1e-8
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-4 * y.std())


@pytest.mark.parametrize("name", ["reg_abalone", "reg_puma8NH", "reg_kin40k"])
@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared_epsilon_insensitive"])
def test_objectives_equal_those_of_liblinear(name, loss):
    X, y = real(name, rows=800)
    X, y = scale(X.astype(np.float64)), scale(y.astype(np.float64))
    A = np.column_stack([X, np.ones(len(X))])
    ours = LinearRegressor(loss, C=0.3, epsilon=0.2, fit_intercept=False, tol=1e-6).fit(A, y)
    theirs = LinearSVR(
        loss=loss, C=0.3, epsilon=0.2, fit_intercept=False, tol=1e-7, max_iter=200_000, dual=True, random_state=0
    ).fit(A, y)
    here, there = (
        naive.linear_objective(loss, A, y, np.full(len(y), 0.3), 0.0, np.append(w, 0), epsilon=0.2)
        for w in (ours.coef_, theirs.coef_)
    )
    assert here == pytest.approx(there, rel=1e-4)


@pytest.mark.parametrize("loss", REGRESSORS)
def test_no_better_weights_exist(loss):
    F, y = rows(60)
    weight = np.random.default_rng(1).choice([0.0, 1.0, 2.0], 60)
    model = LinearRegressor(loss, C=2.0, epsilon=0.7, intercept_scaling=3.0, tol=1e-6, dtype="float64")
    model.fit(F.to_csr(np.float64), y, sample_weight=weight)
    A, middle = F.to_dense(np.float64), np.average(y, weights=weight)

    def objective(w):
        return naive.linear_objective(loss, A, y - middle, 2.0 * weight, 3.0, w, epsilon=0.7, width=0.7)

    start = np.append(model.coef_, (model.intercept_ - middle) / 3.0)
    assert minimize(objective, start, method="L-BFGS-B").fun >= objective(start) * (1 - 1e-5)


@pytest.mark.parametrize("loss", REGRESSORS)
def test_forms_agree(loss):
    F, y = rows()
    X = F.to_csr(np.float64)
    models = [LinearRegressor(loss, tol=1e-6).fit(G, y) for G in (X, X.toarray(), Sparse.of(X), Dense(X.toarray()), F)]
    for model in models:
        np.testing.assert_allclose(model.predict(X), models[0].predict(X), atol=2e-3 * y.std())
    assert models[-1].coef_.dtype == np.float32
    assert models[0].coef_.dtype == np.float64


def test_a_shift_of_the_targets_shifts_the_intercept_alone():
    F, y = rows()
    one, other = LinearRegressor(dtype="float64").fit(F, y), LinearRegressor(dtype="float64").fit(F, y + 1e6)
    np.testing.assert_allclose(other.coef_, one.coef_, atol=1e-4)
    assert other.intercept_ - one.intercept_ == pytest.approx(1e6)
    assert LinearRegressor(fit_intercept=False).fit(F, y).intercept_ == 0


def test_targets_are_independent_and_threads_do_not_change_a_bit():
    F, Y = rows(targets=3)
    together = LinearRegressor().fit(F, Y)
    threads = LinearRegressor(n_jobs=3).fit(F, Y)
    assert together.predict(F).shape == (200, 3)
    np.testing.assert_array_equal(together.coef_, threads.coef_)
    for j in range(3):
        alone = LinearRegressor().fit(F, Y[:, j])
        np.testing.assert_array_equal(alone.coef_, together.coef_[j])
        np.testing.assert_allclose(alone.predict(F), together.predict(F)[:, j], rtol=1e-5)
        assert isinstance(alone.intercept_, float)


def test_straight_losses_shrug_off_wild_targets():
    F, y = rows(400)
    truth = LinearRegressor(C=10.0).fit(F, y)
    wild = y.copy()
    wild[::20] += 1000
    off = {
        loss: np.abs(LinearRegressor(loss, C=10.0).fit(F, wild).predict(F) - truth.predict(F)).mean()
        for loss in ("squared", "huber", "epsilon_insensitive")
    }
    assert off["huber"] < 0.2 * off["squared"]
    assert off["epsilon_insensitive"] < 0.2 * off["squared"]


def test_a_gap_that_is_not_met_warns_with_a_remedy():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 50)) * 100, rng.normal(size=3000)
    with pytest.warns(ConvergenceWarning, match="or a callback wanted an end. Lower C"):
        model = LinearRegressor("epsilon_insensitive", C=100.0, callbacks=lambda step: True).fit(X, y)
    assert model.gap_[0] > model.tol


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"C": 0}, "C is 0; it must be a finite number above 0"),
        ({"loss": "hinge"}, "loss is 'hinge'; it must be one of 'squared'"),
        ({"epsilon": -1}, "epsilon is -1"),
        ({"loss": "huber", "epsilon": 0}, "epsilon is 0; it must be a finite number above 0"),
        ({"tol": 0}, "tol is 0"),
        ({"callbacks": 3}, "callbacks holds 3"),
        ({"intercept_scaling": 0}, "intercept_scaling is 0"),
        ({"dtype": "float16"}, "dtype is 'float16'"),
    ],
)
def test_settings_out_of_range_are_refused(options, message):
    F, y = rows()
    with pytest.raises(InputError, match=message):
        LinearRegressor(**options).fit(F, y)


@pytest.mark.parametrize("targets", [1, 2])
def test_c_is_chosen_where_left_out_rows_are_predicted_best(targets):
    F, y = rows(300, targets=targets) if targets > 1 else rows(300)
    model = LinearRegressor(C="auto").fit(F, y)
    path = model.C_path_
    assert model.C_ == path["C"][np.flatnonzero(path["score"] == path["score"].max())[0]]
    given = [cross_val_score(LinearRegressor(C=C), F.to_csr(np.float64), y).mean() for C in (model.C_, model.C_ / 64)]
    assert given[0] > given[1]
    by_error = LinearRegressor("huber", C="auto", scoring="neg_mean_absolute_error").fit(F, y)
    assert by_error.C_path_["score"].max() < 0


def test_words_for_c_are_checked():
    F, y = rows()
    with pytest.raises(InputError, match="C is 'liblinear'; it must be one of 'auto'"):
        LinearRegressor(C="liblinear").fit(F, y)
