"""Newton's method in the primal with conjugate gradients, all columns of weights in the same products.

A gradient and a product with the Hessian cost two products of the features with a block of columns, which is matrix
times matrix for dense rows. For a smooth loss the dual variables b = -c * slope make the duality gap exactly
1/2 |gradient|^2, so the certificate is free.

References
----------
Galli and Lin, "A study on truncated Newton methods for linear classification", 2022.
"""

from typing import NamedTuple

import numpy as np

from .base import Problem, Solution, Status, relative_gap
from .losses import curvature, slope, value
from .product import times, transposed_times

FORCING = 0.1  # how far conjugate gradients reduce the residual
MOST_STEPS = 40  # of conjugate gradients in one step of Newton
HALVINGS = 20
SUFFICIENT = 0.01


class Point(NamedTuple):
    """Weights with the intercept's last, predictions, objective and gradient, one column each."""

    W: np.ndarray
    f: np.ndarray
    objective: np.ndarray
    gradient: np.ndarray


class Rows(NamedTuple):
    """Features with their intercept's column, targets and costs: what stays while a problem is solved."""

    problem: Problem
    y: np.ndarray
    c: np.ndarray
    n_jobs: int | None

    def times(self, W: np.ndarray) -> np.ndarray:
        """Predictions."""
        return times(self.problem.F, W[:-1], n_jobs=self.n_jobs) + self.problem.bias * W[-1]

    def back(self, B: np.ndarray) -> np.ndarray:
        """Transposed product."""
        B = B.astype(self.problem.F.dtype, copy=False)
        top = transposed_times(self.problem.F, B, n_jobs=self.n_jobs)
        return np.vstack([top, self.problem.bias * B.sum(axis=0, dtype=np.float64)]).astype(B.dtype, copy=False)

    def at(self, W: np.ndarray, f: np.ndarray) -> Point:
        """Objective and gradient at weights whose predictions are known."""
        loss = self.problem.loss
        objective = 0.5 * _dot(W, W) + (self.c * value(loss, self.y, f)).sum(axis=0, dtype=np.float64)
        return Point(W, f, objective, W + self.back(self.c * slope(loss, self.y, f)))

    def column(self, chosen: np.ndarray) -> "Rows":
        """The same for some of the columns."""
        return Rows(self.problem.column(chosen), self.y[:, chosen], self.c[:, chosen], self.n_jobs)


def solve(
    problem: Problem,
    *,
    tol: float = 1e-3,
    max_epochs: int = 1000,
    start: np.ndarray | None = None,
    n_jobs: int | None = None,
) -> Solution:
    """Solve every column of a problem with a smooth loss.

    Parameters
    ----------
    problem : Problem
    tol : float
        Relative duality gap to reach.
    max_epochs : int
        Products with the features, there and back, that may be spent.
    start : ndarray of shape (columns of F + 1, q) or None
        Weights to begin with, the intercept's last.

    Cost: two products of the features with the columns still open, for each step of conjugate gradients.
    """
    dtype, q = problem.F.dtype, problem.n_columns
    W = np.zeros((problem.F.shape[1] + 1, q), dtype=dtype) if start is None else start.astype(dtype)
    rows = Rows(problem, problem.targets().astype(dtype), problem.costs().astype(dtype), n_jobs)
    objective, gap, spent = np.zeros(q), np.full(q, np.inf), np.zeros(q, dtype=np.int64)
    status = [Status.STALLED] * q
    open_, here, point = np.arange(q), rows, rows.at(W, rows.times(W))
    while len(open_):
        W[:, open_], objective[open_] = point.W, point.objective
        gap[open_] = relative_gap(point.objective, point.objective - 0.5 * _dot(point.gradient, point.gradient))
        for j in open_:
            ended = problem.column(j).tell(spent[j], gap[j]) or spent[j] >= max_epochs
            status[j] = _status(gap[j], tol, ended)
        kept = np.array([status[j] is None for j in open_])
        open_, here, point = open_[kept], here.column(kept), Point(*(part[..., kept] for part in point))
        if not len(open_):
            break
        step, products = _direction(here, point)
        spent[open_] += products + 1
        point, moved = _search(here, point, step)
        for j in open_[~moved]:
            status[j] = Status.STALLED
        open_, here, point = open_[moved], here.column(moved), Point(*(part[..., moved] for part in point))
    return Solution(W[:-1], W[-1], _dual(rows, W), objective, gap, spent, status)


def _status(gap: float, tol: float, exhausted: bool) -> Status | None:
    if gap <= tol:
        return Status.CONVERGED
    if not np.isfinite(gap):
        return Status.NOT_FINITE
    return Status.OUT_OF_EPOCHS if exhausted else None


def _direction(rows: Rows, point: Point) -> tuple[np.ndarray, int]:
    """Newton's direction by conjugate gradients, and the products spent."""
    bend = rows.c * curvature(rows.problem.loss, rows.y, point.f)
    P = np.zeros_like(point.W)
    R = -point.gradient
    D, rz = R, _dot(R, R)
    enough = FORCING**2 * rz
    products = 0
    while products < MOST_STEPS:
        products += 1
        HD = D + rows.back(bend * rows.times(D))
        bent = _dot(D, HD)
        alpha = np.where(bent > 0, rz / np.where(bent > 0, bent, 1), 0).astype(P.dtype)
        P = P + alpha * D
        R = R - alpha * HD
        last, rz = rz, _dot(R, R)
        if (rz <= enough).all():
            break
        D = R + np.where(rz > enough, rz / np.where(last > 0, last, 1), 0).astype(P.dtype) * D
    return P, products


def _search(rows: Rows, point: Point, step: np.ndarray) -> tuple[Point, np.ndarray]:
    """Halve the step until the objective falls enough; predictions follow without new products."""
    loss, fs = rows.problem.loss, rows.times(step)
    fall = _dot(point.gradient, step)
    ww, wp, pp = _dot(point.W, point.W), _dot(point.W, step), _dot(step, step)
    t, moved = np.ones(len(fall)), np.zeros(len(fall), dtype=bool)
    for _ in range(HALVINGS):
        f = point.f + t.astype(fs.dtype) * fs
        paid = (rows.c * value(loss, rows.y, f)).sum(axis=0, dtype=np.float64)
        moved = 0.5 * (ww + 2 * t * wp + t * t * pp) + paid <= point.objective + SUFFICIENT * t * fall
        if moved.all():
            break
        t = np.where(moved, t, 0.5 * t)
    t = t.astype(step.dtype)
    return rows.at(point.W + t * step, point.f + t * fs), moved & (fall < 0)


def _dual(rows: Rows, W: np.ndarray) -> np.ndarray:
    """Dual variables that the predictions imply."""
    return -rows.c * slope(rows.problem.loss, rows.y, rows.times(W))


def _dot(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->j", A, B, dtype=np.float64)
