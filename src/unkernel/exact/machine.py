"""What exact learners share: choice of C and kernel, the solver of a loss, and prediction from the rows kept."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from .._validate import InputError, check_choice, check_integer, check_real, check_rows, check_weights
from ..kernels.base import Kernel
from ..kernels.minmax import GMM
from ..linear.path import check_C
from . import ridge, svm
from .base import Solution, Targets, gap
from .search import best_of, by_folds, grid_of, left_out, search

BLOCK = 1 << 24  # entries of the Gram matrix that prediction holds at a time


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
        C = check_C(self.C)
        if isinstance(C, str) and C != "auto":
            raise InputError(f'C is {C!r}; it must be a number above 0, an array of them, or "auto"')
        if isinstance(self.cv, int | np.integer):
            check_integer("cv", self.cv, least=2)
        return C if isinstance(C, str) else np.sort(np.atleast_1d(C))

    def _kernel(self) -> Kernel:
        return GMM() if self.kernel is None else clone(self.kernel)

    def _door(self, X, sample_weight):
        """Canonical rows that the kernel takes, and their weights."""
        X = check_rows(self, X, reset=True)
        kernel = self._kernel()
        kernel._check()
        kernel._door(X, "X", None)
        return X, check_weights(sample_weight, X.shape[0])

    def _learn(self, X, rows: np.ndarray, targets: Targets, C: Any, folds: Callable, score: Callable):
        """Choose what is to be chosen, solve, certify, and keep the rows that the functions rest on."""
        self.kernel_, self.C_ = self._choose(X, targets, C, folds, score)
        K = self.kernel_(X, n_jobs=self.n_jobs)
        solution = self._solve(K, targets, self.C_)
        self.gap_, self.intercept_ = gap(K, targets, solution, self.C_), solution.intercept
        used = np.flatnonzero(np.any(solution.dual != 0, axis=1))
        used = used if len(used) else np.arange(1)
        self.support_, self.X_fit_, self.dual_coef_ = rows[used], X[used], solution.dual[used]
        return self

    def _choose(self, X, targets: Targets, C: Any, folds: Callable, score: Callable) -> tuple[Kernel, float]:
        kernel = self._kernel()
        grid = grid_of(kernel, self.grid, X)
        if not grid and not isinstance(C, str) and len(C) == 1:
            return kernel.fit(X), float(C[0])

        fold, n_folds = folds()
        parts = [np.flatnonzero(fold == f) for f in range(n_folds)]

        def scores(K, values):
            if targets.loss == "squared":
                return left_out(K, targets, values, parts, score)
            return by_folds(K, targets, values, parts, self._solve, score)

        values = (lambda K: self._values_of_C(K, targets)) if isinstance(C, str) else lambda K: C
        self.trials_ = search(kernel, grid, X, values, scores, n_jobs=self.n_jobs)
        trial, best = best_of(self.trials_)
        self.C_path_ = {"C": trial.C, "score": trial.score, "error": trial.error}
        return kernel.set_params(**trial.params).fit(X), best

    def _solve(self, K: np.ndarray, targets: Targets, C: float, last: Solution | None = None) -> Solution:
        if targets.loss == "squared":
            return ridge.solve_once(K, targets, C)
        return svm.solve(K, targets, C, tol=self.tol, n_jobs=self.n_jobs, last=last)

    def _values(self, X) -> np.ndarray:
        """Every function on every row, (n, q), in blocks so that the Gram matrix is never whole."""
        check_is_fitted(self)
        X = check_rows(self, X)
        step = max(1, BLOCK // len(self.support_))
        blocks = [
            self.kernel_(X[start : start + step], self.X_fit_, n_jobs=self.n_jobs) @ self.dual_coef_
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
