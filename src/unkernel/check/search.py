"""Train a linear model on features at the C that does best on rows held back: what every probe shares."""

from copy import copy
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from ..features import Dense, Features, Sparse, as_features
from ..linear import newton
from ..linear.base import Columns, Problem, Solution
from ..linear.dual_cd import solve
from ..linear.losses import loss_of
from ..linear.product import squared_norms, times
from . import primal
from .base import Task

_WARM: set[tuple] = set()
FACTOR = 4.0
MOST = 11
FEW = 100  # columns up to which a Hessian is cheaper than the products that conjugate gradients take
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
    half: float | None = None


def learn(task: Task, F: Any, *, C: float | None = None, intercept: bool = True, every: int = 1) -> Learned:
    """Choose C on the rows held back, train on all that train, answer those that judge; F holds all rows of the pool.

    C climbs by factors of four from near where all rows are within the margin (LIBLINEAR's start), each solution
    beginning at the last one's, until `over` says that it is past its best. Ties go to the smaller C. `every` second
    of them is enough for a witness.
    """
    F = as_features(F)
    G, F = F[task.judge], F[task.train]
    problem, middle = problem_of(task, F, bias=1.0 if intercept else 0.0)
    path, held, start = ([], np.empty(0), None) if C is not None else search(task, problem, middle, every)
    C = C if C is not None else best(path)["C"]
    clock = process_time()
    f = decisions(task, solved(problem, C, start, FINAL, task.n_jobs), problem, G, middle)
    return Learned(C, path, best(path)["score"] if path else np.nan, held, f, process_time() - clock)


def problem_of(task: Task, F: Features, *, bias: float, weight: np.ndarray | None = None) -> tuple[Problem, float]:
    """The problem of a task on features, rows held back being a fold, and what is taken off its targets."""
    if task.n_classes:
        loss = loss_of("logistic" if task.score.wants_probability else "squared_hinge")
        positive = np.arange(task.n_classes) if task.n_classes > 2 else np.array([1])
        y, middle = task.y.astype(np.int32), 0.0
    else:
        loss, positive, middle = loss_of("squared"), np.array([0]), float(task.y.mean())
        y = (task.y - middle)[:, None]
    q = len(positive)
    columns = Columns(positive.astype(np.int32), np.ones(q), np.full(q, -1, dtype=np.int32))
    weight = np.ones(len(F)) if weight is None else weight
    return Problem(F, y, weight, np.where(task.held, 0, 1).astype(np.int32), columns, loss, bias), middle


def search(task: Task, problem: Problem, middle: float, every: int = 1) -> tuple[list[dict], np.ndarray, Solution]:
    """The path of C, and at the best: decision values of the rows held back, and the solution to begin with."""
    hold = np.flatnonzero(task.held)
    B, y = problem.F[hold], task.y[hold]
    path: list[dict] = []
    kept, start = (np.empty(0), None), None
    for C in grid(problem)[::every]:
        solution = solved(problem, C, start, SEARCH, task.n_jobs, held=0)
        f = decisions(task, solution, problem, B, middle)
        path.append({"C": float(C), "score": task.score(y, f), "error": task.score.error(y, f)})
        if best(path) is path[-1]:
            kept = f, solution
        if over(path, problem):
            break
        start = solution
    return path, *kept


def solved(
    problem: Problem, C: float, start: Solution | None, effort: dict, n_jobs: int | None, *, held: int = -1
) -> Solution:
    """The solution at C, without the fold `held`, from the solution of another C.

    Dense rows take Newton's method in the primal, which large C do not slow down, with the whole Hessian where columns
    are few; others dual coordinate descent.
    """
    q = problem.n_columns
    columns = problem.columns._replace(C=np.full(q, float(C)), held=np.full(q, held, dtype=np.int32))
    problem = problem._replace(columns=columns)
    if isinstance(problem.F, Dense):
        begin = None if start is None else np.vstack([start.W, start.v])
        if q == 1 and problem.F.shape[1] <= FEW:
            return primal.solve(problem, start=begin, tol=effort["tol"])
        return newton.solve(problem, start=begin, n_jobs=n_jobs, **effort)
    return solve(problem, start=None if start is None else start.dual, polish=False, n_jobs=n_jobs, **effort)


def decisions(task: Task, solution: Solution, problem: Problem, G: Features, middle: float) -> np.ndarray:
    """Decision values on G: (n,) for two classes or a regression, else (n, classes)."""
    f = (times(G, solution.W, n_jobs=task.n_jobs) + problem.bias * solution.v).astype(np.float64)
    return f if task.n_classes > 2 else f[:, 0] + middle


def over(path: list[dict], problem: Problem) -> bool:
    """Whether a path is past its best.

    Twice running below it by half its standard error; or three times without a rise, where C is large enough for a row
    to pay for its own margin (at small C all rows may be of the largest class for long).
    """
    top = best(path)
    if len(path) > 2 and all(at["score"] < top["score"] - 0.5 * top["error"] for at in path[-2:]):
        return True
    since = len(path) - 1 - path.index(top)
    return since >= 3 and path[-3]["C"] * size_of(problem) >= 1


def size_of(problem: Problem) -> float:
    """Mean squared length of a row of features."""
    return max(float(np.mean(squared_norms(problem.F))), 1e-12)


def warm(task: Task) -> None:
    """Have the loops compiled before any clock runs: prices are those of the second time."""
    n = min(24, task.n_rows)
    form = Sparse if task.sparse else Dense
    if (form, task.n_classes > 0, task.score.wants_probability) in _WARM:
        return
    part = copy(task)
    part.y, part.held = task.y[:n], task.held[:n]
    X = task.pool.scaled("standard")[task.train[:n]]
    for F in {form: as_features(X), Sparse: Sparse.of(scipy.sparse.csr_array(X))}.values():
        problem, _ = problem_of(part, F, bias=1.0)
        solution = solved(problem.column(0), 1.0, None, {"tol": 0.5, "max_epochs": 1}, None, held=0)
        times(F, solution.W)
    _WARM.add((form, task.n_classes > 0, task.score.wants_probability))


def best(path: list[dict]) -> dict:
    """The entry of the largest score, the smallest C of equals."""
    return max(path, key=lambda at: (at["score"], -at["C"]))


def grid(problem: Problem) -> np.ndarray:
    """C values from one at which few rows reach the margin."""
    start = 16 / (problem.weight.sum() * size_of(problem))
    return 2.0 ** np.floor(np.log2(start)) * FACTOR ** np.arange(MOST)


def constant(winner: int, n: int, n_classes: int) -> np.ndarray:
    """Decision values that always say `winner`."""
    if n_classes == 2:
        return np.full(n, 1.0 if winner else -1.0)
    f = np.full((n, n_classes), -1.0)
    f[:, winner] = 1.0
    return f
