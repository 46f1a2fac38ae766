"""Newton's method with its linear systems solved directly, for columns that coordinate descent leaves open: a large C.

A smooth loss takes plain Newton steps. One with a corner is smoothed by the method of multipliers: rounds minimise

    1/2 |w|^2 + sum_i max over b of (-b f_i - c_i conjugate(b / c_i) - (b - b_i)^2 / (2 sigma))

and take the maximisers as the next b. Only rows that bend enter a system: support vectors of the squared hinge, rows
strictly inside their range of the hinge. It is written in those rows, or in the columns where they are fewer, and in
float64 throughout, since at a large C single precision is not enough.

References
----------
Rockafellar, "Augmented Lagrangians and applications of the proximal point algorithm in convex programming", 1976.
Yan and Li, "An efficient augmented Lagrangian method for support vector machine", 2020.
"""

from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse

from ..features import Dense
from .base import Problem, Solution, Status, certify
from .dual_cd import join, status_of
from .losses import curvature, slope, value
from .product import squared_norms, times, transposed_times

MOST = 3000  # unknowns of a linear system; a column that needs more is left as it is
STEPS = 300
ROUND_STEPS = 50
GROWTH = 4.0  # of sigma, from a round to the next
HALVINGS = 30
SUFFICIENT = 1e-4
STRAIGHT = 1e-12  # curvature below this part of the largest is none


class Rows(NamedTuple):
    """One column of a problem, in float64."""

    problem: Problem
    y: np.ndarray
    c: np.ndarray
    K: np.ndarray | None  # all inner products of rows, where there are few rows
    n_jobs: Any

    def times(self, w: np.ndarray) -> np.ndarray:
        """Predictions."""
        f = times(self.problem.F, w[:-1, None], n_jobs=self.n_jobs)[:, 0]
        return f + self.problem.bias * w[-1]

    def back(self, b: np.ndarray) -> np.ndarray:
        """Transposed product."""
        return np.append(transposed_times(self.problem.F, b[:, None])[:, 0], self.problem.bias * b.sum())


class Round(NamedTuple):
    """What a round minimises: the dual variables it began with, and sigma; none of it matters to a smooth loss."""

    b: np.ndarray
    sigma: float

    def look(self, rows: Rows, f: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """Value of the losses, the dual variables that predictions imply, and the curvature of every row."""
        loss, y, c = rows.problem.loss, rows.y, rows.c
        if loss.smooth:
            return float(c @ value(loss, y, f)), -c * slope(loss, y, f), c * curvature(loss, y, f)
        if loss.classifies:
            a = y * self.b + self.sigma * (1 - y * f)
            t, inside = y * np.clip(a, 0, c), (a > 0) & (a < c)
            gain = t * (y - f)
        else:
            a = self.b + self.sigma * (y - f)
            a = np.sign(a) * np.maximum(np.abs(a) - self.sigma * loss.epsilon, 0)
            t, inside = np.clip(a, -c, c), (a != 0) & (np.abs(a) < c)
            gain = t * (y - f) - loss.epsilon * np.abs(t)
        return float((gain - (t - self.b) ** 2 / (2 * self.sigma)).sum()), t, self.sigma * inside


def solve(
    problem: Problem, *, tol: float = 1e-3, start: np.ndarray | None = None, n_jobs: int | None = None
) -> Solution:
    """Solve every column of a problem, any loss.

    Parameters
    ----------
    problem : Problem
    tol : float
        Relative duality gap to reach.
    start : ndarray of shape (n, q) or None
        Dual variables to begin with, allowed ones.

    Cost: for each step some products with the features, and a linear system of at most `MOST` unknowns. A column that
    needs a larger one comes back with the best that was found.
    """
    b = np.zeros((len(problem.F), problem.n_columns)) if start is None else start.astype(np.float64)
    K = _products(problem, np.arange(len(problem.F))) if len(problem.F) <= MOST else None
    parts = [_solve_column(problem.column(j), K, b[:, j], tol, n_jobs) for j in range(problem.n_columns)]
    return join(parts)


def _solve_column(problem: Problem, K: np.ndarray | None, b: np.ndarray, tol: float, n_jobs) -> Solution:
    rows, dtype = Rows(problem, problem.targets()[:, 0], problem.costs()[:, 0], K, n_jobs), problem.F.dtype
    norm = float(squared_norms(problem.F).mean()) + problem.bias**2
    sigma = max(1.0, 0.1 * float(rows.c.max())) / max(norm, 1e-300)
    w, steps, stuck, best, kept = rows.back(b), 0, 0, np.inf, None
    while True:
        rounded = w.astype(dtype).astype(np.float64)  # what will be used
        objective, gap = certify(problem, rounded[:-1, None], rounded[-1:], b[:, None], n_jobs=n_jobs)
        stuck = 0 if gap[0] < 0.9 * best else stuck + 1
        if gap[0] < best or kept is None:
            best, kept = float(gap[0]), (rounded.astype(dtype), b, objective, gap)
        status = status_of(best, tol, 2 * stuck, problem.tell(steps, best) or steps >= STEPS)
        if status is None:
            w, b, spent = _round(rows, w, Round(b, sigma), tol * abs(float(objective[0])))
            steps, sigma = steps + spent, sigma * GROWTH
            status = Status.STALLED if spent == 0 else None
        if status is not None:
            w, b, objective, gap = kept
            return Solution(w[:-1, None], w[-1:], b[:, None], objective, gap, np.array([steps]), [status])


def _round(rows: Rows, w: np.ndarray, here: Round, enough: float) -> tuple[np.ndarray, np.ndarray, int]:
    """Newton's method on one round: weights, dual variables, and the steps spent; none where a system is too large."""
    f, t, spent = rows.times(w), here.b, 0
    while spent < ROUND_STEPS:
        spent += 1
        lost, t, bend = here.look(rows, f)
        gradient = w - rows.back(t)
        objective = 0.5 * float(w @ w) + lost
        if 0.5 * float(gradient @ gradient) <= 0.01 * enough:
            break
        d = _direction(rows, gradient, bend)
        if d is None:
            return w, t, 0
        df, fall, size = rows.times(d), float(gradient @ d), 1.0
        for _ in range(HALVINGS):
            at = w + size * d
            if 0.5 * float(at @ at) + here.look(rows, f + size * df)[0] <= objective + SUFFICIENT * size * fall:
                break
            size *= 0.5
        w, f = w + size * d, f + size * df
        t = here.look(rows, f)[1]
    return w, t, spent


def _direction(rows: Rows, gradient: np.ndarray, bend: np.ndarray) -> np.ndarray | None:
    """-(I + A' diag(bend) A)^-1 gradient, by a system in rows that bend or in columns; None where both are many."""
    free = np.flatnonzero(bend > STRAIGHT * max(float(bend.max()), 1e-300))
    if not len(free):
        return -gradient
    if len(free) <= min(MOST, len(gradient)):
        K = _products(rows.problem, free) if rows.K is None else rows.K[np.ix_(free, free)]
        K[np.diag_indices_from(K)] += 1 / bend[free]
        A = _some(rows.problem, free)
        return A.T @ scipy.linalg.solve(K, A @ gradient, assume_a="pos", overwrite_a=True) - gradient
    if len(gradient) <= MOST:
        A = _some(rows.problem, free)
        H = A.T @ (A * bend[free, None])
        H = H if isinstance(H, np.ndarray) else H.toarray()
        H[np.diag_indices_from(H)] += 1.0
        return -scipy.linalg.solve(H, gradient, assume_a="pos", overwrite_a=True)
    return None


def _some(problem: Problem, rows: np.ndarray) -> Any:
    """Some rows of the features with the intercept's last, float64: an array where they are dense, else CSR."""
    bias = np.full((len(rows), 1), problem.bias)
    part = problem.F[rows]
    if isinstance(part, Dense):
        return np.hstack([part.to_dense(np.float64), bias])
    return scipy.sparse.csr_array(scipy.sparse.hstack([part.to_csr(np.float64), bias]))


def _products(problem: Problem, rows: np.ndarray) -> np.ndarray:
    """All inner products of some rows."""
    A = _some(problem, rows)
    K = A @ A.T
    return K if isinstance(K, np.ndarray) else K.toarray()
