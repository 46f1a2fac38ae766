"""Proximal Newton steps on working sets of units: smooth losses under l1 or group penalties, any form of features.

    for every column:   min over w, v   penalty(w) + intercept |v| + sum_i c_i loss(y_i, <w, phi_i> + bias v)

A step of Newton minimises a quadratic model of the losses plus the penalty by block coordinate descent on the units
that miss their optimality condition most, and is shortened until the objective falls. Scaled to where it is allowed,
the slope of the losses is a dual variable, and the best dual value seen so far certifies.

References
----------
Yuan, Ho and Lin, "An improved GLMNET for l1-regularized logistic regression", JMLR 2012.
Massias, Gramfort and Salmon, "Celer: a fast solver for the Lasso with dual extrapolation", ICML 2018.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._blocks import Progress, map_tasks
from .base import Problem, Solution, paid, relative_gap
from .column import CodeColumns, Columns, columns_of
from .dual_cd import join, status_of
from .losses import Loss, curvature, excess, slope, value
from .penalty import Penalty
from .proximal_hot import bends, gradient, misses, passes, product
from .quadratic import Crop, crop, minimise

FEWEST = 16  # units of the first working set
INNER_STEPS = 10  # of Newton on one working set
INNER_PASSES = 100
INNER_MISS = 0.1  # what a working set's miss must fall to, as a part of the largest of all units
HALVINGS = 30
SUFFICIENT = 1e-2
FLAT = 1e-12  # least curvature of the model, as a part of that of all rows


class Part(NamedTuple):
    """One column of a problem: what is only read."""

    F: Columns
    penalty: Penalty
    loss: Loss
    y: np.ndarray
    c: np.ndarray
    bias: float

    def predict(self, w: np.ndarray, v: float) -> np.ndarray:
        """Predictions of all rows."""
        f = np.full(len(self.y), self.bias * v)
        product(self.F, self.penalty, np.arange(self.penalty.n_units), w, np.ones(len(f)), f)
        return f

    def slopes(self, f: np.ndarray) -> np.ndarray:
        """Slope of the losses of all rows."""
        return self.c * slope(self.loss, self.y, f)

    def bend(self, f: np.ndarray) -> np.ndarray:
        """Curvature of the model: that of the loss, or the parabola that lies above a straight piece."""
        if self.loss.logistic:
            return self.c * curvature(self.loss, self.y, f)
        e = excess(self.loss, self.y, f)
        return self.c * np.where(e > 0, 2 * np.minimum(1, self.loss.width / np.maximum(e, 1e-300)), 0.0)

    def lost(self, f: np.ndarray) -> float:
        """Losses of all rows."""
        return float(self.c @ value(self.loss, self.y, f))

    def charge(self, w: np.ndarray, v: float) -> float:
        """The penalty."""
        return float(self.penalty.size @ self.penalty.lengths(w)) + self.penalty.intercept * abs(v)

    def gradient(self, r: np.ndarray) -> np.ndarray:
        """Phi' r."""
        g = np.zeros(len(self.penalty.columns))
        gradient(self.F, self.penalty, r, g)
        return g


class Point(NamedTuple):
    """Weights, the intercept's weight, predictions and objective."""

    w: np.ndarray
    v: float
    f: np.ndarray
    objective: float


def solve(
    problem: Problem,
    penalty: Penalty,
    F: Columns | None = None,
    *,
    tol: float = 1e-3,
    max_steps: int = 1000,
    start: np.ndarray | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Solve every column of a problem with a smooth loss.

    Parameters
    ----------
    problem : Problem
    penalty : Penalty
    F : Columns or None
        The problem's features by column, where they are at hand.
    tol : float
        Relative duality gap to reach.
    max_steps : int
        Steps of Newton that a column may take.
    start : ndarray of shape (columns of F + 1, q) or None
        Weights to begin with, the intercept's last.

    Cost: a pass over the features for every certificate, and passes over the columns of the working set between.
    """
    F = columns_of(problem.F) if F is None else F

    def one(j: int) -> Solution:
        part = problem.column(j)
        y, c = part.targets()[:, 0], part.costs()[:, 0]
        w = np.zeros(problem.F.shape[1] + 1) if start is None else start[:, j].astype(np.float64)
        return _solve_column(Part(F, penalty, problem.loss, y, c, problem.bias), w, tol, max_steps, part.tell)

    found = join(map_tasks(one, list(range(problem.n_columns)), n_jobs=n_jobs, progress=progress))
    return found._replace(W=found.W.astype(problem.F.dtype), v=found.v.astype(problem.F.dtype))


def first_cost(problem: Problem, penalty: Penalty, F: Columns) -> float:
    """The largest C at which every column of a problem still has no weight but the intercept's."""
    most = []
    for j in range(problem.n_columns):
        part = problem.column(j).at(1.0)
        y, c = part.targets()[:, 0], part.costs()[:, 0]
        here = Part(F, penalty, problem.loss, y, c, problem.bias)
        f = np.zeros(len(y))
        point = _settled(here, Point(np.zeros(problem.F.shape[1]), 0.0, f, here.lost(f)))
        most.append(penalty.heights(here.gradient(here.slopes(point.f))).max())
    return 1.0 / max(max(most), 1e-300)


def _solve_column(part: Part, start: np.ndarray, tol: float, max_steps: int, tell: Callable) -> Solution:
    """One column: certify, choose a working set, step on it."""
    w, v = start[:-1].copy(), float(start[-1])
    f = part.predict(w, v)
    point = Point(w, v, f, part.lost(f) + part.charge(w, v))
    steps, stuck, best, highest, size = 0, 0, np.inf, -np.inf, FEWEST
    while True:
        point = _settled(part, point)
        b, g, low = _certificate(part, point)
        highest = max(highest, low)
        gap = float(relative_gap(point.objective, highest))
        stuck = 0 if gap < 0.99 * best else stuck + 1
        best = min(best, gap)
        status = status_of(gap, tol, stuck, tell(steps, gap) or steps >= max_steps)
        if status is not None:
            W, v = point.w[:, None], np.array([point.v])
            gap, done = np.array([max(gap, 0.0)]), np.array([steps])
            return Solution(W, v, b[:, None], np.array([point.objective]), gap, done, [status], point.f[:, None])
        units, miss, size = _working_set(part, point.w, g, size)
        set_ = crop(part.F, part.penalty, units, len(part.y), part.bias)
        for _ in range(INNER_STEPS):
            point, moved, left = _step(part, point, units, set_, miss)
            steps += 1
            if not moved or left <= INNER_MISS * miss or steps >= max_steps:
                break


def _settled(part: Part, point: Point) -> Point:
    """The intercept alone at its best, where it is free: dual variables must add up to nothing."""
    if part.penalty.intercept or not part.bias:
        return point
    v, f, objective = point.v, point.f, point.objective
    for _ in range(50):
        s = part.bias * part.slopes(f).sum()
        h = part.bias**2 * part.bend(f).sum()
        step = -s / max(h, FLAT * part.c.sum())
        at = f + part.bias * step
        lost = part.lost(at) + part.charge(point.w, v + step)
        for _ in range(HALVINGS):
            if lost <= objective - SUFFICIENT * abs(s * step) or abs(s * step) <= 1e-14 * abs(objective):
                break
            step *= 0.5
            at = f + part.bias * step
            lost = part.lost(at) + part.charge(point.w, v + step)
        v, f, objective = v + step, at, min(lost, objective)
        if abs(s * step) <= 1e-14 * abs(objective):
            break
    return Point(point.w, v, f, objective)


def _certificate(part: Part, point: Point) -> tuple[np.ndarray, np.ndarray, float]:
    """Dual variables scaled to where they are allowed, the gradient of the losses, and the dual objective."""
    b = -part.slopes(point.f)
    if part.bias and not part.penalty.intercept:
        up, down = b[b > 0].sum(), -b[b < 0].sum()
        b = np.where(b > 0, b * (min(up, down) / max(up, 1e-300)), b * (min(up, down) / max(down, 1e-300)))
    g = -part.gradient(b)
    reach = part.penalty.heights(g).max()
    if part.penalty.intercept and part.bias:
        reach = max(reach, abs(part.bias * b.sum()) / part.penalty.intercept)
    b /= max(reach, 1.0)
    return b, g, -float(paid(part.loss, part.y[:, None], part.c[:, None], b[:, None])[0])


def _working_set(part: Part, w: np.ndarray, g: np.ndarray, size: int) -> tuple[np.ndarray, float, int]:
    """Units with weights and those that miss their condition most; the largest miss; the set's size."""
    penalty = part.penalty
    miss, used = penalty.misses(w, g), penalty.lengths(w) > 0
    size = min(penalty.n_units, max(size, 2 * int(used.sum())))
    if size == penalty.n_units:
        return np.arange(size), float(miss.max()), size
    first = np.where(used, -np.inf, -miss)
    return np.sort(np.argpartition(first, size - 1)[:size]), float(miss.max()), size


def _step(part: Part, point: Point, units: np.ndarray, set_: Crop | None, miss: float) -> tuple[Point, bool, float]:
    """One step of Newton on some units: the point, whether it moved, and their largest miss there."""
    s = part.slopes(point.f)
    w, v, d = (_model_by_passes if set_ is None else _model_written_out)(part, point, units, set_, s, miss)
    fall = float(s @ d) + part.charge(w, v) - part.charge(point.w, point.v)
    t = 1.0
    for _ in range(HALVINGS):
        f, near = point.f + t * d, (point.w + t * (w - point.w), point.v + t * (v - point.v))
        objective = part.lost(f) + part.charge(*near)
        if objective <= point.objective + SUFFICIENT * t * fall:
            out = np.empty(len(units))
            misses(part.F, part.penalty, units, part.slopes(f), near[0], out)
            return Point(*near, f, objective), True, float(out.max())
        t *= 0.5
    return point, False, miss


def _model_by_passes(part, point, units, set_, s, miss) -> tuple[np.ndarray, float, np.ndarray]:
    """Weights that minimise the model, the intercept's, and the change of the predictions: passes over the columns."""
    penalty, h = part.penalty, part.bend(point.f)
    floor = FLAT * h.sum() + 1e-300
    H = np.zeros(len(point.w))
    steep = np.zeros(0 if penalty.lone or isinstance(part.F, CodeColumns) else penalty.n_units)
    bends(part.F, penalty, units, h, floor, H, steep)
    r, w, v = s.copy(), point.w.copy(), np.array([point.v])
    bent = part.bias**2 * h.sum() + floor
    passes(part.F, penalty, units, h, H, steep, part.bias, bent, r, w, v, INNER_MISS * miss, INNER_PASSES)
    d = np.full(len(h), part.bias * (v[0] - point.v))
    product(part.F, penalty, units, w - point.w, np.ones(len(h)), d)
    return w, float(v[0]), d


def _model_written_out(part, point, units, set_, s, miss) -> tuple[np.ndarray, float, np.ndarray]:
    """The same, exactly, with the model's matrix."""
    m, w = len(set_.columns), point.w.copy()
    here = np.append(w[set_.columns], point.v) if part.bias else w[set_.columns]
    there = minimise(set_, set_.gram(part.bend(point.f)), set_.slopes(s), here, 1e-3 * INNER_MISS * miss)
    w[set_.columns] = there[:m]
    return w, float(there[m]) if part.bias else point.v, set_.change(there - here)
