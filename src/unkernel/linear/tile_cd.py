"""Dual coordinate descent on codes in tiles: any loss, one column of weights at a time, all columns on the same tiles.

While few rows have a dual variable, passes go over those and the rows that most want one, by their inner products
(`gram_cd`); else over the tiles.

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
from .gram_cd import Few
from .tile_cd_hot import FEWEST, descend, look_over, plan
from .tiles import ROWS, Tiles, untile
from .tiles_hot import add_rows

SELDOM = 0.5  # steps per row visited below which visits take whole tiles: a prediction of one row is that of sixteen
PART = 0.1  # of the largest violation, below which a violation is too small for a step
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
    column = _Column(problem, tiles, seed, start)
    counted, scale = max(1, int((column.c > 0).sum())), float(np.abs(column.y).max())
    spent, best, height, stuck, begun = 0, np.inf, -np.inf, 0, start is not None
    while True:
        if not begun:
            spent += column.few_pass() if column.few.serve(column) else column.tile_pass(EPOCHS if spent else 1)
        begun = False
        objective, dual = column.look()
        gap = float(relative_gap(objective, dual))
        stuck = 0 if gap < 0.99 * best or dual > height + RISE * abs(dual) else stuck + 1
        best, height = min(best, gap), max(height, dual)
        polishing = spent < polish_rows and stuck < 5 and column.spare.min() < -POLISH_STEP * scale
        ended = problem.tell(-(-spent // counted), gap) or spent >= max_epochs * counted
        status = None if polishing and not problem.stopped else status_of(gap, tol, stuck, ended)
        if status is not None:
            return column.solution(objective, gap, -(-spent // counted), status)


class _Column:
    """One column on its way: rows in the order of the tiles, those in play, and how much each wants to move."""

    def __init__(self, problem, tiles, seed, start):
        self.problem, self.tiles, self.n, self.rule = problem, tiles, len(problem.F), problem.loss.rule
        self.y, self.c = problem.targets()[tiles.row, 0], problem.costs()[tiles.row, 0]
        self.c[self.n :] = 0.0
        self.b, self.w = _begin(tiles, problem.bias, self.n, start)
        self.seats, first = _orders(seed)
        self.state = np.array([first], dtype=np.uint64)
        self.active = self.c > 0
        self.decided = np.zeros(len(self.c), dtype=np.float32)
        self.spare = np.where(self.active, np.float32(-1), np.float32(np.inf))
        self.visits = np.empty(len(self.c) // FEWEST + len(self.c) // ROWS, dtype=np.int64)
        self.worst, self.most = 0.0, FEWEST
        self.few = Few(problem.F, tiles)

    def look(self) -> tuple[float, float]:
        """Certify: primal and dual objective; all predictions and `spare` are new."""
        lost, paid, met = look_over(
            self.tiles, self.y, self.c, self.rule, self.problem.bias, self.w, self.b, self.decided, self.spare
        )
        square = float(self.w.astype(np.float64) @ self.w)
        return 0.5 * square + lost, -0.5 * (2 * met - square) - paid

    def tile_pass(self, epochs: int) -> int:
        """Passes over the rows in play, tile by tile. Returns rows visited."""
        np.less_equal(self.spare, self.worst or np.inf, out=self.active)
        self.active &= self.c > 0
        planned = self.visits[: plan(self.active, self.seats, self.most, self.state, self.visits)]
        visited, steps, self.worst = descend(
            *(self.tiles, self.y, self.c, self.rule, self.problem.bias, self.w, self.b, self.active, self.seats),
            *(planned, self.state, PART, PART * self.worst, epochs),
        )
        self.most = ROWS if steps < SELDOM * visited else FEWEST
        return visited

    def few_pass(self) -> int:
        """Passes over few rows by their inner products. Returns rows visited."""
        visited, self.worst = self.few.descend(self)
        return visited

    def solution(self, objective, gap, passes, status) -> Solution:
        """What was found, rows in their own order."""
        duals, held = np.empty((2, self.n, 1), dtype=np.float32)
        duals[self.tiles.row[: self.n], 0], held[self.tiles.row[: self.n], 0] = self.b[: self.n], self.decided[: self.n]
        W = untile(self.tiles, self.w[:-1, None], self.problem.F.shape[1])
        some = (np.array([part]) for part in (objective, gap, passes))
        return Solution(W, self.w[-1:], duals, *some, [status], held)


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
