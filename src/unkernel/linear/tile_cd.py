"""Dual coordinate descent on codes in tiles: any loss, one column of weights at a time, all columns on the same tiles.

The certificate needs no product with the transpose: with u = sum_i b_i phi_i, |u|^2 = 2 <u, w> - |w|^2 + |u - w|^2, and
w is u up to rounding, so the last term is of the order of the square of the working precision.

References
----------
Hsieh, Chang, Lin, Keerthi and Sundararajan, "A dual coordinate descent method for large-scale linear SVM", ICML 2008.
"""

from functools import lru_cache

import numpy as np

from .._blocks import map_tasks
from .base import Problem, Solution, relative_gap
from .dual_cd import join, status_of
from .tile_cd_hot import TAKEN, descend, look_over, plan
from .tiles import ROWS, Tiles, untile
from .tiles_hot import add_rows

EPOCHS = 2  # passes between certificates, which cost a small part of a pass
POLISH_STEP = 1e-7
POLISH_ROWS = 20_000  # rows visited, some milliseconds, within which small problems are solved beyond tol
RISE = 1e-6  # relative rise of the dual objective between certificates that is more than rounding


def solve(
    problem: Problem,
    tiles: Tiles,
    *,
    tol: float = 1e-3,
    max_epochs: int = 1000,
    seed: int = 0,
    start: np.ndarray | tuple[np.ndarray, np.ndarray] | None = None,
    polish: bool = True,
    n_jobs: int | None = None,
) -> Solution:
    """Solve every column on tiles of the problem's codes; arguments as for `dual_cd.solve`.

    `start` may bring the weights that its dual variables stand for, of shape (columns of F + 1, q), as a second array.
    """
    dual, weights = start if isinstance(start, tuple) else (start, None)

    def one(j: int) -> Solution:
        begin = None if dual is None else (dual[:, j], None if weights is None else weights[:, j])
        return _solve_column(problem.column(j), tiles, tol, max_epochs, seed, begin, POLISH_ROWS if polish else 0)

    return join(map_tasks(one, list(range(problem.n_columns)), n_jobs=n_jobs))


def _solve_column(problem, tiles, tol, max_epochs, seed, start, polish_rows) -> Solution:
    n = len(problem.F)
    y, c = problem.targets()[tiles.row, 0], problem.costs()[tiles.row, 0]
    c[n:] = 0.0
    b, w = _begin(tiles, problem.bias, n, start)
    active, decided = c > 0, np.empty(len(c), dtype=np.float32)
    rule, counted = problem.loss.rule, max(1, int(active.sum()))
    seats, first = _orders(seed)
    state = np.array([first], dtype=np.uint64)
    visits = np.empty(len(c) // TAKEN + len(c) // ROWS, dtype=np.int64)
    scale = float(np.abs(y).max())
    spent, best, height, stuck, worst = 0, np.inf, -np.inf, 0, 0.0
    while True:
        planned = visits[: plan(active, seats, state, visits)]
        epochs = EPOCHS if spent else 1
        visited, worst = descend(tiles, y, c, rule, problem.bias, w, b, active, planned, state, 0.1 * worst, epochs)
        spent += visited
        lost, paid, met = look_over(tiles, y, c, rule, problem.bias, w, b, active, worst, decided)
        square = float(w.astype(np.float64) @ w)
        objective = 0.5 * square + lost
        dual = -0.5 * (2 * met - square) - paid
        gap = float(relative_gap(objective, dual))
        stuck = 0 if gap < 0.99 * best or dual > height + RISE * abs(dual) else stuck + 1
        best, height = min(best, gap), max(height, dual)
        polishing = spent < polish_rows and stuck < 5 and worst > POLISH_STEP * scale
        status = None if polishing else status_of(gap, tol, stuck, spent >= max_epochs * counted)
        if status is not None:
            duals, held = np.empty((2, n, 1), dtype=np.float32)
            duals[tiles.row[:n], 0], held[tiles.row[:n], 0] = b[:n], decided[:n]
            W = untile(tiles, w[:-1, None], problem.F.shape[1])
            passes = np.array([-(-spent // counted)])
            return Solution(W, w[-1:], duals, np.array([objective]), np.array([gap]), passes, [status], held)


def _begin(tiles, bias, n, start) -> tuple[np.ndarray, np.ndarray]:
    """Dual variables in the order of the tiles, and the weights that they stand for, the intercept's last."""
    b, w = np.zeros(len(tiles.row), dtype=np.float32), np.zeros(len(tiles.origin) + 1, dtype=np.float32)
    if start is None:
        return b, w
    dual, weights = start
    b[:n] = dual[tiles.row[:n]]
    if weights is None:
        add_rows(tiles, b, w)
        w[-1] = bias * b.sum(dtype=np.float64)
    else:
        w[:-1] = np.where(tiles.origin >= 0, weights[tiles.origin], 0)
        w[-1] = weights[-1]
    return b, w


@lru_cache
def _orders(seed: int) -> tuple[np.ndarray, int]:
    """256 orders of a tile's rows, and the first state of the shuffle."""
    rng = np.random.default_rng(seed)
    seats = rng.permuted(np.tile(np.arange(ROWS), (256, 1)), axis=1)
    return seats, int(rng.integers(1, 2**63))
