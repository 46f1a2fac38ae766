"""Calibrated probabilities agree with how often classes occur, and those of two classes with Platt's method."""

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss
from sklearn.svm import LinearSVC

from unkernel import LinearClassifier
from unkernel.linear.calibration import calibrate, sigmoid_of


def rows(n=600, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.digitize(X[:, 0] + 0.7 * rng.normal(size=n), [-0.5, 0.6][: classes - 1])


def test_the_sigmoid_that_made_the_labels_is_found():
    rng = np.random.default_rng(0)
    f = rng.normal(scale=3, size=20_000)
    positive = rng.random(20_000) < 1 / (1 + np.exp(-(1.5 * f - 0.7)))
    a, b = sigmoid_of(f, positive, np.ones(20_000))
    assert a == pytest.approx(1.5, abs=0.1)
    assert b == pytest.approx(-0.7, abs=0.1)


def test_weights_are_repetitions_and_unknown_rows_are_left_aside():
    rng = np.random.default_rng(0)
    f, positive, weight = rng.normal(size=60), rng.random(60) < 0.5, rng.integers(0, 4, 60)
    repeated = sigmoid_of(np.repeat(f, weight), np.repeat(positive, weight), np.ones(weight.sum()))
    np.testing.assert_allclose(sigmoid_of(f, positive, weight.astype(float)), repeated, atol=1e-4)
    gap = np.append(f, np.nan), np.append(positive, True), np.append(weight, 1.0)
    np.testing.assert_allclose(sigmoid_of(*gap), repeated, atol=1e-4)


def test_scale_does_not_matter():
    f = np.random.default_rng(0).normal(size=200)
    a, b = calibrate(f[:, None], (f > 0.2).astype(int) ^ (np.arange(200) % 9 == 0), np.ones(200))[0]
    tiny = calibrate(1e-6 * f[:, None], (f > 0.2).astype(int) ^ (np.arange(200) % 9 == 0), np.ones(200))[0]
    np.testing.assert_allclose(tiny * [1e-6, 1], [a, b], rtol=1e-3)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_probabilities_are_as_good_as_those_of_scikit_learn(loss, classes):
    X, y = rows(classes=classes)
    X_new, y_new = rows(classes=classes, seed=1)
    model = LinearClassifier(loss, C="auto").fit(X, y)
    p = model.predict_proba(X_new)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-6)
    theirs = CalibratedClassifierCV(LinearSVC(loss=loss, C=model.C_, random_state=0), ensemble=False).fit(X, y)
    assert log_loss(y_new, p) < log_loss(y_new, theirs.predict_proba(X_new)) + 0.01
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X_new)), p, rtol=1e-5)


def test_a_given_c_leaves_nothing_to_calibrate_on():
    X, y = rows()
    assert not hasattr(LinearClassifier(C=1.0).fit(X, y), "predict_proba")
    assert hasattr(LinearClassifier(C=[0.1, 1.0]), "predict_proba")
