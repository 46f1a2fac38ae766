"""Rows left out, and the rows that those who judge them learn from: any splitter of scikit-learn, taken at its word."""

from typing import Any

import numpy as np

from .._validate import InputError
from ..linear.path import folds_of

Split = tuple[np.ndarray, np.ndarray]  # rows to learn from, rows left out

REMEDY = "give a whole number of at least 2, a splitter, or a list of pairs (rows to learn from, rows left out)"


def splits_of(y: np.ndarray, cv: Any, rows: np.ndarray, n_rows: int, *, classifies: bool, seed: int) -> list[Split]:
    """Folds as positions among the rows that count.

    Parameters
    ----------
    y : ndarray of shape (n,) or (n, t)
        Of the rows that count.
    cv : int, None, splitter or iterable of (rows to learn from, rows left out)
        A number of folds is spread evenly over each class, in random order. A splitter is asked about the rows that
        count; an iterable holds indices or masks of all rows given.
    rows : ndarray of shape (n,)
        The rows that count among all.
    n_rows : int
        All rows.
    """
    if cv is None or isinstance(cv, int | np.integer):
        fold, n_folds = folds_of(y, np.ones(len(y)), cv, classifies=classifies, seed=seed)
        return [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(n_folds)]
    found = _split(cv, y) if hasattr(cv, "split") and not isinstance(cv, str) else _given(cv, rows, n_rows)
    if len(found) < 2:
        raise InputError(f"cv is {cv!r}, which makes {len(found)} folds; at least two are needed")
    for f, (train, test) in enumerate(found):
        if not (len(train) and len(test)):
            side = "learns from no row" if len(test) else "leaves no row out"
            raise InputError(f"fold {f} of cv {side} whose weight is above 0; {REMEDY}")
        both = np.intersect1d(train, test)
        if len(both):
            raise InputError(f"fold {f} of cv learns from row {rows[both[0]]}, which it leaves out; {REMEDY}")
    return found


def _split(cv: Any, y: np.ndarray) -> list[Split]:
    try:
        return [(np.asarray(train), np.asarray(test)) for train, test in cv.split(np.zeros(len(y)), y)]
    except (ValueError, TypeError) as error:
        raise InputError(
            f"cv is {cv!r}, which cannot split these {len(y)} rows: {error}; give another splitter, or its folds as a "
            "list, such as list(cv.split(X, y, groups))"
        ) from error


def _given(cv: Any, rows: np.ndarray, n_rows: int) -> list[Split]:
    position = np.full(n_rows, -1)
    position[rows] = np.arange(len(rows))
    try:
        pairs = [] if isinstance(cv, str | dict) else [(train, test) for train, test in cv]
    except (TypeError, ValueError):  # neither an iterable nor pairs
        pairs = []
    if not pairs:
        raise InputError(f"cv is {cv!r}; {REMEDY}")
    return [(_positions(train, position), _positions(test, position)) for train, test in pairs]


def _positions(part: Any, position: np.ndarray) -> np.ndarray:
    """Positions, among rows that count, of rows given as indices or as a mask."""
    part = np.asarray(part)
    if part.dtype == bool and part.shape == position.shape:
        part = np.flatnonzero(part)
    if part.ndim != 1 or (part.size and (part.dtype.kind not in "iu" or part.min() < 0)):
        raise InputError(f"a fold of cv holds {part!r}; {REMEDY}")
    if part.size and part.max() >= len(position):
        raise InputError(f"a fold of cv names row {part.max()} and X has {len(position)} rows; {REMEDY}")
    found = position[part.astype(np.int64)]
    return found[found >= 0]
