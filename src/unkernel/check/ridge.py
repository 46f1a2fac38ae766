"""Least squares on dense features, all C and all classes from one product: how the widest probes stay cheap."""

from time import process_time

import numpy as np
import scipy.linalg

from .base import Task
from .search import Learned, best

VALUES = 4.0 ** np.arange(-3, 7)  # C; the ridge is 1 / (2 C)


def least_squares(task: Task, F: np.ndarray, G: np.ndarray, *, C: float | None = None) -> Learned:
    """Choose C on the rows of F held back, train on all of F, answer G: the squared loss on targets -1 and +1.

    Decision values of classes are those of one column of targets per class against the rest. C means what it means to
    `LinearRegressor` with the squared loss.

    Cost: O(n k^2) once and O(k^3 / 3) for each C, whatever the number of classes.
    """
    Y, middle = targets(task, ~task.held)
    S, B = F[~task.held].T @ F[~task.held], F[~task.held].T @ Y[~task.held]
    path, kept = ([], np.empty(0)) if C is not None else _path(task, S, B, F[task.held], middle)
    C = best(path)["C"] if path else C
    start = process_time()
    S, B = S + F[task.held].T @ F[task.held], B + F[task.held].T @ Y[task.held]
    f = _decisions(task, G @ _weights(S, B, C), middle)
    return Learned(C, path, best(path)["score"] if path else np.nan, kept, f, process_time() - start)


def targets(task: Task, rows: np.ndarray) -> tuple[np.ndarray, float]:
    """Columns to regress on, for all rows: -1 and +1 per class, or targets less their mean over `rows`."""
    y = task.y
    if not task.n_classes:
        middle = float(y[rows].mean())
        return (y - middle)[:, None].astype(np.float32), middle
    positive = np.array([1]) if task.n_classes == 2 else np.arange(task.n_classes)
    return np.where(y[:, None] == positive, np.float32(1), np.float32(-1)), 0.0


def _path(task: Task, S, B, H: np.ndarray, middle: float) -> tuple[list[dict], np.ndarray]:
    y, path, kept = task.y[task.held], [], np.empty(0)
    for C in VALUES:
        f = _decisions(task, H @ _weights(S, B, C), middle)
        path.append({"C": float(C), "score": task.score(y, f), "error": task.score.error(y, f)})
        if best(path) is path[-1]:
            kept = f
        if len(path) - path.index(best(path)) > 3:
            break
    return path, kept


def _weights(S: np.ndarray, B: np.ndarray, C: float) -> np.ndarray:
    A = S.copy()
    A.flat[:: len(A) + 1] += 1 / (2 * C)
    factor = scipy.linalg.cho_factor(A, overwrite_a=True, check_finite=False)
    return scipy.linalg.cho_solve(factor, B, check_finite=False)


def _decisions(task: Task, f: np.ndarray, middle: float) -> np.ndarray:
    return f.astype(np.float64) if task.n_classes > 2 else f[:, 0].astype(np.float64) + middle
