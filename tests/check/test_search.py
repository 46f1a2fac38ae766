"""The search of C: rows held back choose it, ties go to the smaller, lonely classes are answered."""

import numpy as np
import pytest

from questions import bent, flat, task_of, three
from unkernel import LinearClassifier
from unkernel.check.search import best, constant, learn


def test_the_best_c_is_the_smallest_of_the_best():
    path = [{"C": c, "score": s} for c, s in ((1, 0.5), (2, 0.9), (4, 0.9), (8, 0.8))]
    assert best(path)["C"] == 2


def test_what_is_answered_is_what_the_learner_says():
    task, _ = task_of(*flat(120))
    X = task.pool.scaled("standard")
    twin = LinearClassifier(C=0.5).fit(X[task.train], task.y).decision_function(X[task.judge])
    np.testing.assert_allclose(learn(task, X, C=0.5).f, twin, atol=0.15)


def test_the_search_sees_only_rows_that_train():
    task, y = task_of(*flat(160))
    got = learn(task, task.pool.scaled("standard"))
    assert len(got.held) == task.held.sum() == 40
    assert got.score == max(at["score"] for at in got.path)
    assert task.score(y, got.f) > 0.8


def test_a_class_that_was_not_trained_is_never_said():
    task, _ = task_of(*three(90))
    X = task.pool.scaled("standard")
    for y in (np.where(task.y == 2, 1, task.y), np.full(len(task.y), 1)):
        task.y = y
        f = learn(task, X, C=1.0).f
        assert f.shape == (len(task.judge), 3)
        assert 2 not in f.argmax(axis=1)


def test_constants_say_one_thing():
    assert (constant(0, 3, 2) < 0).all()
    assert (constant(2, 4, 3).argmax(axis=1) == 2).all()


def test_amounts_are_regressed():
    task, y = task_of(*bent(200))
    assert learn(task, task.pool.scaled("standard")).f.shape == y.shape


@pytest.mark.parametrize("scoring", ["neg_log_loss", "roc_auc"])
def test_scores_of_probabilities_train_the_logistic_loss(scoring):
    task, y = task_of(*flat(160), scoring=scoring)
    got = learn(task, task.pool.scaled("standard"))
    assert task.score(y, got.f) > (-0.5 if scoring == "neg_log_loss" else 0.9)
