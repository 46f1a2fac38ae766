"""Support vector machines on a Gram matrix: one LIBSVM problem per column, pairs of classes joined by votes."""

import warnings
from functools import partial

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, SVR

from .._blocks import map_tasks
from .base import Solution, Targets
from .memory import CACHE

AT_BOUND = 1 - 1e-9
NO_BOUND = 1e12  # C of a problem whose cost is on the diagonal instead
SMALL = 300  # rows of a problem that is solved further than asked, where it costs some milliseconds
FURTHER = 1e-8
SOME_STEPS = 100_000
MOST_STEPS = 10_000_000  # LIBSVM's own bound, which a C beyond all sense would never end without


def columns_of(index: np.ndarray, n_classes: int, multi_class: str) -> tuple[np.ndarray, np.ndarray]:
    """Targets +1 and -1, (n, q), and which rows count in each column.

    Two classes are one column. "ovr" is a column per class against the rest; "ovo" a column per pair (a, b), a < b, in
    the order of scikit-learn, with +1 for a.
    """
    if n_classes == 2:
        y = np.where(index == 1, 1.0, -1.0)[:, None]
        return y, np.ones_like(y, dtype=bool)
    if multi_class == "ovr":
        y = np.where(index[:, None] == np.arange(n_classes), 1.0, -1.0)
        return y, np.ones_like(y, dtype=bool)
    first, second = np.triu_indices(n_classes, 1)
    counted = (index[:, None] == first) | (index[:, None] == second)
    return np.where(index[:, None] == first, 1.0, -1.0), counted


def decide(values: np.ndarray, n_classes: int, multi_class: str) -> np.ndarray:
    """Decision values, (m, 1) for two classes, else (m, n_classes): of pairs, votes with ties broken by margins."""
    if n_classes == 2 or multi_class == "ovr":
        return values
    votes, margins = np.zeros((2, len(values), n_classes))
    for j, (a, b) in enumerate(zip(*np.triu_indices(n_classes, 1), strict=True)):
        votes[:, a] += values[:, j] > 0
        votes[:, b] += values[:, j] <= 0
        margins[:, a] += values[:, j]
        margins[:, b] -= values[:, j]
    return votes + margins / (3 * (np.abs(margins) + 1))  # less than a third of a vote


def solve(
    K: np.ndarray, targets: Targets, C: float, *, tol: float, n_jobs: int | None = None, last: Solution | None = None
) -> Solution:
    """Every column at C. `last`, the solution at a smaller C, is kept where no dual variable was at its bound."""

    def column(j):
        if last is not None and last.free[j]:
            return last.dual[:, j], last.intercept[j], True
        return _column(K, targets, j, C, tol)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of problems solved further than asked
        done = map_tasks(column, list(range(targets.y.shape[1])), n_jobs=n_jobs)
    dual, intercept, free = zip(*done, strict=True)
    return Solution(np.column_stack(dual), np.array(intercept), np.array(free))


def _column(K, targets: Targets, j: int, C: float, tol: float):
    rows = np.flatnonzero(targets.counted[:, j])
    y, weight, dual = targets.y[rows, j], targets.weight[rows], np.zeros(len(K))
    classifies = targets.loss != "epsilon_insensitive"
    if classifies and (not len(rows) or np.all(y == y[0])):
        return dual, y[0] if len(rows) else 0.0, True
    whole, unit = len(rows) == len(K), 1.0
    K = K if whole else K[np.ix_(rows, rows)]
    if targets.loss == "squared_hinge":  # a squared slack is a hard margin with 1 / (2 cost) on the diagonal
        unit = min(1.0, 2 * C * weight.max())  # of dual variables, so that the diagonal does not drown small C
        K = K * unit if whole else np.multiply(K, unit, out=K)
        K[np.diag_indices_from(K)] += unit / (2 * C) / weight
        C, weight = NO_BOUND, np.ones_like(weight)
    make = SVC if classifies else partial(SVR, epsilon=targets.epsilon)
    make = partial(make, C=C, kernel="precomputed", cache_size=CACHE)
    machine = make(tol=tol * FURTHER, max_iter=SOME_STEPS) if len(rows) <= SMALL else make(tol=tol, max_iter=MOST_STEPS)
    machine.fit(K, y, sample_weight=weight)
    if machine.fit_status_ and len(rows) <= SMALL:
        machine = make(tol=tol, max_iter=MOST_STEPS).fit(K, y, sample_weight=weight)
    alpha = machine.dual_coef_[0] * unit
    dual[rows[machine.support_]] = alpha
    free = targets.loss != "squared_hinge" and bool(np.all(np.abs(alpha) < C * weight[machine.support_] * AT_BOUND))
    return dual, machine.intercept_[0], free
