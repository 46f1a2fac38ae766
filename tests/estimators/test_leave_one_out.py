"""Leaving rows out by algebra is leaving rows out."""

import numpy as np
import pytest

import naive
from unkernel import RBF
from unkernel.estimators import leave_one_out as module
from unkernel.estimators.leave_one_out import leave_one_out, solve

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 3))
Y = np.column_stack([np.sign(X[:, 0]), X[:, 1]])
WEIGHT = RNG.integers(1, 4, 30).astype(float)


@pytest.mark.parametrize("weight", [np.ones(30), WEIGHT])
@pytest.mark.parametrize("ridges", [1, 10])
def test_every_ridge_equals_refits(weight, ridges, monkeypatch):
    monkeypatch.setattr(module, "PATH_RIDGES", ridges)  # both ways: a decomposition, and factors
    K = RBF(0.5)(X)
    for ridge, scores in zip((0.01, 1.0), leave_one_out(K, Y, weight, (0.01, 1.0)), strict=True):
        np.testing.assert_allclose(scores, naive.left_out(K, Y, weight, ridge), rtol=1e-6, atol=1e-8)


def test_dual_weights_solve_the_problem():
    K = RBF(0.5)(X)
    dual, left_out = solve(K.copy(), Y, WEIGHT, 0.1, left_out=True)
    np.testing.assert_allclose(0.1 * dual, WEIGHT[:, None] * (Y - K @ dual), atol=1e-10)
    np.testing.assert_allclose(left_out, naive.left_out(K, Y, WEIGHT, 0.1), rtol=1e-6)
    assert solve(K.copy(), Y, WEIGHT, 0.1)[1] is None


def test_a_weight_of_two_is_the_row_twice():
    K = RBF(0.5)(X)
    twice = np.repeat(np.arange(30), WEIGHT.astype(int))
    dual, _ = solve(K.copy(), Y, WEIGHT, 0.1)
    copies, _ = solve(K[np.ix_(twice, twice)].copy(), Y[twice], np.ones(len(twice)), 0.1)
    np.testing.assert_allclose(K @ dual, K[:, twice] @ copies, atol=1e-8)


def test_single_precision_is_near_and_takes_no_ridge_that_rounding_would_eat():
    K = RBF(0.5)(X)
    for ridges in ((0.1,), 10.0 ** np.arange(-3, 3.0)):
        exact = leave_one_out(K, Y, WEIGHT, ridges)
        np.testing.assert_allclose(leave_one_out(K.astype(np.float32), Y, WEIGHT, ridges), exact, atol=2e-3)
    same = np.ones((30, 30), dtype=np.float32)
    assert np.isfinite(solve(same, Y, np.ones(30), 0.0)[0]).all()
