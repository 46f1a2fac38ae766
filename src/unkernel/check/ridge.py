"""Least squares on dense features, all C, all classes and all turns from a few products: how probes stay cheap.

Training on some parts of the rows needs the sums F'F and F'Y over them. Each part is summed once, and every turn,
every C and every point of a learning curve is a small system of equations in those sums.
"""

from time import process_time
from typing import Any

import numpy as np
import scipy.linalg

from .base import Task
from .sample import LONE
from .search import Learned, best

VALUES = 4.0 ** np.arange(-3, 7)  # C; the ridge is 1 / (2 C)


def least_squares(
    task: Task,
    key: Any,
    F: np.ndarray,
    *,
    C: float | None = None,
    width: int | None = None,
    values: np.ndarray = VALUES,
) -> Learned:
    """Choose C on the rows held back, train on all that train, answer those that judge: targets -1 and +1.

    Decision values of classes are those of one column of targets per class against the rest. C means what it means to
    `LinearRegressor` with the squared loss.

    Parameters
    ----------
    task : Task
    key : hashable
        Of F, under which the pool keeps its sums.
    F : ndarray of shape (rows of the pool, k), float32
    C : float or None
        None searches.
    width : int or None
        Only the first columns.
    values : ndarray
        C to try.

    Cost: O(n k^2) once for all turns and O(k^3 / 3) for each C, whatever the number of classes.
    """
    width = F.shape[1] if width is None else width
    path, kept, half = [], np.empty(0), None
    if C is None:
        S, B, middle = sums(task, key, F, task.parts[1:])
        H = F[task.train[task.held], :width]
        path, kept = _path(task, (S[:width, :width], B[:width], middle), H, values)
        C, m = best(path)["C"], width // 2
        if m >= 8:
            half = task.score(task.y[task.held], _decisions(task, H[:, :m] @ weights(S[:m, :m], B[:m], C), middle))
    start = process_time()
    S, B, middle = sums(task, key, F, task.parts)
    f = _decisions(task, F[task.judge, :width] @ weights(S[:width, :width], B[:width], C), middle)
    return Learned(C, path, best(path)["score"] if path else np.nan, kept, f, process_time() - start, half)


def sums(task: Task, key: Any, F: np.ndarray, parts: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, float]:
    """F'F and F'Y over some parts of the rows, and what is taken off the targets of a regression."""
    pool = task.pool
    fold, Y = pool.fold[: len(F)], pool.once("targets", lambda: targets(pool.y, pool.n_classes))

    def of(part: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rows = np.flatnonzero(fold == part)
        P, T = F[rows], Y[rows]
        return P.T @ P, P.T @ T, T.sum(axis=0, dtype=np.float64)

    found = [pool.once((key, F.shape, part), lambda part=part: of(part)) for part in (LONE, *parts)]
    S, B = (sum(part[i] for part in found[1:]) + found[0][i] for i in (0, 1))
    if task.n_classes:
        return S, B, 0.0
    total = sum(part[2] for part in found)
    middle = total[0] / max(total[1], 1)
    return S, B[:, :1] - np.float32(middle) * B[:, 1:], float(middle) + pool.once("middle", lambda: pool.y.mean())


def targets(y: np.ndarray, n_classes: int) -> np.ndarray:
    """Columns to regress on: -1 and +1 per class; or amounts less their mean, and ones to take another mean off."""
    if not n_classes:
        return np.column_stack([y - y.mean(), np.ones(len(y))]).astype(np.float32)
    positive = np.array([1]) if n_classes == 2 else np.arange(n_classes)
    return np.where(y[:, None] == positive, np.float32(1), np.float32(-1))


def weights(S: np.ndarray, B: np.ndarray, C: float) -> np.ndarray:
    """Solution of (S + I / (2 C)) W = B."""
    A = S.copy(order="F")
    A.flat[:: len(A) + 1] += 1 / (2 * C)
    factor = scipy.linalg.cho_factor(A, overwrite_a=True, check_finite=False)
    return scipy.linalg.cho_solve(factor, B, check_finite=False)


def _path(task: Task, system: tuple, H: np.ndarray, values: np.ndarray) -> tuple[list[dict], np.ndarray]:
    S, B, middle = system
    y, path, kept = task.y[task.held], [], np.empty(0)
    for C in values:
        f = _decisions(task, H @ weights(S, B, C), middle)
        path.append({"C": float(C), "score": task.score(y, f), "error": task.score.error(y, f)})
        if best(path) is path[-1]:
            kept = f
        if len(path) - path.index(best(path)) > 3:
            break
    return path, kept


def _decisions(task: Task, f: np.ndarray, middle: float) -> np.ndarray:
    return f.astype(np.float64) if task.n_classes > 2 else f[:, 0].astype(np.float64) + middle
