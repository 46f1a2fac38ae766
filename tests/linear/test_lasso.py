"""Penalised learners agree with scikit-learn's, choose columns and groups, and refuse what makes no sense."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from realdata import real
from unkernel import Codes, InputError, LassoClassifier, LassoRegressor


@pytest.mark.parametrize(
    "model",
    [
        LassoClassifier(),
        LassoClassifier("logistic", penalty="group", groups=1),
        LassoRegressor(),
        LassoRegressor("huber", penalty="group", groups=1),
    ],
    ids=repr,
)
def test_they_are_scikit_learn_estimators(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(model)


def objective(model, X, y, loss, C, intercept):
    """The l1 objective of two classes; `intercept` is what the intercept pays."""
    w, b = model.coef_[0].astype(np.float64), float(model.intercept_[0])
    m = np.where(y == model.classes_[1], 1, -1) * (X @ w + b)
    lost = np.logaddexp(0, -m) if loss == "logistic" else np.maximum(0, 1 - m) ** 2
    return np.abs(w).sum() + intercept * abs(b) + C * lost.sum()


@pytest.mark.parametrize("name", ["a9a", "ijcnn1", "news20_bydate"])
def test_objectives_equal_those_of_liblinear(name):
    X, y = real(name, rows=1500)
    X, y = normalize(X.astype(np.float64)), y == y.max()
    for loss in ("squared_hinge", "logistic"):
        ours = LassoClassifier(loss, C=2.0, intercept_scaling=1.0, tol=1e-6).fit(X, y)
        if loss == "logistic":
            theirs = LogisticRegression(l1_ratio=1, solver="liblinear", C=2.0, tol=1e-6, max_iter=3000)
        else:
            theirs = LinearSVC(penalty="l1", dual=False, C=2.0, tol=1e-6, max_iter=3000)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs.fit(X, y)
        here, there = (objective(model, X, y, loss, 2.0, 1.0) for model in (ours, theirs))
        assert here <= there * (1 + 1e-4)
        assert here == pytest.approx(there, rel=5e-3)  # LIBLINEAR stops short of it on some
        assert np.mean(ours.predict(X) == theirs.predict(X)) > 0.99


def test_a_free_intercept_is_that_of_saga():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 8))
    y = X[:, 0] + 0.5 * rng.normal(size=150) > 1
    ours = LassoClassifier("logistic", C=0.3, tol=1e-9).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = LogisticRegression(l1_ratio=1, solver="saga", C=0.3, tol=1e-8, max_iter=20_000).fit(X, y)
    assert objective(ours, X, y, "logistic", 0.3, 0) == pytest.approx(
        objective(theirs, X, y, "logistic", 0.3, 0), rel=1e-7
    )
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)


def test_the_squared_loss_is_the_lasso():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 10))
    y = 7 + X[:, :3] @ [1.0, -2.0, 3.0] + 0.1 * rng.normal(size=100)
    ours = LassoRegressor(C=0.05, tol=1e-9).fit(X, y)
    theirs = Lasso(alpha=1 / (2 * 100 * 0.05), tol=1e-10).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-6)
    both = LassoRegressor(C=0.05, tol=1e-9).fit(X, np.column_stack([y, -y]))
    np.testing.assert_allclose(both.coef_, [ours.coef_, -ours.coef_], atol=1e-6)


def codes(n=300, seed=0):
    F = Codes.of(np.random.default_rng(seed).integers(0, 4, (n, 30)), 4)
    return F, np.array(["low", "high", "top"])[np.minimum(F.codes[:, 3] // 2 + F.codes[:, 8] // 2, 2)]


def test_groups_of_codes_are_components_and_c_is_chosen():
    F, y = codes()
    model = LassoClassifier(penalty="group", C="auto").fit(F, y)
    assert np.flatnonzero(model.selected_)[:2].tolist() == [3, 8]
    assert model.selected_.shape == (30,)
    assert model.score(F, y) == 1
    assert not model.hit_bound_
    assert model.C_ in model.C_path_["C"]
    np.testing.assert_allclose(model.predict_proba(F).sum(axis=1), 1, atol=1e-5)
    by_hand = LassoClassifier(penalty="group", groups=4, C=model.C_, tol=1e-5).fit(F.to_csr(np.float64), y)
    again = LassoClassifier(penalty="group", C=model.C_, tol=1e-5).fit(F, y)
    np.testing.assert_allclose(by_hand.decision_function(F), again.decision_function(F), atol=5e-3)


def test_weights_of_classes_and_rows_count_and_threads_do_not():
    F, y = codes()
    one = LassoClassifier("logistic", C=3.0, class_weight={"low": 2, "high": 1, "top": 0.5}).fit(F, y)
    weight = np.select([y == "low", y == "high"], [2.0, 1.0], 0.5)
    two = LassoClassifier("logistic", C=3.0, n_jobs=3).fit(F, y, sample_weight=weight)
    np.testing.assert_array_equal(one.coef_, two.coef_)


def test_a_regressor_chooses_c_and_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 30))
    y = 5 + X[:, 2] - X[:, 9] + 0.2 * rng.normal(size=200)
    for loss in ("squared", "huber", "squared_epsilon_insensitive"):
        model = LassoRegressor(loss, C="auto").fit(X, y)
        assert model.selected_[[2, 9]].all()
        assert model.score(X, y) > 0.9
        assert model.gap_[0] <= model.tol


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (LassoClassifier("hinge"), "loss is 'hinge', whose corner .* use \"squared_hinge\""),
        (LassoRegressor("epsilon_insensitive"), 'use "squared_epsilon_insensitive"'),
        (LassoClassifier(penalty="l2"), "penalty is 'l2'"),
        (LassoClassifier(penalty="group"), "groups is None"),
        (LassoClassifier(C="liblinear"), "C is 'liblinear'; it must be one of 'auto'"),
        (LassoClassifier(intercept_scaling=0), "intercept_scaling is 0"),
        (LassoRegressor(tol=0), "tol is 0"),
    ],
    ids=repr,
)
def test_what_makes_no_sense_is_refused(model, message):
    with pytest.raises(InputError, match=message):
        model.fit(np.eye(4), [0, 1, 0, 1])
