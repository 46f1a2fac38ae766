"""A linear model in each of several regions by least squares: every C of every region from small systems."""

from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse

from .base import Task
from .ridge import targets
from .search import best, constant

VALUES = 4.0 ** np.arange(-3, 7, 2)  # C times the mean squared length of a row
SMALL = 8  # rows below which a region says what most of its rows are
MOST = 2000  # rows that a region with more columns than that learns from


class Region(NamedTuple):
    """Rows of the pool that lie in it: their numbers, and their features (x, 1) or the products of these."""

    rows: np.ndarray
    Z: Any
    G: np.ndarray | None  # products of all rows with the first MOST, where these are fewer than columns


def piecewise(task: Task, key: Any, X: Any, at: np.ndarray, C: float | None) -> dict:
    """Choose a C for each region on its rows held back, train on all that train, answer those that judge.

    X and `at` are rows and regions of the whole pool, which keeps their products under the key. The loss is the square
    on targets -1 and +1.

    Cost: for a region of r rows and d columns, O(r m^2) and O(m^3) for each C, m the smallest of r, d + 1 and 2,000.
    """
    pool = task.pool
    k = int(at.max()) + 1
    regions = pool.once(("pieces", key), lambda: _regions(X, at, k))
    Y = pool.once("targets", lambda: targets(pool.y, pool.n_classes))
    Y, middle = _centred(task, Y)
    size = pool.once("unit size", lambda: _mean_square(X))
    trains, held, judges = (_mask(rows, len(at)) for rows in (task.train, task.train[task.held], task.judge))
    path, said, C_of = [], np.empty(0), np.full(k, 1.0 if C is None else C)
    if C is None:
        values = VALUES / size
        answers = _answers(regions, Y, trains & ~held, held, [values] * k)[:, held]
        path, said, C_of = _choose(task, answers, middle, at, values)
    f = _column(task, _answers(regions, Y, trains, judges, C_of[:, None])[0, task.judge], middle)
    f = overruled(task, f, at[task.train], at[task.judge], task.y, k)
    return result(task, path, C_of[at[task.train]], said, f, k) | {"row_bytes": 4.0 * (X.shape[1] + 1)}


def result(task: Task, path: list[dict], C_of_rows: np.ndarray, said: np.ndarray, f: np.ndarray, k: int) -> dict:
    """What a run of the probe reports."""
    return {
        "C": float(np.exp(np.mean(np.log(C_of_rows)))),
        "path": path,
        "held": said,
        "f": f,
        "regions": k,
        "score": task.score(task.y[task.held], said) if path else np.nan,
    }


def mark(task: Task, y: np.ndarray, f: np.ndarray) -> float:
    """How well the rows of one region were answered; a few rows cannot bear every scorer."""
    return -float(np.mean((y - f) ** 2)) if not task.n_classes else float(np.mean(task.score.right(y, f)))


def overruled(task: Task, f: np.ndarray, at, at_g, y, k: int) -> np.ndarray:
    """The same answers, with constants for regions that have little to learn from."""
    for region in range(k):
        mine, asked = y[at == region], at_g == region
        if not asked.any() or (len(mine) >= SMALL and (not task.n_classes or len(np.unique(mine)) > 1)):
            continue
        mine = mine if len(mine) else y
        if task.n_classes:
            f[asked] = constant(int(np.bincount(mine).argmax()), int(asked.sum()), task.n_classes)
        else:
            f[asked] = mine.mean()
    return f


def _regions(X: Any, at: np.ndarray, k: int) -> list[Region]:
    found = []
    for region in range(k):
        rows = np.flatnonzero(at == region)
        Z, ones = X[rows], np.ones((len(rows), 1), X.dtype)
        if scipy.sparse.issparse(X):
            G = (Z @ Z[:MOST].T).toarray() + 1.0
        else:
            Z = np.hstack([Z, ones])
            G = Z @ Z[:MOST].T if min(len(rows), MOST) <= Z.shape[1] else None
        found.append(Region(rows, Z, G))
    return found


def _answers(regions: list[Region], Y: np.ndarray, trains: np.ndarray, asks: np.ndarray, C_of: Any) -> np.ndarray:
    """Decision values (C, rows of the pool, columns of Y) of the rows asked, each region at each of its C."""
    out = np.zeros((len(C_of[0]), len(trains), Y.shape[1]), dtype=np.float32)
    for region, values in zip(regions, C_of, strict=True):
        most = len(region.rows) if region.G is None else MOST
        fit, ask = np.flatnonzero(trains[region.rows[:most]]), np.flatnonzero(asks[region.rows])
        if not len(fit) or not len(ask):
            continue
        T, asked = Y[region.rows[fit]], region.rows[ask]
        if region.G is not None:
            A, B, H = region.G[np.ix_(fit, fit)], T, region.G[np.ix_(ask, fit)]
        else:
            P = region.Z[fit]
            A, B, H = P.T @ P, P.T @ T, region.Z[ask]
        for i, C in enumerate(values):
            L = A.astype(np.float64)
            L.flat[:: len(L) + 1] += 1 / (2 * C)
            factor = scipy.linalg.cho_factor(L, overwrite_a=True, check_finite=False)
            out[i, asked] = H @ scipy.linalg.cho_solve(factor, B, check_finite=False)
    return out


def _choose(task: Task, answers: np.ndarray, middle: float, at: np.ndarray, values: np.ndarray) -> tuple:
    """Path of one C for all regions, what the best of them says of the rows held back, and the best C of each region.

    The second is said at one C because the best of each region would flatter the sum of them.
    """
    hold, fit = task.train[task.held], task.train[~task.held]
    k, y, path, said = int(at.max()) + 1, task.y[task.held], [], []
    for C, f in zip(values, answers, strict=True):
        f = overruled(task, _column(task, f, middle), at[fit], at[hold], task.y[~task.held], k)
        path.append({"C": float(C), "score": task.score(y, f), "error": task.score.error(y, f)})
        said.append(f)
    C_of = np.empty(k)
    for region in range(k):
        rows = np.flatnonzero(at[hold] == region)
        marks = [mark(task, y[rows], f[rows]) for f in said] if len(rows) else [p["score"] for p in path]
        C_of[region] = values[int(np.argmax(marks))]
    return path, said[path.index(best(path))], C_of


def _mask(rows: np.ndarray, n: int) -> np.ndarray:
    mask = np.zeros(n, dtype=bool)
    mask[rows] = True
    return mask


def _centred(task: Task, Y: np.ndarray) -> tuple[np.ndarray, float]:
    """Targets less the mean of those that train, in a regression."""
    if task.n_classes:
        return Y, 0.0
    middle = float(task.y.mean())
    return (task.pool.y - middle)[:, None], middle


def _column(task: Task, f: np.ndarray, middle: float) -> np.ndarray:
    return f.astype(np.float64) if task.n_classes > 2 else f[:, 0].astype(np.float64) + middle


def _mean_square(X: Any) -> float:
    total = X.multiply(X).sum() if scipy.sparse.issparse(X) else np.einsum("ij,ij->", X, X)
    return float(total) / X.shape[0] + 1.0
