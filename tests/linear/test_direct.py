"""Direct Newton steps reach the solution at a C that nothing else manages, for every loss."""

import numpy as np
import pytest

from unkernel import Codes, Dense, LinearClassifier, LinearRegressor, Sparse
from unkernel.linear import direct, dual_cd
from unkernel.linear.base import Problem, Status, certify
from unkernel.linear.losses import CLASSIFIERS, REGRESSORS, loss_of


def problem(name, form="dense", C=0.7, n=80):
    rng = np.random.default_rng(0)
    codes = Codes.of(rng.integers(0, 4, (n, 6)), 4, filled=np.arange(n) != 7)
    X = codes.to_csr(np.float64)
    F = {"codes": codes, "sparse": Sparse.of(X), "dense": Dense(X.toarray())}[form]
    loss = loss_of(name)
    numbers = X @ rng.normal(size=24) + 0.3 * rng.normal(size=n)
    y = np.digitize(numbers, [-0.5, 0.5]).astype(np.int32) if loss.classifies else numbers
    return Problem.of(F, y, loss, C, bias=1.0, weight=rng.choice([0.0, 1.0, 2.5], n))


@pytest.mark.parametrize("form", ["codes", "sparse", "dense"])
@pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)
def test_solutions_are_those_of_descent_in_the_dual(name, form):
    p = problem(name, form)
    found, other = direct.solve(p, tol=1e-5), dual_cd.solve(p, tol=1e-6)
    assert found.status == [Status.CONVERGED] * p.n_columns
    np.testing.assert_allclose(found.objective, other.objective, rtol=2e-5)
    objective, gap = certify(p, found.W, found.v, found.dual)
    np.testing.assert_allclose(found.objective, objective, rtol=1e-5)
    np.testing.assert_allclose(found.gap, gap, atol=1e-5)


@pytest.mark.parametrize("n", [20, 80])  # fewer rows than columns, and more
@pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)
def test_a_huge_c_is_no_hurdle(name, n):
    p = problem(name, C=1e6, n=n)
    found = direct.solve(p, tol=1e-4)
    assert found.status == [Status.CONVERGED] * p.n_columns


def test_systems_that_are_too_large_are_left_alone(monkeypatch):
    monkeypatch.setattr(direct, "MOST", 10)
    p = problem("hinge", C=1e4)
    found = direct.solve(p, tol=1e-9)
    assert found.status == [Status.STALLED] * p.n_columns
    assert np.isfinite(found.W).all()


def noisy(n):
    rng = np.random.default_rng(0)
    F = Codes.of(rng.integers(0, 16, (n, 64)), 16)
    right = F.codes[:, :4].sum(axis=1) > 30
    return F, np.where(rng.random(n) < 0.1, ~right, right)


@pytest.mark.parametrize("n", [150, 700])  # small problems take all their passes first
@pytest.mark.parametrize("loss", CLASSIFIERS)
def test_codes_at_a_large_c_converge(loss, n):
    F, y = noisy(n)
    model = LinearClassifier(loss, C=1e4).fit(F, y)
    assert model.gap_[0] <= model.tol
    assert model.status_ == [Status.CONVERGED]
    assert model.coef_.dtype == np.float32


def test_a_tube_at_a_large_c_converges():
    F, y = noisy(600)
    model = LinearRegressor("epsilon_insensitive", C=1e4).fit(F, y + 0.1 * np.arange(600))
    assert model.gap_[0] <= model.tol
