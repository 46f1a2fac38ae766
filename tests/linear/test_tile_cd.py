"""Descent on tiles reaches the solution of descent on rows, and its certificate is the true one."""

import numpy as np
import pytest

from unkernel import Codes
from unkernel.linear import dual_cd, tile_cd
from unkernel.linear.base import Problem, Status, certify
from unkernel.linear.losses import CLASSIFIERS, REGRESSORS, loss_of
from unkernel.linear.tiles import tile


def problem(name, n=90, levels=20, C=0.7, bias=1.0, k=11):
    rng = np.random.default_rng(0)
    F = Codes.of(rng.integers(0, levels, (n, k)), levels, filled=np.arange(n) != 7)
    loss = loss_of(name)
    numbers = F.to_csr(np.float64) @ rng.normal(size=F.shape[1]) + 0.3 * rng.normal(size=n)
    y = np.digitize(numbers, [-0.5, 0.5]).astype(np.int32) if loss.classifies else numbers
    return Problem.of(F, y, loss, C, bias=bias, weight=rng.choice([0.0, 1.0, 2.5], n))


@pytest.mark.hot
@pytest.mark.parametrize("bias", [0.0, 2.0])
@pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)
def test_solutions_are_those_of_descent_on_rows(name, bias):
    p = problem(name, n=40, bias=bias)
    found, other = tile_cd.solve(p, tile(p.F), tol=1e-4), dual_cd.solve(p, tol=1e-5)
    assert found.status == [Status.CONVERGED] * p.n_columns
    np.testing.assert_allclose(found.objective, other.objective, rtol=2e-4)
    objective, gap = certify(p, found.W, found.v, found.dual)
    np.testing.assert_allclose(found.objective, objective, rtol=1e-5)
    np.testing.assert_allclose(found.gap, gap, atol=2e-6)
    predicted = p.F.to_dense() @ found.W + bias * found.v
    np.testing.assert_allclose(found.decided, predicted, atol=1e-5)


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("C", [0.01, 100.0])
def test_larger_problems_converge_at_any_c(name, C):
    p = problem(name, n=700, levels=16, k=30, C=C)
    found = tile_cd.solve(p, tile(p.F), tol=1e-4)
    assert found.status == [Status.CONVERGED] * p.n_columns
    np.testing.assert_allclose(found.objective, dual_cd.solve(p, tol=1e-4).objective, rtol=2e-4)


def test_a_fold_left_out_costs_nothing_and_is_predicted():
    p = problem("hinge")
    p = p._replace(fold=(np.arange(90) % 3).astype(np.int32), columns=p.columns._replace(held=np.full(3, 1, np.int32)))
    found = tile_cd.solve(p, tile(p.F))
    assert not found.dual[p.fold == 1].any()
    assert np.abs(found.decided[p.fold == 1]).sum() > 0


def test_threads_and_company_do_not_change_a_bit():
    p = problem("squared_hinge")
    tiles = tile(p.F)
    alone, threads = tile_cd.solve(p, tiles), tile_cd.solve(p, tiles, n_jobs=3)
    np.testing.assert_array_equal(alone.W, threads.W)
    np.testing.assert_array_equal(alone.W[:, [1]], tile_cd.solve(p.column(1), tiles).W)


def test_a_warm_start_at_the_optimum_needs_one_look():
    p = problem("squared_hinge", n=3000)
    tiles = tile(p.F)
    first = tile_cd.solve(p, tiles, tol=1e-4, polish=False)
    again = tile_cd.solve(p, tiles, tol=1e-3, polish=False, start=first.dual)
    assert again.n_epochs.max() == 0
    weights = np.vstack([first.W, first.v])
    known = tile_cd.solve(p, tiles, tol=1e-3, polish=False, start=(first.dual, weights))
    np.testing.assert_allclose(known.objective, again.objective, rtol=1e-3)


def test_too_few_passes_say_so():
    p = problem("squared_hinge", n=700, C=1e5)
    short = tile_cd.solve(p, tile(p.F), max_epochs=1, polish=False)
    assert Status.OUT_OF_EPOCHS in short.status
