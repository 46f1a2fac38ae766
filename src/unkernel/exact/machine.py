"""What exact learners share: choice of C and kernel, the solver of a loss, and prediction from the rows kept."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from .._validate import InputError, check_choice, check_integer, check_real, check_rows, check_weights
from ..kernels.base import Kernel
from ..kernels.minmax import GMM
from ..linear.path import check_C
from . import memory, ridge, svm
from .base import Solution, Targets, gap
from .folds import Split
from .grid import grid_of, setting
from .search import Score, best_of, by_folds, left_out, search

BLOCK = 1 << 24  # entries of the Gram matrix that prediction holds at a time
LOOSE = 1e-2  # a gap that is worth a warning


class ExactMachine(BaseEstimator):
    """A learner on the Gram matrix; a member implements `_values_of_C` and turns its targets into columns."""

    def _values_of_C(self, K: np.ndarray, targets: Targets) -> np.ndarray:
        """What `C="auto"` tries, upwards."""
        raise NotImplementedError

    def _settings(self, losses: tuple[str, ...]) -> Any:
        """C as the search takes it; refuses what is out of range before any work."""
        check_choice("loss", self.loss, losses)
        check_real("tol", self.tol, above=0)
        if not (self.kernel is None or isinstance(self.kernel, Kernel)):
            raise InputError(f"kernel is {self.kernel!r}; it must be a kernel such as RBF(), or None for GMM()")
        if isinstance(self.C, str) and self.C != "auto":
            raise InputError(f'C is {self.C!r}; it must be a number above 0, an array of them, or "auto"')
        C = check_C(self.C)
        if isinstance(self.cv, int | np.integer):
            check_integer("cv", self.cv, least=2)
        return C if isinstance(C, str) else np.sort(np.atleast_1d(C))

    def _kernel(self) -> Kernel:
        return GMM() if self.kernel is None else clone(self.kernel)

    def _door(self, X, sample_weight):
        """Canonical rows that the kernel takes, and their weights."""
        kernel = self._kernel()
        kernel._check()
        replaced = isinstance(self.grid, dict) and any(str(name).endswith(("left", "right")) for name in self.grid)
        X = check_rows(self, X, reset=True, nonnegative=None if replaced else kernel._nonnegative)
        if not replaced:  # else the grid's own members meet the rows
            kernel._door(X, "X", None)
        return X, check_weights(sample_weight, X.shape[0])

    def _learn(self, X, rows: np.ndarray, targets: Targets, C: Any, *, folds: Callable, score: Score):
        """Choose what is to be chosen, solve, certify, and keep the rows that the functions rest on.

        Gram matrices are float64 whatever the rows: a large C would make much of the rounding of float32.
        """
        wide = X.astype(np.float64, copy=False)
        self.kernel_, self.C_ = self._choose(wide, targets, C, folds, self._told(score))
        memory.refuse_beyond(self.kernel_, len(rows), memory.of_fit(targets, self.n_jobs))
        K = self.kernel_(wide, n_jobs=self.n_jobs)
        solution = self._solve(K, targets, self.C_)
        self.gap_, self.intercept_ = gap(K, targets, solution, self.C_), solution.intercept
        self._warn_of_gap()
        used = np.flatnonzero(np.any(solution.dual != 0, axis=1))
        used = used if len(used) else np.arange(1)
        self.support_, self.X_fit_, self.dual_coef_ = rows[used], X[used], solution.dual[used]
        return self

    def _choose(self, X, targets: Targets, C: Any, folds: Callable, score: Score) -> tuple[Kernel, float]:
        kernel = self._kernel()
        grid = grid_of(kernel, self.grid, X)
        if not grid and not isinstance(C, str) and len(C) == 1:
            return kernel.fit(X), float(C[0])

        splits = self._splits(targets, folds)
        memory.refuse_beyond(kernel, X.shape[0], memory.of_search(kernel, grid, targets, splits, self.n_jobs))

        def scores(K, values):
            if splits:
                return by_folds(K, targets, values, splits, self._at, score)
            return left_out(K, targets, values, score)

        values = (lambda K: self._values_of_C(K, targets)) if isinstance(C, str) else lambda K: C
        self.trials_ = search(kernel, grid, X, values, scores, n_jobs=self.n_jobs)
        trial, best = best_of(self.trials_)
        self.C_path_ = {"C": trial.C, "score": trial.score, "error": trial.error}
        self.hit_bound_ = len(trial.C) > 1 and best == trial.C[-1]
        if self.hit_bound_:
            warnings.warn(
                f"The best C, {best:g}, is the largest that was tried; the score may still rise. Give larger values as "
                "an array",
                UserWarning,
                stacklevel=4,
            )
        return setting(kernel, trial.params).fit(X), best

    def _splits(self, targets: Targets, folds: Callable) -> list[Split]:
        """Folds; none where every row is left out alone."""
        n = len(targets.y)
        if targets.loss != "squared" or not (self.cv is None or isinstance(self.cv, int | np.integer)):
            return folds()
        if n < 2:
            raise InputError(f"C or the kernel is chosen on rows left out and X has {n} row that counts; give one C")
        return []

    def _at(self, K: np.ndarray, targets: Targets) -> Callable[[float], Solution]:
        """Function of C, asked upwards, that gives the solution on a Gram matrix, which it may spoil."""
        if targets.loss == "squared":
            spectrum = ridge.decompose(K, targets)
            return lambda C: ridge.solve(spectrum, targets, C)
        last = None

        def at(C):
            nonlocal last
            last = self._solve(K, targets, C, last)
            return last

        return at

    def _told(self, score: Score) -> Score:
        """The score, with a remedy that exists where a measure asks for probabilities."""

        def told(values, at):
            try:
                return score(values, at)
            except InputError as error:
                if not isinstance(error.__cause__, AttributeError):
                    raise
                raise InputError(
                    f"scoring is {self.scoring!r}, which machines on a Gram matrix cannot answer: {error.__cause__}; "
                    'choose a measure of decision values, such as "accuracy" or "roc_auc", or take UnkernelClassifier, '
                    "which has probabilities"
                ) from error.__cause__

        return told

    def _warn_of_gap(self) -> None:
        worst = float(self.gap_.max())
        if worst > LOOSE:
            advice = "C as large as this leaves the numbers of float64 to rounding: give a smaller C"
            if self.loss != "squared":
                advice += ", or a smaller tol"
            warnings.warn(
                f"The relative duality gap is {worst:.2g} at C = {self.C_:g}: what was found may be that far from the "
                f"best. {advice}",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _solve(self, K: np.ndarray, targets: Targets, C: float, last: Solution | None = None) -> Solution:
        if targets.loss == "squared":
            return ridge.solve_once(K, targets, C)
        return svm.solve(K, targets, C, tol=self.tol, n_jobs=self.n_jobs, last=last)

    def _values(self, X) -> np.ndarray:
        """Every function on every row, (n, q), in blocks so that the Gram matrix is never whole."""
        check_is_fitted(self)
        X = check_rows(self, X, nonnegative=self.kernel_._nonnegative)
        wide = self.X_fit_.astype(np.float64, copy=False)
        step = max(1, BLOCK // len(self.support_))
        blocks = [
            self.kernel_(X[start : start + step].astype(np.float64, copy=False), wide, n_jobs=self.n_jobs)
            @ self.dual_coef_
            for start in range(0, X.shape[0], step)
        ]
        return np.vstack(blocks) + self.intercept_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = isinstance(self.kernel, Kernel) and self.kernel._nonnegative is not None
        return tags


def grid_of_C(loss: str) -> np.ndarray:
    """Values for `C="auto"` where K(x, x) is 1: ridge has them for nothing, LIBSVM solves each."""
    return 10.0 ** np.arange(-3, 6.1, 0.5) if loss == "squared" else 10.0 ** np.arange(-2, 5)


def mean_size(K: np.ndarray) -> float:
    """Mean of K(x, x), 1 where there is nothing: what makes C free of the kernel's unit."""
    return float(np.mean(np.diag(K))) or 1.0
