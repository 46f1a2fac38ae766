"""Dual coordinate descent on many dense rows: a row is read from memory once for all columns that want it.

Rows that do not fit in the cache cost the time of reading them, so columns visit them together; predictions for the
certificate are one matrix product. The certificate needs no transposed product: see `tile_cd`.
"""

import numpy as np

from .._blocks import map_tasks, one_blas_thread
from .base import Problem, Solution, relative_gap
from .dense_cd_hot import descend, look_over
from .dual_cd import join, status_of
from .product import squared_norms, times

LEAST_BYTES = 1 << 23  # of features; smaller ones stay in the cache
GROUP = 16  # columns that two tasks share
EPOCHS = 3  # passes between certificates


def solve(
    problem: Problem,
    *,
    tol: float = 1e-3,
    max_epochs: int = 1000,
    seed: int = 0,
    start: np.ndarray | None = None,
    n_jobs: int | None = None,
) -> Solution:
    """Solve every column of a problem on dense features; arguments as for `dual_cd.solve`.

    Threads take groups of columns. Groups do not depend on the number of threads, since the last bits of a matrix
    product depend on its shape, and those may decide which rows are left out.
    """
    q = problem.n_columns
    groups = np.array_split(np.arange(q), min(q, 2 * -(-q // GROUP)))

    def group(columns):
        begin = None if start is None else start[:, columns]
        return _solve_group(problem.column(columns), tol, max_epochs, seed, begin)

    with one_blas_thread():
        return join(map_tasks(group, groups, n_jobs=n_jobs))


def _solve_group(problem, tol, max_epochs, seed, start) -> Solution:
    F, (n, q) = problem.F, (len(problem.F), problem.n_columns)
    y, c, norm = problem.targets(), problem.costs(), squared_norms(problem.F) + problem.bias**2
    counted = np.maximum(1, (c > 0).sum(axis=0))
    b = np.zeros((n, q)) if start is None else start.astype(np.float64)
    W = np.zeros((q, F.shape[1] + 1), dtype=F.dtype)
    if start is not None:
        W[:, :-1], W[:, -1] = b.T.astype(F.dtype) @ F.values, problem.bias * b.sum(axis=0)
    active, order = c > 0, np.arange(n)
    state = np.array([(seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) % 2**64 | 1], dtype=np.uint64)
    spent, best, stuck = np.zeros(q, dtype=np.int64), np.full(q, np.inf), np.zeros(q, dtype=np.int64)
    objective, gap, status = np.zeros(q), np.full(q, np.inf), [None] * q
    while None in status:
        visited, worst = descend(F, y, c, norm, problem.loss.rule, problem.bias, W, b, active, order, state, EPOCHS)
        spent += visited
        f = times(F, W[:, :-1].T) + (problem.bias * W[:, -1]).astype(F.dtype)
        lost, paid, met = look_over(y, c, norm, problem.loss.rule, f, b, worst, active)
        square = np.einsum("ij,ij->i", W, W, dtype=np.float64)
        for j in (j for j in range(q) if status[j] is None):
            objective[j] = 0.5 * square[j] + lost[j]
            gap[j] = relative_gap(objective[j], -0.5 * (2 * met[j] - square[j]) - paid[j])
            stuck[j] = 0 if gap[j] < 0.99 * best[j] else stuck[j] + 1
            best[j] = min(best[j], gap[j])
            ended = problem.column(j).tell(-(-spent[j] // counted[j]), gap[j]) or spent[j] >= max_epochs * counted[j]
            status[j] = status_of(gap[j], tol, stuck[j], ended)
        active[:, [s is not None for s in status]] = False
    return Solution(W[:, :-1].T, W[:, -1], b, objective, gap, -(-spent // counted), status)
