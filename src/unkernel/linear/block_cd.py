"""Dual coordinate descent on mapped codes, a block at a time: memory does not grow with the file.

A block is made of short runs of rows from all over the file, other ones in every pass, so neighbours in the file do not
slow it down. It is read once for all columns of weights, each of which passes over its rows a few times. In memory
stay one block, the dual variables (four bytes per row and column) and the weights. The pages a block was read from are
given back to the system.

The certificate needs no product with the transpose, as in `tile_cd`: |u|^2 = 2 <u, w> - |w|^2 + |u - w|^2.

References
----------
Yu, Hsieh, Chang and Lin, "Large linear classification when data cannot fit in memory", KDD 2010.
"""

import mmap
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .._blocks import map_tasks
from ..features import Codes
from .base import Problem, Solution, relative_gap
from .block_cd_hot import look_over
from .dual_cd import status_of
from .dual_cd_hot import descend
from .product import squared_norms, times, transposed_times

BLOCK_BYTES = 32 << 20
RUN_ROWS = 1024
PASSES = 2  # over a block while it is in memory
RISE = 1e-6  # relative rise of the dual objective between certificates that is more than rounding


class Held(NamedTuple):
    """What stays in memory of every column, by column."""

    w: np.ndarray  # (q, columns + 1) float64, the intercept's last
    dual: np.ndarray  # (q, n) float32
    active: np.ndarray  # (q, n) bool: rows that are not left out of the next pass
    state: np.ndarray  # (q, 1) uint64, of the shuffle
    visited: np.ndarray  # (q,) rows
    worst: np.ndarray  # (q,) largest violation of the present pass
    before: np.ndarray  # (q,) that of the pass before


def solve(
    problem: Problem,
    *,
    tol: float = 1e-3,
    max_epochs: int = 1000,
    seed: int = 0,
    start: np.ndarray | None = None,
    n_jobs: int | None = None,
) -> Solution:
    """Solve every column; arguments as for `dual_cd.solve`."""
    held, q = _begin(problem, seed, start, n_jobs), problem.n_columns
    rng = np.random.default_rng(seed)
    counted = np.array([max(1, int(active.sum())) for active in held.active])
    status, stuck = [None] * q, np.zeros(q, dtype=int)
    objective, gap, best, height = np.zeros(q), np.full(q, np.inf), np.full(q, np.inf), np.full(q, -np.inf)
    while None in status:
        open_ = np.array([j for j in range(q) if status[j] is None])
        held.before[open_], held.worst[open_] = held.worst[open_], 0.0
        _pass(problem, held, open_, rng, n_jobs)
        objective[open_], dual = _certify(problem, held, open_, n_jobs)
        gap[open_] = relative_gap(objective[open_], dual)
        for j, reached in zip(open_, dual, strict=True):
            rose = reached > height[j] + RISE * abs(reached)
            stuck[j] = 0 if gap[j] < 0.99 * best[j] or rose else stuck[j] + 1
            best[j], height[j] = min(best[j], gap[j]), max(height[j], reached)
            ended = problem.column(j).tell(-(-held.visited[j] // counted[j]), gap[j])
            status[j] = status_of(gap[j], tol, stuck[j], ended or held.visited[j] >= max_epochs * counted[j])
    W = held.w.astype(np.float32).T
    return Solution(W[:-1], W[-1], held.dual.T, objective, gap, -(-held.visited // counted), status)


def blocks(F: Codes, rng: np.random.Generator | None = None) -> Iterator[tuple[np.ndarray, Codes]]:
    """Rows and their codes, in memory, a block at a time: runs of rows in random order, or in order without `rng`."""
    n = len(F)
    starts = np.arange(0, n, RUN_ROWS)
    if rng is not None:
        rng.shuffle(starts)
    runs = max(1, BLOCK_BYTES // max(1, RUN_ROWS * F.codes.shape[1] * F.codes.itemsize))
    for at in range(0, len(starts), runs):
        parts = [slice(s, min(n, s + RUN_ROWS)) for s in starts[at : at + runs]]
        rows = np.concatenate([np.arange(part.start, part.stop) for part in parts])
        codes = np.concatenate([F.codes[part] for part in parts])
        let_go(F.codes)
        yield rows, Codes(codes, F.filled[rows], F.levels, F.value)


def let_go(a) -> None:
    """Give pages of a file that was mapped to be read back to the system; they are read again when asked for."""
    while a is not None:
        if isinstance(a, np.memmap) and a.mode == "r" and hasattr(mmap, "MADV_DONTNEED"):
            a._mmap.madvise(mmap.MADV_DONTNEED)
            return
        a = getattr(a, "base", None)


def _begin(problem: Problem, seed: int, start, n_jobs) -> Held:
    F, n, q = problem.F, len(problem.F), problem.n_columns
    states = [[(seed * 0x9E3779B97F4A7C15 + j * 0xBF58476D1CE4E5B9 + 0xD1B54A32D192ED03) % 2**64 | 1] for j in range(q)]
    w, dual, active = np.zeros((q, F.shape[1] + 1)), np.zeros((q, n), dtype=np.float32), np.empty((q, n), dtype=bool)
    for rows, block in blocks(F):
        active[:, rows] = problem.costs(rows).T > 0
        if start is not None:
            dual[:, rows] = start[rows].T
            b = dual[:, rows].T.astype(np.float64)
            w[:, :-1] += transposed_times(block, b, n_jobs=n_jobs).T
            w[:, -1] += problem.bias * b.sum(axis=0)
    zeros = (np.zeros(q, dtype=np.int64), np.zeros(q), np.zeros(q))
    return Held(w, dual, active, np.array(states, dtype=np.uint64), *zeros)


def _pass(problem: Problem, held: Held, columns: np.ndarray, rng, n_jobs) -> None:
    """Every block once, every column `PASSES` times over its rows in play."""
    for rows, F in blocks(problem.F, rng):
        norm = squared_norms(F) + problem.bias**2

        def one(j, rows=rows, F=F, norm=norm) -> None:
            column = problem.column(j)
            y, c = column.targets(rows)[:, 0], column.costs(rows)[:, 0]
            b, order = held.dual[j, rows].astype(np.float64), np.flatnonzero(held.active[j, rows])
            rule, eps = problem.loss.rule, 0.1 * held.before[j]
            visited, worst = descend(F, y, c, norm, rule, problem.bias, held.w[j], b, order, held.state[j], eps, PASSES)
            held.dual[j, rows] = b
            held.visited[j] += visited
            held.worst[j] = max(held.worst[j], worst)

        map_tasks(one, list(columns), n_jobs=n_jobs)


def _certify(problem: Problem, held: Held, columns: np.ndarray, n_jobs) -> tuple[np.ndarray, np.ndarray]:
    """Primal and dual objective of columns at their weights as kept, float32; rows are shrunk anew."""
    W = held.w[columns].astype(np.float32)
    square = np.einsum("ij,ij->i", W, W, dtype=np.float64)
    sums = np.zeros((len(columns), 3))
    for rows, F in blocks(problem.F):
        f = times(F, W[:, :-1].T, n_jobs=n_jobs) + problem.bias * W[:, -1]

        def one(p, rows=rows, f=f) -> None:
            j = columns[p]
            column = problem.column(j)
            y, c = column.targets(rows)[:, 0], column.costs(rows)[:, 0]
            at, b, active = f[:, p].astype(np.float64), held.dual[j, rows].astype(np.float64), np.empty(len(rows), bool)
            sums[p] += look_over(problem.loss.rule, y, c, at, b, held.worst[j], active)
            held.active[j, rows] = active

        map_tasks(one, list(range(len(columns))), n_jobs=n_jobs)
    lost, paid, met = sums.T
    return 0.5 * square + lost, -0.5 * (2 * met - square) - paid
