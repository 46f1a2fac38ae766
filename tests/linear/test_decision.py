"""What linear classifiers share does not depend on how the weights were found."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.metrics import brier_score_loss

from realdata import real
from unkernel import Codes, Dense, InputError, LassoClassifier, LinearClassifier, MinMaxMap, Sparse
from unkernel.linear.decision import class_weights, classes_that_count


@pytest.mark.parametrize("model", [LinearClassifier("logistic"), LassoClassifier("logistic", C=10.0)], ids=repr)
def test_decisions_are_products_with_the_weights(model):
    X = np.random.default_rng(0).normal(size=(90, 4))
    for y in (X[:, 0] > 0, np.digitize(X[:, 0], [-0.5, 0.5])):
        f = X @ model.fit(X, y).coef_.T + model.intercept_
        np.testing.assert_allclose(model.decision_function(X), f[:, 0] if f.shape[1] == 1 else f)
        labels = model.classes_[(f[:, 0] > 0).astype(int) if f.shape[1] == 1 else f.argmax(axis=1)]
        np.testing.assert_array_equal(model.predict(X), labels)
        np.testing.assert_array_equal(model.classes_[model.predict_proba(X).argmax(axis=1)], labels)
        np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))


def test_classes_of_rows_without_weight_do_not_count():
    classes, index = classes_that_count(["a", "b", "c", "b"], np.array([1.0, 1.0, 0.0, 1.0]))
    assert classes.tolist() == ["a", "b"]
    assert index[[0, 1, 3]].tolist() == [0, 1, 1]


def test_balanced_weights_make_classes_weigh_alike():
    index, weight = np.array([0, 0, 0, 1]), np.array([1.0, 1.0, 2.0, 1.0])
    each = class_weights("balanced", ["a", "b"], index, weight) * weight
    assert each[:3].sum() == pytest.approx(each[3])


def test_a_fit_forgets_an_earlier_search():
    X = np.random.default_rng(0).normal(size=(80, 3))
    for model in (LinearClassifier(C="auto"), LassoClassifier(C="auto")):
        with pytest.raises(NotFittedError):
            model.predict_proba(X)
        model.fit(X, X[:, 0] > 0).set_params(C=1.0).fit(X, X[:, 0] > 0)
        for name in ("C_path_", "hit_bound_", "calibration_"):
            assert not hasattr(model, name)


def test_forms_pass_the_door_and_the_precision_asked_for():
    X = np.random.default_rng(0).normal(size=(80, 3))
    y = X[:, 0] > 0
    for wrong in (np.full((80, 3), np.nan), np.ones(80)):
        with pytest.raises(ValueError):
            LinearClassifier().fit(Dense(wrong), y)
    model = LinearClassifier().fit(Dense((9 * X).astype(int)), y)
    assert model.gap_[0] <= model.tol
    with pytest.raises(InputError):
        model.predict(Dense(np.full((2, 3), np.inf)))
    codes = Codes.of(np.random.default_rng(1).integers(0, 4, (80, 6)), 4)
    for F in (codes, Dense(X.astype(np.float32)), Sparse.of(codes.to_csr())):
        assert LinearClassifier().fit(F, y).coef_.dtype == np.float32
        assert LinearClassifier(dtype="float64").fit(F, y).coef_.dtype == np.float64


def test_a_search_weighs_rows_and_classes_as_repeating_them_does():
    rng = np.random.default_rng(0)
    F = Codes.of(rng.integers(0, 4, (240, 20)), 4)
    y = np.where(F.codes[:, :4].sum(axis=1) + rng.integers(-1, 2, 240) > 6, "yes", "no")
    times = rng.integers(1, 4, 240)
    rows, fold = np.repeat(np.arange(240), times), np.arange(240) % 4
    splits = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(4)]
    again = [(np.flatnonzero(fold[rows] != f), np.flatnonzero(fold[rows] == f)) for f in range(4)]
    grid = [0.03, 0.3, 3.0]
    for loss in ("squared_hinge", "logistic"):
        one = LinearClassifier(loss, C=grid, cv=splits).fit(F, y, sample_weight=times.astype(float))
        two = LinearClassifier(loss, C=grid, cv=again).fit(F[rows], y[rows])
        np.testing.assert_allclose(one.C_path_["score"], two.C_path_["score"], atol=0.03)  # a search certifies to 3e-2
        assert one.classes_.tolist() == ["no", "yes"]
        weighted = LinearClassifier(loss, C=grid, cv=splits, class_weight={"no": 1, "yes": 9}).fit(F, y)
        assert np.mean(weighted.predict(F) == "yes") > np.mean(one.predict(F) == "yes")


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_calibrated_probabilities_are_as_good_as_logistic_ones(loss):
    X, y = real("a9a", rows=3000)
    T, t = real("a9a", "test", rows=6000)
    phi = MinMaxMap(128, bits=4, random_state=0).fit(X)
    F, G, y, t = phi.features(X), phi.features(T), y > 0, t > 0
    ours = LinearClassifier(loss, C="auto").fit(F, y).predict_proba(G)[:, 1]
    logistic = LinearClassifier("logistic", C="auto").fit(F, y).predict_proba(G)[:, 1]
    assert brier_score_loss(t, ours) < brier_score_loss(t, logistic) + 0.003 < 0.125
    edges = np.digitize(ours, [0.1, 0.3, 0.5, 0.7, 0.9])
    off = [abs(ours[edges == e].mean() - t[edges == e].mean()) for e in range(6)]
    assert max(off) < 0.08  # reliability: what is said against what happens
