"""Automatic C under penalties that set weights to zero: start where the first weight appears, double, keep the best.

As in `path.py`, the folds are columns of one problem and each C begins at the last one's weights; the climb ends by the
same rule.
"""

import numpy as np

from .._blocks import Progress
from .._validate import check_choice
from .base import Problem, Solution
from .column import columns_of
from .path import TOP, Path, Score, largest, over, rows_of, spread, standard_error
from .penalty import Penalty
from .proximal import first_cost, solve

NONE_EVER = 1e200  # a C beyond it means that no weight can ever help
SEARCH_TOL = 1e-2  # a certificate this loose leaves scores within their error


class Proximal:
    """Features made ready, by column, for as many solutions as wanted.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import Codes
    >>> from unkernel.linear.losses import loss_of
    >>> from unkernel.linear.penalty import penalty_of
    >>> F = Codes.of(np.array([[0, 1, 3], [0, 1, 2], [2, 2, 0], [2, 3, 0]]), levels=4)
    >>> problem = Problem.of(F, np.array([0, 0, 1, 1], dtype=np.int32), loss_of("squared_hinge"), C=10.0)
    >>> Proximal(problem, penalty_of("group", F)).solve(problem).status
    [<Status.CONVERGED: 'The relative duality gap is within tol.'>]
    """

    seed = 0  # of the folds; the passes themselves are not random

    def __init__(self, problem: Problem, penalty: Penalty, *, n_jobs: int | None = None):
        self.F = columns_of(problem.F)
        self.penalty = penalty
        self.n_jobs = n_jobs

    def solve(self, problem: Problem, *, tol: float = 1e-3, start: np.ndarray | None = None) -> Solution:
        """Solve every column; arguments as for `proximal.solve`."""
        return solve(problem, self.penalty, self.F, tol=tol, start=start, n_jobs=self.n_jobs)

    def first(self, problem: Problem) -> float:
        """The first power of two at which some weight is not zero."""
        last = first_cost(problem, self.penalty, self.F)
        return float(2.0 ** (1 + np.floor(np.log2(last)))) if last < NONE_EVER else 1.0


def climb(
    problem: Problem,
    score: Score,
    machine: Proximal,
    *,
    n_folds: int,
    grid: np.ndarray | None = None,
    stop: str = "one_error",
    progress: Progress | None = None,
) -> Path:
    """Try C upwards on the folds of a problem; arguments and answer as for `path.search`.

    The path's `start` holds weights, the mean over the folds, instead of dual variables.
    """
    check_choice("stop", stop, ("one_error",))
    reach, first = largest(problem), machine.first(problem)
    top = max(TOP * max(1.0, 1.0 / reach), first)
    values = first * 2.0 ** np.arange(1 + int(np.log2(top / first))) if grid is None else np.sort(grid)
    parts, q = spread(problem, n_folds), problem.n_columns
    curve: list[np.ndarray] = []
    best, kept, weights = 0, (), None
    for step, C in enumerate(values):
        solution = machine.solve(parts.at(C), tol=SEARCH_TOL, start=weights)
        weights = np.vstack([solution.W, solution.v])
        decided = np.full((len(problem.F), q), np.nan)
        for f in range(n_folds):
            rows = problem.fold == f
            decided[rows] = solution.decided[rows, f * q : (f + 1) * q]
        curve.append(np.array([score(decided[rows], rows) for rows in rows_of(problem, n_folds)]))
        if step == 0 or curve[step].mean() > curve[best].mean():
            best, kept = step, (decided, weights.reshape(len(weights), n_folds, q).mean(axis=1))
        if progress is not None:
            progress(step + 1, len(values))
        if problem.watch is not None and problem.watch.tried(C, step + 1, len(values)):
            break
        if grid is None and over(np.array(curve), C * reach):
            break
    steps = np.array(curve)
    at_end = best == len(values) - 1 > 0
    return Path(values[: len(curve)], steps.mean(axis=1), standard_error(steps), best, at_end, *kept)
