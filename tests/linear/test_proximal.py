"""Proximal Newton steps reach what plain proximal gradient reaches, on every form, loss and penalty."""

import numpy as np
import pytest

import naive
from unkernel import Codes, Dense, Sparse
from unkernel.linear import proximal
from unkernel.linear.base import Problem, Status
from unkernel.linear.column import columns_of
from unkernel.linear.losses import CLASSIFIERS, REGRESSORS, loss_of
from unkernel.linear.penalty import penalty_of

SMOOTH = [name for name in CLASSIFIERS + REGRESSORS if loss_of(name).smooth]


def problem(name, form="dense", C=1.5, n=60):
    rng = np.random.default_rng(0)
    codes = Codes.of(rng.integers(0, 3, (n, 5)), 3, filled=np.arange(n) != 7)
    X = codes.to_csr(np.float64)
    F = {"codes": codes, "sparse": Sparse.of(X), "dense": Dense(X.toarray())}[form]
    loss = loss_of(name)
    numbers = 3 * X @ (rng.normal(size=15) * (np.arange(15) < 6)) + 0.3 * rng.normal(size=n)
    y = (numbers > 0).astype(np.int32) if loss.classifies else numbers
    return Problem.of(F, y, loss, C, bias=1.0, weight=rng.choice([0.0, 1.0, 2.5], n))


def objective(p, penalty, w):
    """The penalised objective, written out."""
    A, half = p.F.to_dense(np.float64), 0.5 * float(w @ w)
    lost = naive.linear_objective(p.loss.name, A, p.targets()[:, 0], p.costs()[:, 0], 1.0, w) - half
    return lost + penalty.size @ penalty.lengths(w[:-1]) + penalty.intercept * abs(w[-1])


@pytest.mark.parametrize("kind", ["l1", "group"])
@pytest.mark.parametrize("name", SMOOTH)
def test_minima_are_those_of_proximal_gradient(name, kind):
    p = problem(name)
    for free in (0.0, 1.0):
        penalty = penalty_of(kind, p.F, 3 if kind == "group" else None, intercept=free)
        found = proximal.solve(p, penalty, tol=1e-8)
        assert found.status == [Status.CONVERGED]
        groups = np.arange(15) // 3 if kind == "group" else None
        slow = naive.penalised(name, p.F.values, p.targets()[:, 0], p.costs()[:, 0], groups, not free, 2000)
        here = objective(p, penalty, np.append(found.W[:, 0], found.v[0]))
        assert found.objective[0] == pytest.approx(here, rel=1e-9)
        assert here == pytest.approx(objective(p, penalty, slow), rel=1e-6)


@pytest.mark.parametrize("wide", [0, 1200])
@pytest.mark.parametrize("kind", ["l1", "group"])
def test_forms_agree_with_the_model_written_out_or_not(kind, wide, monkeypatch):
    monkeypatch.setattr("unkernel.linear.quadratic.WIDEST", wide)
    found = []
    for form in ("codes", "sparse", "dense"):
        p = problem("squared_hinge", form)
        penalty = penalty_of(kind, p.F, 3 if kind == "group" and form != "codes" else None, intercept=0.0)
        found.append(proximal.solve(p, penalty, tol=1e-7))
        np.testing.assert_allclose(found[-1].objective, found[0].objective, rtol=1e-6)
        np.testing.assert_allclose(found[-1].decided, found[0].decided, atol=2e-2)


@pytest.mark.hot
@pytest.mark.parametrize("form", ["codes", "sparse", "dense"])
@pytest.mark.parametrize("kind", ["l1", "group"])
def test_passes_fall_to_the_tolerance(kind, form, monkeypatch):
    monkeypatch.setattr("unkernel.linear.quadratic.WIDEST", 0)
    p = problem("squared", form, n=12)
    penalty = penalty_of(kind, p.F, 3 if kind == "group" and form != "codes" else None)
    assert proximal.solve(p, penalty, tol=1e-3).status == [Status.CONVERGED]


@pytest.mark.parametrize("kind", ["l1", "group"])
def test_the_first_cost_is_where_weights_appear(kind):
    p = problem("logistic")
    penalty = penalty_of(kind, p.F, 3 if kind == "group" else None, intercept=0.0)
    C = proximal.first_cost(p, penalty, columns_of(p.F))
    assert not proximal.solve(p.at(0.999 * C), penalty, tol=1e-9).W.any()
    assert proximal.solve(p.at(1.01 * C), penalty, tol=1e-9).W.any()


def test_a_start_at_the_solution_stays_and_threads_change_no_bit():
    p = problem("squared_hinge")
    p = p._replace(y=(np.arange(60) % 3).astype(np.int32), columns=p.columns._replace(
        positive=np.arange(3, dtype=np.int32), C=np.full(3, 2.0), held=np.full(3, -1, dtype=np.int32)))  # fmt: skip
    penalty = penalty_of("l1", p.F)
    first = proximal.solve(p, penalty, tol=1e-7)
    np.testing.assert_array_equal(first.W, proximal.solve(p, penalty, tol=1e-7, n_jobs=3).W)
    again = proximal.solve(p, penalty, tol=1e-5, start=np.vstack([first.W, first.v]))
    assert not again.n_epochs.any()


def test_too_few_steps_say_so():
    p = problem("logistic", C=50.0)
    assert proximal.solve(p, penalty_of("l1", p.F), tol=1e-9, max_steps=1).status == [Status.OUT_OF_EPOCHS]
