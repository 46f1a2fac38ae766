"""Choice of C and of kernel parameters on rows left out: one base for all formulas, one Gram for all C and folds."""

import warnings
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .._validate import InputError
from ..kernels.base import Kernel
from . import ridge
from .base import Solution, Targets
from .folds import Split
from .grid import setting, shaping

GROUPS = 5  # of rows whose absence, in turn, gives the error of a score over all rows

Score = Callable[[np.ndarray, np.ndarray], float]  # (values of some rows, those rows) -> score
Scores = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]  # (K, values of C) -> scores, their errors
Machine = Callable[[np.ndarray, Targets], Callable[[float], Solution]]  # Gram matrix it may spoil -> solution at C


class Trial(NamedTuple):
    """One setting of the kernel: the score on rows left out for each C, and its standard error."""

    params: dict[str, Any]
    C: np.ndarray
    score: np.ndarray
    error: np.ndarray


def trials(kernel: Kernel, grid: dict[str, list], X, n_jobs: int | None) -> Iterator[tuple[dict, np.ndarray]]:
    """(parameters, Gram matrix) of every setting; settings with the same rows share their base."""
    names = shaping(kernel, grid)
    others = [name for name in grid if name not in names]
    for outer in product(*(grid[name] for name in names)):
        base = None
        for inner in product(*(grid[name] for name in others)):
            params = dict(zip(names + others, outer + inner, strict=True))
            settled = setting(kernel, params).fit(X)
            if not others:
                K = settled(X, n_jobs=n_jobs)
            else:
                base = settled.base(X, n_jobs=n_jobs) if base is None else base
                K = settled.of_base(base)
            yield params, K
            del K  # before the next one


def search(kernel: Kernel, grid: dict, X, values: Callable, scores: Scores, *, n_jobs: int | None) -> list[Trial]:
    """A trial of every setting of the kernel; `values` of a Gram matrix are the C to try, upwards."""
    found = []
    for params, K in trials(kernel, grid, X, n_jobs):
        C = values(K)
        found.append(Trial(params, C, *scores(K, C)))
        del K
    return found


def by_folds(K, targets: Targets, values: np.ndarray, splits: list[Split], machine: Machine, score: Score):
    """Mean score of the folds under machines that never saw their rows, and its standard error."""
    table = np.empty((len(splits), len(values)))
    for (train, test), row in zip(splits, table, strict=True):
        other = K[np.ix_(test, train)]
        at = machine(K[np.ix_(train, train)], targets.of(train))
        for c, C in enumerate(values):
            solution = at(C)
            row[c] = scored(score, other @ solution.dual + solution.intercept, test)
        del at, other  # before the next fold's
    return table.mean(axis=0), table.std(axis=0, ddof=1) / np.sqrt(len(table))


def left_out(K, targets: Targets, values: np.ndarray, score: Score) -> tuple[np.ndarray, np.ndarray]:
    """For the squared loss, one score of all rows, each under the machine that never saw it alone; spoils K.

    The standard error is the jackknife's over five groups of rows; NaN for fewer than four rows.
    """
    spectrum = ridge.decompose(K, targets)
    held = [ridge.left_out(spectrum, targets, C) for C in values]
    found = np.array([scored(score, h, np.arange(len(h))) for h in held])
    return found, np.array([_jackknife(score, h) for h in held])


def scored(score: Score, values: np.ndarray, rows: np.ndarray) -> float:
    """The score of some rows, or a refusal where it has none."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = score(values, rows)
    if np.isnan(found):
        raise InputError(
            f"the score of {len(rows)} rows left out together is NaN; give fewer folds by cv=, or a scoring= that "
            'these rows have, such as "neg_mean_squared_error" for one row'
        )
    for warning in said:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return found


def best_of(found: list[Trial]) -> tuple[Trial, float]:
    """The trial and the C with the largest score; of equals the first trial and the smallest C."""
    trial = max(found, key=lambda t: t.score.max())
    return trial, float(trial.C[int(trial.score.argmax())])


def _jackknife(score: Score, values: np.ndarray) -> float:
    n, groups = len(values), min(GROUPS, len(values))
    if n < 4:
        return np.nan
    group = np.arange(n) % groups
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a measure that the rest has not is NaN here
        rest = [score(values[group != g], np.flatnonzero(group != g)) for g in range(groups)]
    return float(np.sqrt((groups - 1) * np.var(rest)))
