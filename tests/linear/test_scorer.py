"""Stand-ins for fitted estimators answer scikit-learn's measures as the estimators would."""

import numpy as np
import pytest
from sklearn.metrics import get_scorer

from unkernel import InputError, LinearClassifier, LinearRegressor
from unkernel.linear.scorer import DecidedClassifier, DecidedLogistic, DecidedRegressor, probabilities, score_of


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("scoring", [None, "accuracy", "f1_macro", "balanced_accuracy", "neg_log_loss", "roc_auc_ovr"])
def test_scores_are_those_of_the_estimator(classes, scoring):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 5)), np.arange(80) % classes
    model = LinearClassifier("logistic").fit(X, y)
    decided = model.decision_function(X).reshape(80, -1)
    score = score_of(scoring, DecidedLogistic(model.classes_), y, np.ones(80))
    rows = np.arange(10, 70)
    expected = (get_scorer(scoring) if scoring else type(model).score)(model, X[rows], y[rows])
    assert score(decided[rows], rows) == pytest.approx(expected)


def test_weights_reach_the_score():
    y, weight = np.array(["a", "b", "b", "a"]), np.array([1.0, 1, 2, 4])
    decided = np.array([[1.0], [1], [-1], [-1]])
    for scoring in (None, "accuracy"):
        score = score_of(scoring, DecidedClassifier(np.array(["a", "b"])), y, weight)
        assert score(decided, np.arange(4)) == pytest.approx(5 / 8)
    score = score_of(lambda model, X, y: model.score(X, y), DecidedClassifier(np.array(["a", "b"])), y, weight)
    assert score(decided, np.arange(4)) == 0.5


def test_predictions_are_scored_as_those_of_a_regressor():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
    model = LinearRegressor().fit(X, y)
    score = score_of("r2", DecidedRegressor(), y, np.ones(50))
    assert score(model.predict(X)[:, None], np.arange(50)) == pytest.approx(model.score(X, y))


def test_probabilities_are_normalised_even_where_all_vanish():
    p = probabilities(np.array([[-2000.0, -2000.0, -2000.0], [0, 0, 0], [40.0, -40, -40]]))
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert p[2, 0] > 0.999


def test_names_that_nobody_knows_are_refused():
    with pytest.raises(InputError, match="get_scorer_names"):
        score_of("precise", DecidedClassifier(np.arange(2)), np.arange(2), np.ones(2))


def test_a_score_that_is_no_number_is_refused():
    from unkernel import LinearClassifier

    X = np.random.default_rng(0).normal(size=(40, 3))
    with pytest.raises(InputError, match="score of a fold is NaN; give fewer folds"):
        LinearClassifier(C="auto", scoring=lambda estimator, X, y: np.nan).fit(X, X[:, 0] > 0)
