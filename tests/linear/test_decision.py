"""What linear classifiers share does not depend on how the weights were found."""

import numpy as np
import pytest

from unkernel import LassoClassifier, LinearClassifier
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
