"""Newton's method in the primal with the whole Hessian: a handful of steps where columns are few."""

import numpy as np
import scipy.linalg

from ..linear.base import Problem, Solution, Status, relative_gap
from ..linear.losses import curvature, slope, value

MOST_STEPS, HALVINGS = 50, 20


def solve(problem: Problem, *, tol: float, start: np.ndarray | None = None) -> Solution:
    """Every column of weights by itself, from a start with the intercept's weight last; the loss is smooth.

    1/2 |gradient|^2 is the duality gap at dual variables -c * slope, as in `linear.newton`.

    Cost: O(n k + a k^2 + k^3) a step, a the rows that pay. Squared losses take a few steps at any C.
    """
    F = problem.F.values
    X = np.column_stack([F, np.full(len(F), problem.bias, F.dtype)]).astype(np.float64)
    Y, cost = problem.targets(), problem.costs()
    W = np.zeros((X.shape[1], Y.shape[1])) if start is None else start.astype(np.float64)
    objective, gap, steps = np.zeros(Y.shape[1]), np.zeros(Y.shape[1]), np.zeros(Y.shape[1], dtype=np.int64)
    for j in range(Y.shape[1]):
        used = np.flatnonzero(cost[:, j])
        rows = (X[used], Y[used, j], cost[used, j], problem.loss)
        W[:, j], objective[j], gap[j], steps[j] = _column(rows, W[:, j], tol)
    dual = -cost * slope(problem.loss, Y, X @ W)
    status = [Status.CONVERGED if g <= tol else Status.STALLED for g in gap]
    return Solution(W[:-1].astype(F.dtype), W[-1].astype(F.dtype), dual, objective, gap, steps, status)


def _column(rows: tuple, w: np.ndarray, tol: float) -> tuple[np.ndarray, float, float, int]:
    X, y, c, loss = rows
    f = X @ w
    paid = _objective(rows, w, f)
    steps = 0
    while True:
        gradient = w + X.T @ (c * slope(loss, y, f))
        gap = float(relative_gap(np.float64(paid), paid - 0.5 * gradient @ gradient))
        if gap <= tol or steps == MOST_STEPS:
            break
        steps += 1
        bend = c * curvature(loss, y, f)
        bent = np.flatnonzero(bend)
        A = X[bent]
        H = A.T @ (bend[bent, None] * A)
        H.flat[:: len(H) + 1] += 1
        move = -scipy.linalg.cho_solve(scipy.linalg.cho_factor(H, overwrite_a=True, check_finite=False), gradient)
        along, t = X @ move, 1.0
        for _ in range(HALVINGS):
            now = _objective(rows, w + t * move, f + t * along)
            if now <= paid + 0.01 * t * (gradient @ move):
                break
            t *= 0.5
        else:
            break
        w, f, paid = w + t * move, f + t * along, now
    return w, paid, gap, steps


def _objective(rows: tuple, w: np.ndarray, f: np.ndarray) -> float:
    _, y, c, loss = rows
    return float(0.5 * w @ w + (c * value(loss, y, f)).sum())
