"""Descent on dense rows for all columns at once reaches the solution of one column at a time, and says so truly."""

import numpy as np
import pytest

from unkernel import Dense, LinearClassifier
from unkernel.linear import dense_cd, dual_cd
from unkernel.linear.base import Problem, Status, certify
from unkernel.linear.losses import CLASSIFIERS, REGRESSORS, loss_of


def problem(name, n=60, d=9, C=0.7, bias=1.0, dtype=np.float64):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    numbers = X @ rng.normal(size=d) + 0.3 * rng.normal(size=n)
    loss = loss_of(name)
    y = np.digitize(numbers, [-1, 1]).astype(np.int32) if loss.classifies else numbers
    return Problem.of(Dense(X.astype(dtype)), y, loss, C, bias=bias, weight=rng.choice([0.0, 1.0, 2.5], n))


@pytest.mark.hot
@pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)
def test_solutions_are_those_of_one_column_at_a_time(name):
    p = problem(name, n=30, d=4)
    found, other = dense_cd.solve(p, tol=1e-5), dual_cd.solve(p, tol=1e-5)
    assert found.status == [Status.CONVERGED] * p.n_columns
    np.testing.assert_allclose(found.objective, other.objective, rtol=2e-5)
    objective, gap = certify(p, found.W, found.v, found.dual)
    np.testing.assert_allclose(found.objective, objective, rtol=1e-9)
    np.testing.assert_allclose(found.gap, gap, atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_threads_do_not_change_a_bit(dtype):
    p = problem("squared_hinge", dtype=dtype)
    alone, threads = dense_cd.solve(p), dense_cd.solve(p, n_jobs=3)
    np.testing.assert_array_equal(alone.W, threads.W)


def test_a_fold_left_out_costs_nothing():
    p = problem("hinge")
    fold = (np.arange(60) % 3).astype(np.int32)
    p = p._replace(fold=fold, columns=p.columns._replace(held=np.full(3, 1, np.int32)))
    assert not dense_cd.solve(p).dual[fold == 1].any()


def test_a_warm_start_goes_on_where_the_last_ended():
    p = problem("logistic")
    first = dense_cd.solve(p, tol=1e-6)
    again = dense_cd.solve(p, tol=1e-4, start=first.dual)
    assert again.n_epochs.max() <= dense_cd.EPOCHS
    np.testing.assert_allclose(again.objective, first.objective, rtol=1e-6)


def test_too_few_passes_say_so():
    assert Status.OUT_OF_EPOCHS in dense_cd.solve(problem("hinge", C=1e5), max_epochs=1, tol=1e-9).status


def test_learners_take_it_for_large_features(monkeypatch):
    p = problem("squared_hinge")
    usual = LinearClassifier(tol=1e-6).fit(p.F.values, p.y)
    monkeypatch.setattr(dense_cd, "LEAST_BYTES", 0)
    chosen = LinearClassifier(tol=1e-6).fit(p.F.values, p.y)
    np.testing.assert_allclose(chosen.coef_, usual.coef_, atol=1e-2)
    assert LinearClassifier(C="auto").fit(p.F.values, p.y).gap_.max() <= 1e-3


def test_callbacks_hear_of_it_and_may_end_it(monkeypatch):
    monkeypatch.setattr(dense_cd, "LEAST_BYTES", 0)
    p, gaps = problem("squared_hinge"), []
    model = LinearClassifier(C=100.0, tol=1e-12, callbacks=lambda step: gaps.append(step.gap) or len(gaps) > 4)
    with pytest.warns(UserWarning, match="callback"):
        model.fit(p.F.values, p.y)
    assert model.gap_.max() > 1e-12
    assert len(gaps) >= 5
