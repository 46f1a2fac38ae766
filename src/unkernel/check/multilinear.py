"""The MultiLinear probe of paper 003: cut space into regions by k-means, and train a linear model in each."""

from time import process_time
from typing import Any

import numpy as np
import scipy.sparse

from ..features import Sparse
from .base import Pool, Probe, Task, Trial
from .piecewise import mark, overruled, piecewise, result
from .search import FINAL, SEARCH, best, decisions, grid, over, problem_of, solved

STEPS = 15


class MultilinearProbe(Probe):
    """A linear model per region of k-means, K = ceil(5 ln l), 15 Lloyd steps, an own C in each region.

    The regions are solved together: row i of region k has the features e_k x (x_i, 1), so one problem with a cost per
    row is K problems that share nothing. A region of one class answers it; a tiny one answers its majority (its mean
    in a regression); an empty one is dropped, so that new rows go to the nearest that is left.

    Parameters
    ----------
    runs : int
        Starts of k-means, five in the paper. The score is their mean; rows are judged by the first.
    spherical : bool
        Cosine instead of Euclidean distance.
    faithful : bool
        Train as the paper does, by LIBLINEAR's loss, the squared hinge, on regions of the rows that train. The check
        takes least squares instead (`piecewise`), on regions that all turns share.

    References
    ----------
    Huang and Lin, "Linear and Kernel Classification: When to Use Which?", 2016, section 3.2.
    """

    name, family, code, kernel = "multilinear", "multilinear", "P03", "rbf"

    def __init__(self, runs: int = 1, *, spherical: bool = False, faithful: bool = False):
        self.runs = runs
        self.spherical = spherical
        self.faithful = faithful

    def refusal(self, task: Task) -> str | None:
        """Too few rows to cut."""
        return f"{task.n_rows} rows are too few to cut into regions" if task.n_rows < 60 else None

    def fit(self, task: Task, *, C: float | None = None) -> Trial:
        """Pieces of planes."""
        start = process_time()
        runs = [self._run(task, run, C) for run in range(self.runs)]
        first = runs[0]
        params = {"regions": first["regions"], "f_of_runs": [run["f"] for run in runs]}
        seconds = process_time() - start
        return Trial(
            first["C"],
            first["path"],
            float(np.mean([r["score"] for r in runs])),
            first["held"],
            first["f"],
            seconds,
            seconds / self.runs,
            first["regions"] * (task.n_columns + 1),
            first["row_bytes"],
            params,
        )

    def _run(self, task: Task, run: int, C: float | None) -> dict:
        X = task.pool.scaled("unit")
        if not self.faithful:
            key = ("regions", run, self.spherical)
            return piecewise(task, key, X, task.pool.once(key, lambda: self._regions(task.pool, X, run)), C)
        F, at, at_v, G = self._spread(task, X, run)
        k = int(at.max()) + 1
        path, C_of, held = _search(task, F, at, k) if C is None else ([], np.full(k, C), np.empty(0))
        f = _answers(task, F, at, G, at_v, C_of)
        return result(task, path, C_of[at], held, f, k) | {"row_bytes": F.nbytes / task.n_rows}

    def _regions(self, pool: Pool, X: Any, run: int) -> np.ndarray:
        """The region of each row of the pool, from those that take turns in training."""
        centres = lloyd(X[: pool.n_turning], n_regions(pool.n_turning), seed=pool.seed + run, spherical=self.spherical)
        return nearest(X, centres)

    def _spread(self, task: Task, X: Any, run: int) -> tuple[Sparse, np.ndarray, np.ndarray, Sparse]:
        """Features and regions of rows that train; regions and features of those that judge."""
        X, V = X[task.train], X[task.judge]
        centres = lloyd(X, n_regions(task.n_rows), seed=task.seed + run, spherical=self.spherical)
        at, at_v = nearest(X, centres), nearest(V, centres)
        return spread(X, at, len(centres)), at, at_v, spread(V, at_v, len(centres))


def n_regions(n: int) -> int:
    """K = ceil(5 ln n), and no more than lets a region hold ten rows.

    Examples
    --------
    >>> n_regions(37492), n_regions(100)
    (53, 10)
    """
    return max(2, min(int(np.ceil(5 * np.log(n))), n // 10))


def lloyd(X: Any, k: int, *, seed: int, spherical: bool = False, steps: int = STEPS) -> np.ndarray:
    """Centres after some steps from k rows drawn at random; centres that lose all rows are dropped."""
    rows = np.random.default_rng(seed % 2**63).permutation(X.shape[0])[:k]
    centres = _dense(X[np.sort(rows)])
    for _ in range(steps):
        at = nearest(X, centres, spherical)
        count = np.bincount(at, minlength=len(centres))
        member = scipy.sparse.csr_array((np.ones(len(at), X.dtype), (at, np.arange(len(at)))), (len(centres), len(at)))
        centres = _dense(member @ X)[count > 0] / count[count > 0, None].astype(X.dtype)
    return centres[np.unique(nearest(X, centres, spherical))]


def nearest(X: Any, centres: np.ndarray, spherical: bool = False) -> np.ndarray:
    """Number of the nearest centre of each row."""
    if spherical:
        centres = centres / np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), 1e-30)
    product = np.asarray(X @ np.ascontiguousarray(centres.T))
    return np.argmax(product if spherical else product - 0.5 * (centres**2).sum(axis=1), axis=1)


def spread(X: Any, at: np.ndarray, k: int) -> Sparse:
    """Features e_k x (x, 1) of rows in regions `at`."""
    n, d = X.shape
    X = scipy.sparse.csr_array(X) if not scipy.sparse.issparse(X) else X
    X = scipy.sparse.csr_array(scipy.sparse.hstack([X, np.ones((n, 1), X.dtype)], format="csr"))
    width = k * (d + 1)
    index = np.int32 if width < 2**31 else np.int64
    shift = np.repeat(at.astype(index) * index(d + 1), np.diff(X.indptr))
    return Sparse(X.data, X.indices.astype(index) + shift, X.indptr.astype(np.int64), width)


def _search(task: Task, F: Sparse, at: np.ndarray, k: int) -> tuple[list[dict], np.ndarray, np.ndarray]:
    """Path of one C for all regions, the best C of each, and what one C for all said about the rows held back.

    The last is said at one C because the best of each region would flatter the sum of them.
    """
    hold = np.flatnonzero(task.held)
    problem, middle = problem_of(task, F, bias=0.0)
    B, y, at_b = F[hold], task.y[hold], at[hold]
    path, said, start = [], [], None
    for C in grid(problem)[1:]:
        solution = solved(problem, C, start, SEARCH, task.n_jobs, held=0)
        f = overruled(task, decisions(task, solution, problem, B, middle), at[~task.held], at_b, task.y[~task.held], k)
        path.append({"C": float(C), "score": task.score(y, f), "error": task.score.error(y, f)})
        said.append(f)
        start = solution
        if over(path, problem):
            break
    C_of = np.empty(k)
    for region in range(k):
        rows = np.flatnonzero(at_b == region)
        marks = [mark(task, y[rows], f[rows]) for f in said] if len(rows) else [p["score"] for p in path]
        C_of[region] = path[int(np.argmax(marks))]["C"]
    return path, C_of, said[path.index(best(path))]


def _answers(task: Task, F, at, G, at_g, C_of) -> np.ndarray:
    """Decision values on G: all regions solved together, each at its C."""
    problem, middle = problem_of(task, F, bias=0.0, weight=C_of[at] / C_of.min())
    f = decisions(task, solved(problem, float(C_of.min()), None, FINAL, task.n_jobs), problem, G, middle)
    return overruled(task, f, at, at_g, task.y, len(C_of))


def _dense(X) -> np.ndarray:
    return X.toarray() if scipy.sparse.issparse(X) else np.asarray(X)
