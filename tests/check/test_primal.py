"""Newton's method with the whole Hessian finds what the general solver finds."""

import numpy as np
import pytest

from questions import bent, flat, task_of, three
from unkernel.check import primal
from unkernel.check.search import problem_of
from unkernel.features import as_features
from unkernel.linear import newton
from unkernel.linear.base import Status


@pytest.mark.parametrize("question", [flat, three, bent])
@pytest.mark.parametrize("scoring", [None, "neg_log_loss"])
@pytest.mark.parametrize("C", [0.01, 10.0])
def test_it_is_the_general_solution(question, scoring, C):
    X, y = question(160)
    task, _ = task_of(X, y, scoring=None if y.dtype.kind == "f" else scoring)
    problem, _ = problem_of(task, as_features(task.pool.scaled("standard")[task.train]), bias=1.0)
    q = problem.n_columns
    columns = problem.columns._replace(C=np.full(q, C), held=np.zeros(q, dtype=np.int32))
    problem = problem._replace(columns=columns)
    ours, twin = primal.solve(problem, tol=1e-6), newton.solve(problem, tol=1e-6)
    assert ours.status == [Status.CONVERGED] * q
    np.testing.assert_allclose(ours.objective, twin.objective, rtol=1e-4)
    np.testing.assert_allclose(ours.W, twin.W, atol=2e-2)
    start = np.vstack([ours.W, ours.v])
    assert primal.solve(problem, tol=1e-3, start=start).n_epochs.tolist() == [0] * q
