"""The search under a penalty starts where the first weight appears, climbs, and keeps the best."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from unkernel import Dense, LassoClassifier
from unkernel.linear.base import Problem
from unkernel.linear.climb import Proximal, climb
from unkernel.linear.losses import loss_of
from unkernel.linear.path import folds_of
from unkernel.linear.penalty import penalty_of


def rows(n=200, d=12):
    X = np.random.default_rng(0).normal(size=(n, d))
    return X, (X[:, 0] - X[:, 1] + 0.7 * np.random.default_rng(1).normal(size=n) > 0).astype(np.int32)


def test_it_climbs_from_the_first_weight_past_the_peak():
    X, y = rows()
    problem = Problem.of(Dense(X), y, loss_of("logistic"), bias=1.0)
    machine, seen = Proximal(problem, penalty_of("l1", problem.F, intercept=0.0)), []
    first = machine.first(problem)
    assert not machine.solve(problem.at(first / 2)).W.any()
    assert machine.solve(problem.at(first), tol=1e-6).W.any()
    fold, n_folds = folds_of(y, problem.weight, 5, classifies=True, seed=0)

    def score(f, rows):
        return np.mean((f[:, 0] > 0) == y[rows])

    path = climb(problem._replace(fold=fold), score, machine, n_folds=n_folds, progress=lambda *at: seen.append(at))
    np.testing.assert_array_equal(path.C, first * 2.0 ** np.arange(len(path.C)))
    assert path.best == path.score.argmax() < len(path.C) - 1
    assert len(seen) == len(path.C)
    assert path.start.shape == (13, 1)
    assert path.score[path.best] > 0.75


@pytest.mark.parametrize("loss", ["squared_hinge", "logistic"])
def test_the_curve_is_that_of_cross_validation(loss):
    X, y = rows()
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    model = LassoClassifier(loss, C=[1.0, 0.03, 0.2], cv=cv).fit(X, y)
    np.testing.assert_array_equal(model.C_path_["C"], [0.03, 0.2, 1.0])
    for C, mean in zip(model.C_path_["C"], model.C_path_["score"], strict=True):
        assert mean == pytest.approx(cross_val_score(LassoClassifier(loss, C=C), X, y, cv=cv).mean(), abs=0.011)
