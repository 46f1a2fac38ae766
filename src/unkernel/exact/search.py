"""Choice of C and of kernel parameters on rows left out: one base for all formulas, one Gram for all C and folds."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from .._validate import InputError
from ..kernels.base import Kernel
from . import ridge
from .base import Targets

GAMMAS = (
    *(0.001, 0.01),
    *(round(0.1 * i, 1) for i in range(1, 21)),
    2.5,
    *map(float, range(3, 21)),
    *map(float, range(25, 51, 5)),
    *map(float, range(60, 101, 10)),
    *(120.0, 150.0, 200.0, 300.0, 500.0, 1000.0),
)
"""The 58 values of gamma tried in Li, A Comparison Study of Nonlinear Kernels, 2016."""

POWERS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
STEPS = 4.0 ** np.arange(-2, 4)  # around the gamma of a rule

Score = Callable[[np.ndarray, np.ndarray], float]  # (values of some rows, those rows) -> score
Scores = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (K, values of C) -> scores, a row per fold


class Trial(NamedTuple):
    """One setting of the kernel: the mean score over folds for each C, and its standard error."""

    params: dict[str, Any]
    C: np.ndarray
    score: np.ndarray
    error: np.ndarray


def grid_of(kernel: Kernel, grid: Any, X) -> dict[str, list]:
    """Parameter -> values. "auto" is `POWERS` for every p and six gammas around the median rule's for every gamma."""
    if grid is None:
        return {}
    if not isinstance(grid, str):
        return _checked(kernel, grid)
    if grid != "auto":
        raise InputError(f'grid is {grid!r}; it must be None, "auto", or a dict from parameters to lists of values')
    values: dict[str, list] = {}
    for name in kernel.get_params():
        if _last(name) == "p":
            values[name] = list(POWERS)
        elif _last(name) == "gamma":
            owner = clone(_owner(kernel, name))
            rule = "median" if "median" in owner._rules else "scale"
            values[name] = (owner.set_params(gamma=rule).fit(X).gamma_ * STEPS).tolist()
    if not values:
        raise InputError(f'grid is "auto" and {kernel!r} has neither p nor gamma; use grid=None')
    return values


def trials(kernel: Kernel, grid: dict[str, list], X, n_jobs: int | None) -> Iterator[tuple[dict, np.ndarray]]:
    """(parameters, Gram matrix) of every setting; settings with the same rows share their base."""
    shaping = [name for name in grid if _last(name) in _owner(kernel, name)._shaping]
    others = [name for name in grid if name not in shaping]
    for outer in product(*(grid[name] for name in shaping)):
        shaped = clone(kernel).set_params(**dict(zip(shaping, outer, strict=True)))
        base = None
        for inner in product(*(grid[name] for name in others)):
            settled = clone(shaped).set_params(**dict(zip(others, inner, strict=True))).fit(X)
            if not others:
                K = settled(X, n_jobs=n_jobs)
            else:
                base = settled.base(X, n_jobs=n_jobs) if base is None else base
                K = settled.of_base(base)
            yield dict(zip(shaping + others, outer + inner, strict=True)), K


def search(kernel: Kernel, grid: dict, X, values: Callable, scores: Scores, *, n_jobs: int | None) -> list[Trial]:
    """A trial of every setting of the kernel; `values` of a Gram matrix are the C to try, upwards."""
    found = []
    for params, K in trials(kernel, grid, X, n_jobs):
        C = values(K)
        table = scores(K, C)
        found.append(Trial(params, C, table.mean(axis=0), table.std(axis=0, ddof=1) / np.sqrt(len(table))))
    return found


def by_folds(K, targets: Targets, values: np.ndarray, parts: list, solve: Callable, score: Score) -> np.ndarray:
    """Scores of the rows of each part under machines that never saw it; each C begins from the last."""
    table = np.empty((len(parts), len(values)))
    for test, row in zip(parts, table, strict=True):
        train, solution = np.setdiff1d(np.arange(len(K)), test), None
        own, other = K[np.ix_(train, train)], K[np.ix_(test, train)]
        for c, C in enumerate(values):
            solution = solve(own, targets.of(train), C, solution)
            row[c] = score(other @ solution.dual + solution.intercept, test)
    return table


def left_out(K, targets: Targets, values: np.ndarray, parts: list, score: Score) -> np.ndarray:
    """The same for the squared loss, every row under the machine that never saw that row alone; parts group scores."""
    spectrum = ridge.decompose(K, targets)
    held = [ridge.left_out(spectrum, targets, C) for C in values]
    return np.array([[score(h[part], part) for h in held] for part in parts])


def best_of(found: list[Trial]) -> tuple[Trial, float]:
    """The trial and the C with the largest score; of equals the first trial and the smallest C."""
    trial = max(found, key=lambda t: np.nanmax(t.score))
    return trial, float(trial.C[int(np.nanargmax(trial.score))])


def _checked(kernel: Kernel, grid: Any) -> dict[str, list]:
    known = kernel.get_params()
    if not isinstance(grid, dict):
        raise InputError(f'grid is {grid!r}; it must be None, "auto", or a dict from parameters to lists of values')
    for name, values in grid.items():
        if name not in known:
            raise InputError(f"grid names {name!r}; {kernel!r} has the parameters {', '.join(known) or 'none'}")
        if not np.ndim(values) or not len(values):
            raise InputError(f"grid gives {values!r} for {name!r}; give a list of values")
    return {name: list(values) for name, values in grid.items()}


def _last(name: str) -> str:
    return name.rpartition("__")[2]


def _owner(kernel: Kernel, name: str) -> Kernel:
    """The member of a product or sum that has the parameter."""
    for part in name.split("__")[:-1]:
        kernel = getattr(kernel, part)
    return kernel
