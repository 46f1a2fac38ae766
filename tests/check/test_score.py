"""Scores of decision values equal those of scikit-learn on a model that gives them."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, f1_score, log_loss, make_scorer, r2_score, roc_auc_score

from unkernel import InputError
from unkernel.check.score import Score, labels


def test_classes_with_names_are_scored_as_named():
    rng = np.random.default_rng(0)
    y, f = rng.integers(0, 2, 80), rng.normal(size=80)
    classes = np.array(["no", "yes"])
    said = classes[(f > 0).astype(int)]
    assert Score("balanced_accuracy", classes)(y, f) == pytest.approx(balanced_accuracy_score(classes[y], said))
    assert Score("roc_auc", classes)(y, f) == pytest.approx(roc_auc_score(y, f))
    own = make_scorer(f1_score, pos_label="yes")
    assert Score(own, classes)(y, f) == pytest.approx(f1_score(classes[y], said, pos_label="yes"))
    loss = Score("neg_log_loss", classes)
    assert loss.wants_probability
    assert loss(y, f) == pytest.approx(-log_loss(y, 1 / (1 + np.exp(-f))))


def test_many_classes_take_the_largest():
    f = np.array([[0.1, 3.0, -1.0], [2.0, 0.0, 1.0]])
    assert labels(f).tolist() == [1, 0]
    assert Score(None, np.arange(3))(np.array([1, 2]), f) == 0.5


def test_amounts_are_scored_by_r2():
    rng = np.random.default_rng(1)
    y = rng.normal(size=50)
    f = y + rng.normal(size=50)
    assert Score(None, None)(y, f) == pytest.approx(r2_score(y, f))
    assert Score("neg_mean_absolute_error", None)(y, f) == pytest.approx(-np.abs(y - f).mean())


@pytest.mark.parametrize("scoring", [None, "balanced_accuracy", "roc_auc", "neg_log_loss"])
def test_samples_are_scored_as_one_by_one(scoring):
    rng = np.random.default_rng(2)
    y, f = rng.integers(0, 2, 60), rng.normal(size=60)
    samples = rng.integers(0, 60, (5, 60))
    score = Score(scoring, np.array([0, 1]))
    np.testing.assert_allclose(score.draws(y, f, samples), [score(y[s], f[s]) for s in samples])


@pytest.mark.parametrize("scoring", [None, "neg_mean_squared_error", "neg_mean_absolute_error"])
def test_samples_of_amounts_are_scored_as_one_by_one(scoring):
    rng = np.random.default_rng(3)
    y, f = rng.normal(size=(2, 60))
    samples = rng.integers(0, 60, (5, 60))
    score = Score(scoring, None)
    np.testing.assert_allclose(score.draws(y, f, samples), [score(y[s], f[s]) for s in samples])


def test_a_score_that_does_not_exist_is_refused():
    with pytest.raises(InputError, match="scoring is 'acuracy'"):
        Score("acuracy", np.arange(2))
