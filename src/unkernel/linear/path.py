"""Automatic C: start where every row still errs, double, begin each C at the last one's solution, keep the best.

The folds are columns of one problem: they share the rows and differ in which rows cost nothing. Scores come from the
rows that a fold left out, so any measure of decision values can choose.

References
----------
Chu, Ho, Tsai, Lin and Lin, "Warm start for parameter selection of linear classifiers", KDD 2015.
"""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .._blocks import Progress, row_blocks
from .._validate import InputError, check_choice, check_integer, check_real
from .base import Columns, Problem, Solution, paid
from .losses import slope, value
from .product import squared_norms, times, transposed_times
from .solver import Solver

Score = Callable[[np.ndarray, np.ndarray], float]  # (decision values of some rows, those rows) -> score

TOP = 2.0**10
SEARCH_TOL = 3e-2  # a certificate this loose leaves scores within their error
SMALL, SMALL_TOL = 2.0**-6, 3e-3  # but not at small C, where all that weights gain is a small part of the objective
SEARCH_EPOCHS = 100
BELOW = 3  # C in a row that score worse than the best by more than its standard error
WITHOUT_RISE = 3  # C in a row that rise by no more than the error, once one row alone could pay for its own margin
SETTLED = 5  # C in a row that leave the weights as they are, LIBLINEAR's rule
SCORE_ROWS = 4096


class Path(NamedTuple):
    """The curve of a search, and what the final fit takes from it.

    Attributes
    ----------
    C, score, error : ndarray of shape (steps,)
        Each C tried, the mean score over folds, and its standard error.
    best : int
        The step chosen: the largest score, of equals the smallest C.
    hit_bound : bool
        Whether the step chosen is the last one and C could not go on.
    held_out : ndarray of shape (n, q)
        Decision value of every row at the C chosen, by the fold that left it out; NaN for rows that none left out.
    start : ndarray of shape (n, q)
        Dual variables for a warm start at the C chosen, from the folds that used the row.
    """

    C: np.ndarray
    score: np.ndarray
    error: np.ndarray
    best: int
    hit_bound: bool
    held_out: np.ndarray
    start: np.ndarray


def search(
    problem: Problem,
    score: Score,
    solver: Solver,
    *,
    n_folds: int,
    grid: np.ndarray | None = None,
    stop: str = "one_error",
    progress: Progress | None = None,
) -> Path:
    """Try C upwards on the folds of a problem.

    Parameters
    ----------
    problem : Problem
        One column per class or target, a fold for every row as `folds_of` gives it; its C is not read.
    score : callable
        Larger is better.
    solver : Solver
    n_folds : int
    grid : ndarray or None
        The values to try, all of them; None doubles from `smallest` until `stop` says so or C reaches its bound.
    stop : {"one_error", "liblinear"}
        "one_error" ends three C in a row below the best by more than its standard error, or three in a row that rise
        by no more than a standard error once C times the largest |phi_i|^2 is 1 or more. "liblinear" ends when five C
        in a row leave all weights as they are, as `train -C` does.
    progress : callable or None
        Called with (C tried, C that may be tried).

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel.features import Dense
    >>> from unkernel.linear.losses import loss_of
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 3))
    >>> y = (X[:, 0] > 0).astype(np.int32)
    >>> problem = Problem.of(Dense(X), y, loss_of("squared_hinge"))._replace(fold=np.arange(60, dtype=np.int32) % 3)
    >>> path = search(problem, lambda f, rows: np.mean((f[:, 0] > 0) == y[rows]), Solver(problem.F), n_folds=3)
    >>> bool(path.score[path.best] > 0.9)
    True
    """
    check_choice("stop", stop, ("one_error", "liblinear"))
    values = doubling(problem) if grid is None else np.sort(np.asarray(grid, dtype=np.float64))
    parts = spread(problem, n_folds)
    reach = largest(problem)
    curve: list[np.ndarray] = []
    best, kept, solution, decided, unchanged = 0, (), None, None, 0
    for step, C in enumerate(values):
        at = parts.at(C)
        if stop == "liblinear" and solution is not None and _stays(at, solution, solver.n_jobs):
            unchanged += 1
        else:
            ratio = C / values[max(step - 1, 0)]
            solution, unchanged = _solve(at, solution, ratio, solver), 0
            decided = _held_out(at, solution, n_folds, solver.n_jobs)
        curve.append(np.array([score(decided[rows], rows) for rows in rows_of(problem, n_folds)]))
        if step == 0 or curve[step].mean() > curve[best].mean():
            best, kept = step, (decided, solution.dual)
        if progress is not None:
            progress(step + 1, len(values))
        if problem.watch is not None and problem.watch.tried(C, step + 1, len(values)):
            break
        if unchanged == SETTLED or (grid is None and stop == "one_error" and over(np.array(curve), C * reach)):
            break
    steps, tried = np.array(curve), values[: len(curve)]
    at_end = best == len(values) - 1 > 0
    start = _joined(problem, kept[1], n_folds)
    return Path(tried, steps.mean(axis=1), standard_error(steps), best, at_end, kept[0], start)


def choose(
    estimator: Any, problem: Problem, score: Score, C: Any, solver: Any, *, find: Callable[..., Path] = search
) -> Path:
    """Search for an estimator's C, leave the curve on it, and warn where the search ran into its bound.

    Five folds unless the estimator has `cv`; C is what `check_C` returned; `find` is called like `search`.
    """
    classifies = problem.loss.classifies
    if problem.watch is not None:
        problem.watch.begin("search", 1)
    fold, n_folds = folds_of(
        problem.y, problem.weight, getattr(estimator, "cv", None), classifies=classifies, seed=solver.seed
    )
    found = find(
        problem._replace(fold=fold),
        score,
        solver,
        n_folds=n_folds,
        grid=None if isinstance(C, str) else C,
        stop="liblinear" if isinstance(C, str) and C == "liblinear" else "one_error",
    )
    if problem.watch is not None:
        problem.watch.begin("fit", problem.n_columns)
    estimator.C_path_ = {"C": found.C, "score": found.score, "error": found.error}
    estimator.hit_bound_ = found.hit_bound
    if found.hit_bound:
        warnings.warn(
            f"The best C, {found.C[found.best]:g}, is the largest that could be tried; the score may still rise. Give "
            "larger values as an array, or scale the features up",
            UserWarning,
            stacklevel=3,
        )
    return found


def check_C(C: Any, words: tuple[str, ...] = ("auto", "liblinear")) -> Any:
    """A positive number, one of the words, or positive numbers as an array."""
    if isinstance(C, str):
        return check_choice("C", C, words)
    if np.ndim(C) == 0:
        return check_real("C", C, above=0)
    values = np.asarray(C, dtype=np.float64).ravel()
    if not len(values):
        raise InputError('C is an empty array; give at least one value, or "auto"')
    return np.array([check_real("C", value, above=0) for value in values.tolist()])


def over(curve: np.ndarray, reach: float) -> bool:
    """Whether a curve of scores, (steps, folds), is past its peak; `reach` is the last C times the largest |phi|^2."""
    mean = curve.mean(axis=1)
    best = int(mean.argmax())
    low = mean < mean[best] - standard_error(curve)[best]
    if len(low) - best > BELOW and low[-BELOW:].all():
        return True
    rising = round(np.log2(max(reach, 0.5))) + 1  # C in a row at which one row could pay for its own margin
    level = int(np.argmax(mean.max() <= mean + standard_error(curve)))  # where the last plateau begins
    return min(len(mean) - 1 - level, rising) >= WITHOUT_RISE


def doubling(problem: Problem) -> np.ndarray:
    """The C that a search may try: `smallest` and its doubles up to 2^10, or as far as small features need."""
    first, top = smallest(problem), TOP * max(1.0, 1.0 / largest(problem))
    return np.minimum(first, TOP) * 2.0 ** np.arange(1 + max(0, int(np.floor(np.log2(top / min(first, TOP))))))


def smallest(problem: Problem) -> float:
    """LIBLINEAR's first C: the largest power of two at which no row can leave the steep side of the loss.

    1 / (s * total weight * max |phi_i|^2) with s = 1 for the logistic loss and 2 for the squares, rounded down; with
    weights of one it is LIBLINEAR's, whose rows count one each.
    """
    reach = largest(problem)
    if problem.loss.classifies:
        steep = 1.0 if problem.loss.logistic or not problem.loss.smooth else 2.0
        lowest = 1.0 / (steep * problem.weight.sum() * reach)
    else:
        off = value(problem.loss, problem.y, 0.0) * problem.weight.reshape(-1, *[1] * (problem.y.ndim - 1))
        sizes = (np.abs(problem.y) * problem.weight.reshape(-1, *[1] * (problem.y.ndim - 1))).sum(axis=0)
        lowest = float(np.min(0.01 * off.sum(axis=0) / np.maximum(8.0 * sizes**2 * reach, 1e-300)))
    return 2.0 ** np.floor(np.log2(lowest)) if lowest > 0 else 2.0**-20


def folds_of(y: np.ndarray, weight: np.ndarray, cv: Any, *, classifies: bool, seed: int) -> tuple[np.ndarray, int]:
    """Fold of every row, int32, and the number of folds, which stands for rows never left out.

    A number of folds, 5 for None, is spread evenly over each class, in random order; anything else is asked as
    scikit-learn does.
    """
    fold = np.full(len(y), -1, dtype=np.int32)
    if isinstance(cv, int | np.integer) or cv is None:
        n_folds = check_integer("cv", 5 if cv is None else cv, least=2)
        counted = np.flatnonzero(weight > 0)
        if len(counted) < n_folds:
            fewer = f"cv={len(counted)}" if cv is not None and len(counted) > 1 else "more rows"
            raise InputError(
                f"a search over {n_folds} folds needs {n_folds} rows that count and X has {len(counted)}; "
                f"give {fewer}, or C as a number"
            )
        order = np.random.default_rng(seed).permutation(counted)
        if classifies:
            order = order[np.argsort(y[order], kind="stable")]
        fold[order] = np.arange(len(order)) % n_folds
    else:
        from sklearn.model_selection import check_cv

        n_folds = 0
        for n_folds, (_, test) in enumerate(check_cv(cv, y, classifier=classifies).split(np.zeros(len(y)), y), 1):
            if (fold[test] >= 0).any():
                raise InputError(f"cv is {cv!r}, which leaves a row out twice; give folds that do not overlap")
            fold[test] = n_folds - 1
        if n_folds < 2:
            raise InputError(f"cv is {cv!r}, which makes {n_folds} folds; at least two are needed")
    fold[fold < 0] = n_folds
    return fold, int(n_folds)


def largest(problem) -> float:
    """The largest |phi_i|^2 of a row that counts, the intercept's feature with it."""
    return max(float(squared_norms(problem.F)[problem.weight > 0].max()) + problem.bias**2, 1e-300)


def standard_error(curve: np.ndarray) -> np.ndarray:
    """Standard error of the mean of each step of a curve, (steps, folds)."""
    return curve.std(axis=1, ddof=1) / np.sqrt(curve.shape[1])


def spread(problem: Problem, n_folds: int) -> Problem:
    """The columns of the problem once per fold left out, fold after fold."""
    q = problem.n_columns
    positive, held = np.tile(problem.columns.positive, n_folds), np.repeat(np.arange(n_folds, dtype=np.int32), q)
    return problem._replace(columns=Columns(positive, np.ones(q * n_folds), held))


def rows_of(problem: Problem, n_folds: int) -> list[np.ndarray]:
    """Rows of each fold that count."""
    return [np.flatnonzero((problem.fold == f) & (problem.weight > 0)) for f in range(n_folds)]


def _solve(problem: Problem, last: Solution | None, ratio: float, solver: Solver) -> Solution:
    """Solve at a new C, from the last solution stretched by the factor that lifts the dual objective most."""
    small = problem.columns.C[0] * largest(problem) < SMALL
    settings = {"tol": SMALL_TOL if small else SEARCH_TOL, "max_epochs": SEARCH_EPOCHS, "polish": False}
    if last is None:
        return solver.solve(problem, **settings)
    factor = _stretch(problem, last, ratio)
    weights = np.vstack([last.W, last.v]) * factor
    return solver.solve(problem, start=(last.dual * factor, weights), **settings)


def _stretch(problem: Problem, last: Solution, ratio: float) -> np.ndarray:
    """Factor of each column's dual variables, up to the ratio of C: they grow with small C and stay at large C."""
    factors = ratio ** np.linspace(0, 1, 3)
    reached = np.einsum("ij,ij->j", last.W, last.W, dtype=np.float64) + last.v.astype(np.float64) ** 2
    dual = -0.5 * factors[:, None] ** 2 * reached
    for rows in row_blocks(len(problem.F), SCORE_ROWS):
        y, c = problem.targets(rows), problem.costs(rows)
        for k, factor in enumerate(factors):
            dual[k] -= paid(problem.loss, y, c, factor * last.dual[rows])
    return factors[dual.argmax(axis=0)]


def _held_out(problem: Problem, solution: Solution, n_folds: int, n_jobs) -> np.ndarray:
    """Decision values of every row by the columns that left it out."""
    q = problem.n_columns // n_folds
    decided = np.full((len(problem.F), q), np.nan)
    if solution.decided is not None:
        for f in range(n_folds):
            rows = problem.fold == f
            decided[rows] = solution.decided[rows, f * q : (f + 1) * q]
        return decided
    W, v = (part.reshape(*part.shape[:-1], n_folds, q) for part in (solution.W, solution.v))
    folds = [np.ascontiguousarray(W[:, f]) for f in range(n_folds)]
    for f in range(n_folds):
        rows = np.flatnonzero(problem.fold == f)
        for part in row_blocks(len(rows), SCORE_ROWS):
            some = rows[part]
            decided[some] = times(problem.F[some], folds[f], n_jobs=n_jobs) + problem.bias * v[f]
    return decided


def _joined(problem: Problem, dual: np.ndarray, n_folds: int) -> np.ndarray:
    """Mean dual variable of each row over the folds that used it."""
    used = n_folds - (problem.fold < n_folds)
    return dual.reshape(len(dual), n_folds, -1).sum(axis=1) / used[:, None]


def _stays(problem: Problem, solution: Solution, n_jobs) -> bool:
    """LIBLINEAR's test that the last weights solve the new problems: the gradient against that at zero."""
    y, c = problem.targets(), problem.costs()
    f = times(problem.F, solution.W, n_jobs=n_jobs) + problem.bias * solution.v
    now, zero = (c * slope(problem.loss, y, g) for g in (f, np.zeros_like(f)))
    size = [
        np.sqrt(((transposed_times(problem.F, d) + W) ** 2).sum(axis=0) + (problem.bias * d.sum(axis=0) + v) ** 2)
        for d, W, v in ((now, solution.W, solution.v), (zero, 0.0, 0.0))
    ]
    counted = c > 0
    rarer = np.minimum((counted & (y > 0)).sum(axis=0), (counted & (y < 0)).sum(axis=0))
    return bool((size[0] <= 0.01 * np.maximum(rarer, 1) / counted.sum(axis=0) * size[1]).all())
