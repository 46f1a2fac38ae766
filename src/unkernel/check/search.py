"""Train a linear model on features at the C that does best on rows held back: what every probe shares."""

import warnings
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ..features import Features, as_features
from ..linear.classifier import LinearClassifier
from ..linear.product import squared_norms
from ..linear.regressor import LinearRegressor
from .base import Task

FACTOR = 4.0
MOST = 11


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

    C climbs by factors of four from where nearly all rows are within the margin (LIBLINEAR's start) and stops when
    the score has fallen below its best by more than its standard error twice running. Ties go to the smaller C.
    """
    F, G = as_features(F), as_features(G)
    path, held = ([], np.empty(0)) if C is not None else search(task, F, intercept)
    C = C if C is not None else best(path)["C"]
    start = perf_counter()
    f = answers(task, F, task.y, G, C, tol=1e-3, intercept=intercept)
    score = best(path)["score"] if path else np.nan
    return Learned(C, path, score, held, f, perf_counter() - start)


def search(task: Task, F: Features, intercept: bool = True) -> tuple[list[dict], np.ndarray]:
    """The path of C, and the decision values on the rows held back at the best."""
    fit, hold = np.flatnonzero(~task.held), np.flatnonzero(task.held)
    A, B, y = F[fit], F[hold], task.y[hold]
    path: list[dict] = []
    kept, worse = np.empty(0), 0
    for C in grid(A):
        f = answers(task, A, task.y[fit], B, C, tol=1e-2, intercept=intercept)
        path.append({"C": float(C), "score": task.score(y, f), "error": task.score.error(y, f)})
        top = best(path)
        if top is path[-1]:
            kept = f
        worse = worse + 1 if path[-1]["score"] < top["score"] - 0.5 * top["error"] else 0
        if worse == 2:
            break
    return path, kept


def best(path: list[dict]) -> dict:
    """The entry of the largest score, the smallest C of equals."""
    return max(path, key=lambda at: (at["score"], -at["C"]))


def grid(F: Features) -> np.ndarray:
    """C values from the one at which few rows reach the margin."""
    start = 16 / (len(F) * max(float(np.mean(squared_norms(F))), 1e-12))
    return 2.0 ** np.floor(np.log2(start)) * FACTOR ** np.arange(MOST)


def answers(task: Task, F, y: np.ndarray, G, C: float, *, tol: float, weight=None, intercept=True) -> np.ndarray:
    """Decision values on G of a model trained on F: (n,) for two classes or a regression, else (n, classes)."""
    if task.n_classes and len(np.unique(y)) < 2:
        return constant(int(y[0]) if len(y) else 0, len(G), task.n_classes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = learner(task, C=C, tol=tol).set_params(fit_intercept=intercept).fit(F, y, sample_weight=weight)
    if not task.n_classes:
        return model.predict(G).astype(np.float64)
    f = model.decision_function(G)
    if task.n_classes == 2:
        return f
    if len(model.classes_) == task.n_classes:
        return f
    whole = np.full((len(G), task.n_classes), -1e3, dtype=f.dtype)
    whole[:, model.classes_] = f if f.ndim == 2 else np.column_stack([-f, f])
    return whole


def learner(task: Task, *, C: float, tol: float) -> Any:
    """The linear model of this task."""
    options = {"C": float(C), "tol": tol, "max_epochs": 200, "n_jobs": task.n_jobs, "random_state": 0}
    if not task.n_classes:
        return LinearRegressor(**options)
    return LinearClassifier("logistic" if task.score.wants_probability else "squared_hinge", **options)


def constant(winner: int, n: int, n_classes: int) -> np.ndarray:
    """Decision values that always say `winner`."""
    if n_classes == 2:
        return np.full(n, 1.0 if winner else -1.0)
    f = np.full((n, n_classes), -1.0)
    f[:, winner] = 1.0
    return f
