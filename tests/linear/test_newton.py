"""Newton's method reaches the solution of descent in the dual, on every form and from any start."""

import numpy as np
import pytest

from unkernel import Codes, Dense, Sparse
from unkernel.linear import dual_cd, newton
from unkernel.linear.base import Problem, Status, certify
from unkernel.linear.losses import CLASSIFIERS, REGRESSORS, loss_of

SMOOTH = [name for name in CLASSIFIERS + REGRESSORS if loss_of(name).smooth]


def problem(name, form="codes", C=0.7, n=80):
    rng = np.random.default_rng(0)
    codes = Codes.of(rng.integers(0, 4, (n, 6)), 4, filled=np.arange(n) != 7)
    X = codes.to_csr(np.float64)
    F = {"codes": codes, "sparse": Sparse.of(X), "dense": Dense(X.toarray())}[form]
    loss = loss_of(name)
    numbers = X @ rng.normal(size=24) + 0.3 * rng.normal(size=n)
    y = np.digitize(numbers, [-0.5, 0.5]).astype(np.int32) if loss.classifies else numbers
    return Problem.of(F, y, loss, C, bias=1.0, weight=rng.choice([0.0, 1.0, 2.5], n))


@pytest.mark.parametrize("form", ["codes", "sparse", "dense"])
@pytest.mark.parametrize("name", SMOOTH)
def test_solutions_are_those_of_descent_in_the_dual(name, form):
    p = problem(name, form)
    found, other = newton.solve(p, tol=1e-5), dual_cd.solve(p, tol=1e-6)
    assert found.status == [Status.CONVERGED] * p.n_columns
    np.testing.assert_allclose(found.objective, other.objective, rtol=2e-5)
    objective, gap = certify(p, found.W, found.v, found.dual)
    np.testing.assert_allclose(found.objective, objective, rtol=1e-5)
    np.testing.assert_allclose(found.gap, gap, atol=1e-5)


@pytest.mark.parametrize("name", ["squared_hinge", "logistic"])
def test_a_large_c_is_no_hurdle(name):
    p = problem(name, "dense", C=1e4)
    found = newton.solve(p, tol=1e-4)
    assert found.status == [Status.CONVERGED] * p.n_columns


def test_a_start_at_the_solution_stays():
    p = problem("squared_hinge", "dense")
    first = newton.solve(p, tol=1e-6)
    again = newton.solve(p, tol=1e-5, start=np.vstack([first.W, first.v]))
    assert not again.n_epochs.any()
    np.testing.assert_array_equal(first.W, again.W)


def test_threads_do_not_change_a_bit():
    p = problem("squared_hinge")
    np.testing.assert_array_equal(newton.solve(p).W, newton.solve(p, n_jobs=3).W)


def test_too_few_products_say_so():
    short = newton.solve(problem("squared_hinge", "dense", C=100.0), tol=1e-6, max_epochs=1)
    assert Status.OUT_OF_EPOCHS in short.status
