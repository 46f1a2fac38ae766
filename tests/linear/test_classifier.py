"""The classifier agrees with LIBLINEAR, takes every form and label, and refuses what it cannot use."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from realdata import real
from unkernel import Codes, InputError, LinearClassifier, Sparse
from unkernel.linear.losses import CLASSIFIERS


def rows(n=200, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 8, (n, 20))
    y = (codes[:, :5].sum(axis=1) * classes) // 36 % classes
    return Codes.of(codes, 8), y


@pytest.mark.parametrize("loss", CLASSIFIERS)
def test_it_is_a_scikit_learn_classifier(loss):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(LinearClassifier(loss))


def objective(model, X, y, loss, C):
    """Sum over one-vs-rest problems of the LIBLINEAR objective, intercept regularised."""
    total = 0.0
    for j, w in enumerate(model.coef_.astype(np.float64)):
        positive = model.classes_[1] if len(model.coef_) == 1 else model.classes_[j]
        sign = np.where(y == positive, 1, -1)
        e = np.maximum(0, 1 - sign * (X @ w + model.intercept_[j]))
        total += 0.5 * (w @ w + model.intercept_[j] ** 2) + C * np.sum(e if loss == "hinge" else e**2)
    return total


@pytest.mark.parametrize("name", ["a9a", "w8a", "ijcnn1", "usps", "letter", "news20_bydate", "sector"])
@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_objectives_equal_those_of_liblinear(name, loss):
    X, y = real(name, rows=1200)
    X = normalize(X.astype(np.float64))
    kept = np.isin(y, np.unique(y)[:6])
    X, y = X[kept], y[kept]
    ours = LinearClassifier(loss, C=0.5, tol=1e-5).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = LinearSVC(loss=loss, C=0.5, tol=1e-6, max_iter=20_000, dual=True, random_state=0).fit(X, y)
    assert objective(ours, X, y, loss, 0.5) == pytest.approx(objective(theirs, X, y, loss, 0.5), rel=1e-4)
    assert np.mean(ours.predict(X) == theirs.predict(X)) > 0.995


@pytest.mark.parametrize("name", ["usps", "letter", "ijcnn1"])
@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_objectives_on_codes_equal_those_of_liblinear(name, loss):
    X, y = real(name, rows=600)
    kept = np.isin(y, np.unique(y)[:4])
    X, y = X[kept].astype(np.float64), y[kept]
    F = Codes.of(np.stack([np.searchsorted(np.unique(np.quantile(x, np.arange(1, 8) / 8)), x) for x in X.T], axis=1), 8)
    ours = LinearClassifier(loss, C=1.0, tol=5e-5).fit(F, y)
    A = F.to_csr(np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = LinearSVC(loss=loss, C=1.0, tol=1e-6, max_iter=20_000, dual=True, random_state=0).fit(A, y)
    assert objective(ours, A, y, loss, 1.0) == pytest.approx(objective(theirs, A, y, loss, 1.0), rel=1e-4)
    assert np.mean(ours.predict(F) == theirs.predict(A)) > 0.99


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("loss", CLASSIFIERS)
def test_forms_agree(loss, classes):
    F, y = rows(classes=classes)
    X = F.to_csr(np.float64)
    models = [LinearClassifier(loss, dtype="float64").fit(G, y) for G in (X, X.toarray(), Sparse.of(X))]
    models.append(LinearClassifier(loss).fit(F, y))
    for model in models:
        np.testing.assert_allclose(model.decision_function(X), models[0].decision_function(X), atol=1e-4)
        assert model.coef_.shape == (1 if classes == 2 else classes, 160)


def test_labels_of_any_type_come_back():
    F, y = rows(classes=2)
    for labels in (
        np.array(["b", "a"]),
        np.array([True, False]),
        np.array([7, -3]),
        np.array(["x", 1], dtype=object)[:1],
    ):
        if len(labels) == 2:
            model = LinearClassifier().fit(F, labels[y])
            assert model.predict(F).dtype == labels.dtype
            assert np.mean(model.predict(F) == labels[y]) > 0.9


def test_class_weights_are_weights_of_rows():
    F, y = rows()
    weight = np.array([1.0, 4.0, 0.5])
    by_class = LinearClassifier(class_weight=dict(enumerate(weight))).fit(F, y)
    by_row = LinearClassifier().fit(F, y, sample_weight=weight[y])
    np.testing.assert_array_equal(by_class.coef_, by_row.coef_)
    balanced = LinearClassifier(class_weight="balanced").fit(F, y)
    same = LinearClassifier().fit(F, y, sample_weight=(len(y) / 3 / np.bincount(y))[y])
    np.testing.assert_allclose(balanced.coef_, same.coef_, atol=1e-6)


def test_threads_do_not_change_a_bit():
    F, y = rows()
    one, three = LinearClassifier().fit(F, y), LinearClassifier(n_jobs=3).fit(F, y)
    np.testing.assert_array_equal(one.coef_, three.coef_)


def test_probabilities_are_those_of_the_logistic_loss_only():
    F, y = rows()
    p = LinearClassifier("logistic").fit(F, y).predict_proba(F)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-6)
    assert not hasattr(LinearClassifier("hinge").fit(F, y), "predict_proba")  # calibration needs rows left out


def test_a_gap_that_is_not_met_warns_with_a_remedy():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 50)) * 100, rng.integers(0, 2, 3000)
    with pytest.warns(ConvergenceWarning, match="or a callback wanted an end. Lower C"):
        model = LinearClassifier(C=100.0, callbacks=lambda step: True).fit(X, y)
    assert model.gap_[0] > model.tol


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"C": 0}, "C is 0; it must be a finite number above 0"),
        ({"loss": "squared"}, "loss is 'squared'; it must be one of"),
        ({"tol": -1}, "tol is -1"),
        ({"callbacks": 3}, "callbacks holds 3"),
        ({"intercept_scaling": 0}, "intercept_scaling is 0"),
        ({"class_weight": "even"}, "class_weight is 'even'"),
        ({"dtype": "float16"}, "dtype is 'float16'"),
    ],
)
def test_settings_out_of_range_are_refused(options, message):
    F, y = rows()
    with pytest.raises(InputError, match=message):
        LinearClassifier(**options).fit(F, y)


def test_codes_of_another_width_are_refused():
    F, y = rows()
    model = LinearClassifier().fit(F, y)
    with pytest.raises(InputError, match="X has 80 features, but LinearClassifier is expecting 160"):
        model.predict(Codes.of(np.zeros((2, 10), int), 8))
