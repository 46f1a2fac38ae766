"""Kernel ridge: the textbook's solution, and rows left out as if refitted."""

import numpy as np
import pytest

from catalogue import signed
from unkernel import RBF
from unkernel.exact import ridge
from unkernel.exact.base import Targets, gap


def problem(n=30, q=2, seed=0):
    rng = np.random.default_rng(seed)
    K = RBF(0.2)(signed(seed, n))
    return K, Targets("squared", rng.normal(size=(n, q)), rng.uniform(0.3, 3, n), np.ones((n, q), bool))


def by_hand(K, targets, C):
    """The bordered system of the definition."""
    n = len(K)
    A = np.zeros((n + 1, n + 1))
    A[:n, :n] = K + np.diag(1 / (2 * C * targets.weight))
    A[n, :n] = A[:n, n] = 1
    found = np.linalg.solve(A, np.vstack([targets.y, np.zeros(targets.y.shape[1])]))
    return found[:n], found[n]


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4])
def test_one_spectrum_solves_every_C(C):
    K, targets = problem()
    dual, intercept = by_hand(K, targets, C)
    for solution in (ridge.solve(ridge.decompose(K.copy(), targets), targets, C), ridge.solve_once(K, targets, C)):
        np.testing.assert_allclose(solution.dual, dual, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(solution.intercept, intercept, rtol=1e-7)
        assert gap(K, targets, solution, C).max() < 1e-9


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_rows_left_out_are_rows_refitted(C):
    K, targets = problem()
    held = ridge.left_out(ridge.decompose(K.copy(), targets), targets, C)
    for i in range(len(K)):
        rest = np.delete(np.arange(len(K)), i)
        dual, intercept = by_hand(K[np.ix_(rest, rest)], targets.of(rest), C)
        np.testing.assert_allclose(held[i], K[i, rest] @ dual + intercept, rtol=1e-6, atol=1e-9)


def test_rows_that_are_equal_do_no_harm():
    K, targets = problem()
    K = np.vstack([K, K])[:, np.r_[0:30, 0:30]]
    twice = targets.of(np.r_[0:30, 0:30])
    held = ridge.left_out(ridge.decompose(K.copy(), twice), twice, 10.0)
    assert np.isfinite(held).all()


def test_a_matrix_that_is_not_positive_to_rounding_is_solved():
    K = np.ones((4, 4)) - 1e-9 * np.eye(4)
    targets = Targets("squared", np.arange(4.0)[:, None], np.ones(4), np.ones((4, 1), bool))
    assert np.isfinite(ridge.solve_once(K, targets, 1e12).dual).all()
