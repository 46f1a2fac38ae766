"""Probabilities are as likely as they say, and calibration costs no right answer."""

import numpy as np
from scipy.special import expit, softmax

from unkernel.estimators.calibration import Calibration

RNG = np.random.default_rng(0)


def test_two_classes_get_the_probabilities_the_scores_were_drawn_with():
    scores = RNG.normal(size=(4000, 1))
    truth = expit(1.7 * scores[:, 0])
    index = (RNG.random(4000) < truth).astype(int)
    found = Calibration().fit(scores, index, np.ones(4000)).probabilities(scores)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert np.abs(found[:, 1] - truth).max() < 0.05


def test_more_classes_too():
    scores = RNG.normal(size=(4000, 3))
    truth = softmax(2.0 * scores, axis=1)
    index = (RNG.random((4000, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    found = Calibration().fit(scores, index, np.ones(4000))
    assert np.abs(found.probabilities(scores) - truth).mean() < 0.03
    assert (found.logits(scores).argmax(axis=1) == found.probabilities(scores).argmax(axis=1)).all()


def test_a_weight_of_two_is_the_row_twice():
    scores, index = RNG.normal(size=(50, 1)), RNG.integers(0, 2, 50)
    weight = RNG.integers(1, 3, 50)
    twice = np.repeat(np.arange(50), weight)
    a = Calibration().fit(scores, index, weight.astype(float)).theta_
    b = Calibration().fit(scores[twice], index[twice], np.ones(len(twice))).theta_
    np.testing.assert_allclose(a, b, rtol=1e-4)


def test_it_never_gets_more_rows_wrong_than_the_scores():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        scores = rng.normal(size=(60, 3))
        index = np.where(rng.random(60) < 0.7, scores.argmax(axis=1), rng.integers(0, 3, 60))
        if len(np.unique(index)) == 3:
            found = Calibration().fit(scores, index, np.ones(60)).probabilities(scores).argmax(axis=1)
            assert np.sum(found != index) <= np.sum(scores.argmax(axis=1) != index)


def test_a_linear_winner_is_calibrated_by_its_own_scores():
    """Scores of least squares do not calibrate a hinge: a class of one row would win everywhere."""
    from unkernel import UnkernelClassifier

    X = np.random.default_rng(0).normal(size=(320, 2))
    y = np.where(X[:, 0] > 0, 0, 1)
    y[3] = 2
    rows = np.r_[0:240]
    assert UnkernelClassifier("linear").fit(X[rows], y[rows]).score(X[240:], y[240:]) > 0.95
