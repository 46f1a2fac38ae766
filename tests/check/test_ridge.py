"""Least squares in closed form is ridge regression, for amounts, two classes and many; parts are summed once."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from questions import bent, curved, task_of, three
from unkernel.check.ridge import VALUES, least_squares, sums, targets


@pytest.mark.parametrize("question", [bent, curved, three])
@pytest.mark.parametrize("width", [None, 1])
def test_it_is_ridge_regression(question, width):
    task, _ = task_of(*question(200))
    F = task.pool.scaled("standard")
    got = least_squares(task, "F", F, C=0.5, width=width)
    Y = targets(task.pool.y, task.n_classes)[task.train]
    middle = 0.0 if task.n_classes else task.y.mean()
    Y = Y if task.n_classes else task.y[:, None] - middle
    twin = Ridge(alpha=1.0, fit_intercept=False).fit(F[task.train, :width], Y).predict(F[task.judge, :width])
    np.testing.assert_allclose(got.f.reshape(len(task.judge), -1), twin.reshape(len(twin), -1) + middle, atol=1e-4)


def test_c_is_chosen_on_rows_held_back():
    task, _ = task_of(*three(300))
    got = least_squares(task, "F", task.pool.scaled("standard"))
    assert got.C in VALUES
    assert got.score == task.score(task.y[task.held], got.held)
    assert got.score == max(at["score"] for at in got.path)


def test_each_part_is_summed_once():
    task, _ = task_of(*curved(120))
    F = task.pool.scaled("standard")
    S, B, _ = sums(task, "F", F, task.parts)
    np.testing.assert_allclose(S, F[task.train].T @ F[task.train], rtol=1e-5)
    np.testing.assert_allclose(B[:, 0], F[task.train].T @ np.where(task.y == 1, 1, -1), rtol=1e-4)
    kept = task.pool.shared["F", F.shape, 1]
    least_squares(task, "F", F)
    assert task.pool.shared["F", F.shape, 1] is kept


def test_targets_are_signs_or_centred_amounts():
    y = np.array([1e6, 1e6 + 1, 1e6 + 2])
    np.testing.assert_array_equal(targets(y, 0), [[-1, 1], [0, 1], [1, 1]])
    np.testing.assert_array_equal(targets(np.array([0, 1]), 2), [[-1], [1]])
    np.testing.assert_array_equal(targets(np.array([2, 0, 1]), 3), [[-1, -1, 1], [1, -1, -1], [-1, 1, -1]])
