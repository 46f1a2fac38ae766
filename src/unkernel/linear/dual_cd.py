"""Dual coordinate descent, one column of weights at a time, for any form of features and any loss.

One row after another gets the dual variable that is best with all others fixed; rows that sit at an end of their range
and want to stay are left out until the rest has converged (shrinking). The certificate decides when to stop.

References
----------
Hsieh, Chang, Lin, Keerthi and Sundararajan, "A dual coordinate descent method for large-scale linear SVM", ICML 2008.
Yu, Huang and Lin, "Dual coordinate descent methods for logistic regression and maximum entropy models", 2011.
"""

import numpy as np

from .._blocks import Progress, map_tasks
from .base import Problem, Solution, Status, certify
from .dual_cd_hot import descend
from .product import squared_norms, transposed_times

# Small problems are solved beyond tol while they have spent fewer multiplications than this (some ten milliseconds):
# their answers then do not depend on the order of rows, or on weights standing for repeated rows.
POLISH_WORK = 30_000_000
POLISH_STEP = 1e-13


def solve(
    problem: Problem,
    *,
    tol: float = 1e-3,
    max_epochs: int = 1000,
    seed: int = 0,
    start: np.ndarray | None = None,
    polish: bool = True,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Solve every column by dual coordinate descent.

    Parameters
    ----------
    problem : Problem
    tol : float
        Relative duality gap to reach.
    max_epochs : int
        Passes over all rows a column may take; a pass over a part counts as that part.
    polish : bool
        Whether small problems are solved much further than tol.
    start : ndarray of shape (n, q) or None
        Dual variables to begin with, allowed ones; zero when None.
    """

    def one(j: int) -> Solution:
        begin = None if start is None else start[:, j]
        return _solve_column(problem.column(j), tol, max_epochs, seed, begin, POLISH_WORK if polish else 0)

    return join(map_tasks(one, list(range(problem.n_columns)), n_jobs=n_jobs, progress=progress))


def join(parts: list[Solution]) -> Solution:
    """Solutions of some columns each, side by side."""

    def beside(field):
        return None if field[0] is None else np.concatenate(field, axis=-1)

    W, v, dual, objective, gap, n_epochs, _, decided = (beside(field) for field in zip(*parts, strict=True))
    return Solution(W, v, dual, objective, gap, n_epochs, [s for part in parts for s in part.status], decided)


def _solve_column(problem, tol, max_epochs, seed, start, polish_work) -> Solution:
    F, n = problem.F, len(problem.F)
    y, c = problem.targets()[:, 0], problem.costs()[:, 0]
    norm = squared_norms(F) + problem.bias**2
    order = np.flatnonzero(c > 0)
    state = np.array([(seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) % 2**64 | 1], dtype=np.uint64)
    b = np.zeros(n) if start is None else start.astype(np.float64)
    w = _weights(problem, b)
    row_work = max(1, F.nbytes // max(n, 1))
    scale = np.abs(y).max()
    spent, best, eps, stuck = 0, np.inf, scale, 0
    while True:
        epochs = min(50, max(1, int(max_epochs - spent / max(len(order), 1))))
        visited, worst = descend(F, y, c, norm, problem.loss.rule, problem.bias, w, b, order, state, eps, epochs)
        spent += visited
        objective, gap = certify(problem, w[:-1, None], w[-1:], b[:, None])
        stuck = 0 if gap[0] < 0.99 * best else stuck + 1
        best = min(best, gap[0])
        polishing = spent * row_work < polish_work and stuck < 5 and worst > POLISH_STEP * scale
        ended = problem.tell(-(-spent // max(len(order), 1)), gap[0]) or spent >= max_epochs * len(order)
        status = None if polishing and not problem.stopped else status_of(gap[0], tol, stuck, ended)
        if status is not None:
            passes = np.array([-(-spent // max(len(order), 1))])
            return Solution(w[:-1, None], w[-1:], b[:, None], objective, gap, passes, [status])
        if worst <= eps:
            eps *= 0.1


def status_of(gap, tol, stuck, exhausted) -> Status | None:
    """What a certificate says about going on; None to go on."""
    if gap <= tol:
        return Status.CONVERGED
    if not np.isfinite(gap):
        return Status.NOT_FINITE
    if exhausted:
        return Status.OUT_OF_EPOCHS
    return Status.STALLED if stuck >= 20 else None


def _weights(problem, b) -> np.ndarray:
    """The weights that dual variables stand for, the intercept's last."""
    dtype = problem.F.dtype
    if not b.any():
        return np.zeros(problem.F.shape[1] + 1, dtype=dtype)
    return np.append(transposed_times(problem.F, b[:, None])[:, 0], problem.bias * b.sum()).astype(dtype)
