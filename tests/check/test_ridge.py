"""Least squares in closed form is ridge regression, for amounts, two classes and many."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from questions import bent, curved, task_of, three
from unkernel.check.ridge import VALUES, least_squares, targets


@pytest.mark.parametrize("question", [bent, curved, three])
def test_it_is_ridge_regression(question):
    task, _ = task_of(*question(200))
    F, G = (np.ascontiguousarray(X, dtype=np.float32) for X in task.standard)
    got = least_squares(task, F, G, C=0.5)
    Y, middle = targets(task, ~task.held)
    twin = Ridge(alpha=1.0, fit_intercept=False).fit(F, Y).predict(G).reshape(len(G), -1) + middle
    np.testing.assert_allclose(got.f.reshape(len(G), -1), twin, atol=1e-4)


def test_c_is_chosen_on_rows_held_back():
    task, _ = task_of(*three(300))
    F, G = task.standard
    got = least_squares(task, F, G)
    assert got.C in VALUES
    assert got.score == task.score(task.y[task.held], got.held)
    assert got.score == max(at["score"] for at in got.path)


def test_targets_are_signs_or_centred_amounts():
    task, _ = task_of(*bent(80))
    Y, middle = targets(task, ~task.held)
    assert abs(Y[~task.held].mean()) < 1e-6
    assert middle == task.y[~task.held].mean()
    assert set(np.unique(targets(task_of(*three(80))[0], np.ones(60, bool))[0])) == {-1.0, 1.0}
