"""Train a linear model on features at the C that does best on rows held back: what every probe shares."""

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ..features import Features, as_features
from ..linear.base import Columns, Problem, Solution
from ..linear.dual_cd import solve
from ..linear.losses import loss_of
from ..linear.product import squared_norms, times
from .base import Task

FACTOR = 4.0
MOST = 11
SEARCH = {"tol": 1e-2, "max_epochs": 60}  # a certificate this loose leaves scores within their error
FINAL = {"tol": 5e-3, "max_epochs": 120}


class Learned(NamedTuple):
    """A model at its C, and how it was found."""

    C: float
    path: list[dict]
    score: float
    held: np.ndarray
    f: np.ndarray
    fit_seconds: float


def learn(task: Task, F: Any, G: Any, *, C: float | None = None, intercept: bool = True) -> Learned:
    """Choose C on the rows of F held back, train on all of F, answer G.

    C climbs by factors of four from near where all rows are within the margin (LIBLINEAR's start), each solution
    beginning at the last one's, and stops when the score has fallen below its best by half its standard error twice
    running. Ties go to the smaller C.
    """
    F, G = as_features(F), as_features(G)
    problem, middle = problem_of(task, F, bias=1.0 if intercept else 0.0)
    path, held, start = ([], np.empty(0), None) if C is not None else search(task, problem, middle)
    C = C if C is not None else best(path)["C"]
    clock = perf_counter()
    f = decisions(task, solved(problem, C, start, FINAL, task.n_jobs), problem, G, middle)
    return Learned(C, path, best(path)["score"] if path else np.nan, held, f, perf_counter() - clock)


def problem_of(task: Task, F: Features, *, bias: float, weight: np.ndarray | None = None) -> tuple[Problem, float]:
    """The problem of a task on features, rows held back being a fold, and what is taken off its targets."""
    if task.n_classes:
        loss = loss_of("logistic" if task.score.wants_probability else "squared_hinge")
        positive = np.arange(task.n_classes) if task.n_classes > 2 else np.array([1])
        y, middle = task.y.astype(np.int32), 0.0
    else:
        loss, positive, middle = loss_of("squared"), np.array([0]), float(task.y[~task.held].mean())
        y = (task.y - middle)[:, None]
    q = len(positive)
    columns = Columns(positive.astype(np.int32), np.ones(q), np.full(q, -1, dtype=np.int32))
    weight = np.ones(len(F)) if weight is None else weight
    return Problem(F, y, weight, np.where(task.held, 0, 1).astype(np.int32), columns, loss, bias), middle


def search(task: Task, problem: Problem, middle: float) -> tuple[list[dict], np.ndarray, np.ndarray]:
    """The path of C, and at the best: decision values of the rows held back, and dual variables to begin with."""
    hold = np.flatnonzero(task.held)
    B, y = problem.F[hold], task.y[hold]
    path: list[dict] = []
    kept, worse, start = (np.empty(0), None), 0, None
    for C in grid(problem):
        solution = solved(problem, C, start, SEARCH, task.n_jobs, held=0)
        f = decisions(task, solution, problem, B, middle)
        path.append({"C": float(C), "score": task.score(y, f), "error": task.score.error(y, f)})
        if best(path) is path[-1]:
            kept = f, solution.dual
        worse = worse + 1 if path[-1]["score"] < best(path)["score"] - 0.5 * best(path)["error"] else 0
        if worse == 2:
            break
        start = solution.dual
    return path, *kept


def solved(
    problem: Problem, C: float, start: np.ndarray | None, effort: dict, n_jobs: int | None, *, held: int = -1
) -> Solution:
    """The solution at C, without the fold `held`, from dual variables of a smaller C."""
    q = problem.n_columns
    columns = problem.columns._replace(C=np.full(q, float(C)), held=np.full(q, held, dtype=np.int32))
    return solve(problem._replace(columns=columns), start=start, polish=False, n_jobs=n_jobs, **effort)


def decisions(task: Task, solution: Solution, problem: Problem, G: Features, middle: float) -> np.ndarray:
    """Decision values on G: (n,) for two classes or a regression, else (n, classes)."""
    f = times(G, solution.W, n_jobs=task.n_jobs) + problem.bias * solution.v + middle
    return (f if task.n_classes > 2 else f[:, 0]).astype(np.float64)


def best(path: list[dict]) -> dict:
    """The entry of the largest score, the smallest C of equals."""
    return max(path, key=lambda at: (at["score"], -at["C"]))


def grid(problem: Problem) -> np.ndarray:
    """C values from one at which few rows reach the margin."""
    size = max(float(np.mean(squared_norms(problem.F))), 1e-12)
    start = 16 / (problem.weight.sum() * size)
    return 2.0 ** np.floor(np.log2(start)) * FACTOR ** np.arange(MOST)


def constant(winner: int, n: int, n_classes: int) -> np.ndarray:
    """Decision values that always say `winner`."""
    if n_classes == 2:
        return np.full(n, 1.0 if winner else -1.0)
    f = np.full((n, n_classes), -1.0)
    f[:, winner] = 1.0
    return f
