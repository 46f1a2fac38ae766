"""Machines on a Gram matrix: LIBSVM's problems, their certificate, and votes of pairs."""

import numpy as np
import pytest
from sklearn.svm import SVC, SVR

from catalogue import nonnegative
from unkernel import MinMax
from unkernel.exact import svm
from unkernel.exact.base import Targets, gap


def problem(loss="hinge", n_classes=3, multi_class="ovo", n=60):
    X = nonnegative(0, n)
    index = np.arange(n) % n_classes
    X[np.arange(n), index % 7] += 1  # something to learn
    y, counted = svm.columns_of(index, n_classes, multi_class)
    return MinMax()(X), index, Targets(loss, y, np.random.default_rng(1).uniform(0.5, 2, n), counted)


def test_pairs_are_the_machines_of_svc():
    K, index, targets = problem()
    ours = svm.solve(K, targets, 3.0, tol=1e-6)
    theirs = SVC(C=3.0, kernel="precomputed", tol=1e-6, decision_function_shape="ovo")
    theirs.fit(K, index, sample_weight=targets.weight)
    np.testing.assert_allclose(K @ ours.dual + ours.intercept, theirs.decision_function(K), atol=1e-4)


@pytest.mark.parametrize("n_classes", [3, 6])
def test_votes_choose_the_class_that_svc_chooses(n_classes):
    K, index, targets = problem(n_classes=n_classes)
    theirs = SVC(C=3.0, kernel="precomputed", break_ties=True).fit(K, index, sample_weight=targets.weight)
    ours = svm.solve(K, targets, 3.0, tol=1e-3)
    decided = svm.decide(K @ ours.dual + ours.intercept, n_classes, "ovo")
    np.testing.assert_array_equal(decided.argmax(axis=1), theirs.predict(K))
    np.testing.assert_allclose(decided, theirs.decision_function(K), atol=1e-2)


@pytest.mark.parametrize("multi_class", ["ovo", "ovr"])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_gap_certifies_the_solution(loss, multi_class):
    K, _, targets = problem(loss, multi_class=multi_class)
    solution = svm.solve(K, targets, 2.0, tol=1e-8)
    assert gap(K, targets, solution, 2.0).max() < 1e-6
    off = solution._replace(intercept=solution.intercept + 0.3)
    assert gap(K, targets, off, 2.0).max() > 1e-3


def test_regression_is_svr_and_is_certified():
    K, _, targets = problem()
    y = np.sin(np.arange(60.0))[:, None]
    targets = Targets("epsilon_insensitive", y, targets.weight, np.ones((60, 1), bool), 0.2)
    solution = svm.solve(K, targets, 2.0, tol=1e-8)
    theirs = SVR(C=2.0, epsilon=0.2, kernel="precomputed", tol=1e-8).fit(K, y[:, 0], sample_weight=targets.weight)
    np.testing.assert_allclose((K @ solution.dual + solution.intercept)[:, 0], theirs.predict(K), atol=1e-6)
    assert gap(K, targets, solution, 2.0)[0] < 1e-6


def test_a_machine_within_its_bounds_serves_every_larger_C():
    K, _, targets = problem(n_classes=2)
    K = K + np.eye(60)
    small = svm.solve(K, targets, 1e3, tol=1e-8)
    assert small.free.all()
    large = svm.solve(K, targets, 1e6, tol=1e-8)
    assert svm.solve(K, targets, 1e6, tol=1e-8, last=small).dual is not large.dual
    np.testing.assert_allclose(small.dual, large.dual, atol=1e-5)
    assert not svm.solve(K, targets, 1e-3, tol=1e-8).free.any()


def test_a_column_of_one_class_gives_that_class():
    K, _, targets = problem(n_classes=2)
    solution = svm.solve(K, targets._replace(y=np.ones((60, 1))), 1.0, tol=1e-3)
    assert not solution.dual.any()
    assert solution.intercept[0] == 1


def test_threads_change_no_bit():
    K, _, targets = problem(n_classes=5)
    one, two = (svm.solve(K, targets, 1.0, tol=1e-3, n_jobs=n) for n in (1, 3))
    np.testing.assert_array_equal(one.dual, two.dual)
