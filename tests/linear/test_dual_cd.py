"""Dual coordinate descent reaches the optimum of every loss, and its certificate bounds the truth."""

import numpy as np
import pytest
from scipy.optimize import minimize

import naive
from unkernel import Codes, Dense, Sparse
from unkernel.linear import dual_cd
from unkernel.linear.base import Columns, Problem, Status, certify
from unkernel.linear.losses import CLASSIFIERS, REGRESSORS, loss_of


def problem(name, form="codes", seed=0, n=60, C=0.7):
    rng = np.random.default_rng(seed)
    codes = Codes.of(rng.integers(0, 4, (n, 6)), 4, filled=np.arange(n) != 7)
    X = codes.to_csr(np.float64)
    F = {"codes": codes, "sparse": Sparse.of(X), "dense": Dense(X.toarray())}[form]
    loss = loss_of(name)
    numbers = X @ rng.normal(size=24) + 0.3 * rng.normal(size=n)
    y = np.digitize(numbers, [-0.5, 0.5]).astype(np.int32) if loss.classifies else numbers
    return Problem.of(F, y, loss, C, bias=1.0, weight=rng.choice([0.0, 1.0, 2.5], n))


@pytest.mark.hot
@pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)
def test_no_better_weights_exist(name):
    p = problem(name)
    found = dual_cd.solve(p, tol=1e-5)
    assert found.status == [Status.CONVERGED] * p.n_columns
    A = p.F.to_dense(np.float64)
    for j in range(p.n_columns):
        y, c = p.targets()[:, j], p.costs()[:, j]
        start = np.append(found.W[:, j], found.v[j]).astype(np.float64)
        at = naive.linear_objective(name, A, y, c, 1.0, start)
        assert found.objective[j] == pytest.approx(at, rel=1e-5)
        best = minimize(lambda w, y=y, c=c: naive.linear_objective(name, A, y, c, 1.0, w), start, method="L-BFGS-B")
        assert best.fun >= at * (1 - 1e-5)


@pytest.mark.hot
@pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)
def test_the_gap_bounds_the_truth_at_any_weights(name):
    p = problem(name)
    best = dual_cd.solve(p, tol=1e-6).objective
    rng = np.random.default_rng(3)
    W, v = rng.normal(size=(p.F.shape[1], p.n_columns)), rng.normal(size=p.n_columns)
    for dual in (None, np.zeros((len(p.F), p.n_columns))):
        objective, gap = certify(p, W, v, dual)
        assert np.all(objective * (1 - gap) <= best * (1 + 1e-6))
        assert np.all(objective >= best)


@pytest.mark.parametrize("form", ["sparse", "dense"])
@pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)
def test_forms_agree(name, form):
    one, other = dual_cd.solve(problem(name), tol=1e-5), dual_cd.solve(problem(name, form), tol=1e-5)
    np.testing.assert_allclose(one.objective, other.objective, rtol=1e-5)


def test_threads_and_company_do_not_change_a_bit():
    p = problem("squared_hinge")
    alone, threads = dual_cd.solve(p), dual_cd.solve(p, n_jobs=3)
    np.testing.assert_array_equal(alone.W, threads.W)
    np.testing.assert_array_equal(alone.W[:, [1]], dual_cd.solve(p.column(1)).W)


def test_a_fold_left_out_is_as_if_it_were_not_there():
    p = problem("hinge")
    fold = (np.arange(60) % 3).astype(np.int32)
    columns = Columns(p.columns.positive, p.columns.C, np.full(3, 1, np.int32))
    held = dual_cd.solve(p._replace(fold=fold, columns=columns), tol=1e-6)
    kept = Problem.of(p.F[fold != 1], p.y[fold != 1], p.loss, 0.7, bias=1.0, weight=p.weight[fold != 1])
    dropped = dual_cd.solve(kept, tol=1e-6)
    np.testing.assert_allclose(held.objective, dropped.objective, rtol=1e-5)
    assert not held.dual[fold == 1].any()


def test_a_warm_start_at_the_optimum_needs_one_look():
    p = problem("squared_hinge", n=2000, form="dense")
    first = dual_cd.solve(p, tol=1e-4)
    again = dual_cd.solve(p, tol=1e-3, start=first.dual)
    assert again.n_epochs.max() <= first.n_epochs.max()
    assert again.gap.max() <= 1e-3


def test_too_few_passes_and_overflow_say_so():
    rng = np.random.default_rng(0)
    F = Dense(rng.normal(size=(3000, 100)) * 100)
    y = rng.integers(0, 2, 3000).astype(np.int32)
    short = dual_cd.solve(Problem.of(F, y, loss_of("squared_hinge"), 1e3), max_epochs=1)
    assert short.status == [Status.OUT_OF_EPOCHS]
    assert short.gap[0] > 1e-3
