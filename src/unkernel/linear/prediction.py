"""What linear regressors share: rows and targets become a problem, weights become predictions."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from .._validate import check_numbers, check_real, check_weights
from .base import Problem, Solution, features_of
from .decision import Certified
from .losses import Loss, loss_of
from .path import Path, choose
from .product import times
from .scorer import DecidedRegressor, score_of
from .watch import watching

EPSILON = {"huber": 1.35}  # where the loss turns straight; 0.1, half the width of the tube, for the others


class LinearPrediction(RegressorMixin, MultiOutputMixin, Certified):
    """One column of weights per target; how they were found is the subclass's matter."""

    def predict(self, X) -> np.ndarray:
        """<w, phi_i> plus the intercept: (n,), or (n, n_targets) where y had two axes."""
        check_is_fitted(self)
        F = features_of(self, X)
        return times(F, np.atleast_2d(self.coef_).T, n_jobs=self.n_jobs).reshape(
            len(F), *self.coef_.shape[:-1]
        ) + np.asarray(self.intercept_, dtype=self.coef_.dtype)

    def _pose(self, X, y, sample_weight, loss: Loss, bias: float, dtype: Any = None) -> tuple[Problem, np.ndarray]:
        """The problem of some rows and targets at C = 1, and the middle that was taken off the targets."""
        self._forget_search()
        F = features_of(self, X, reset=True, dtype=dtype)
        y = check_numbers(y, len(F))
        weight = check_weights(sample_weight, len(F))
        middle = np.asarray(np.average(y, axis=0, weights=weight)) if self.fit_intercept else np.zeros(y.shape[1:])
        problem = Problem.of(F, y - middle, loss, bias=bias, weight=weight)
        return problem._replace(watch=watching(self.callbacks, self.tol, problem.n_columns)), middle

    def _choose(self, problem: Problem, middle: np.ndarray, C: Any, solver: Any, **options: Callable) -> Path:
        """Search for C by folds; scores are of predictions in the units of y."""
        y = (problem.y + middle).reshape(len(problem.y), *middle.shape)
        score = score_of(self.scoring, DecidedRegressor(), y, problem.weight)
        return choose(self, problem, lambda f, rows: score(f + middle, rows), C, solver, **options)

    def _keep(self, solution: Solution, middle: np.ndarray, bias: float) -> "LinearPrediction":
        alone = np.ndim(middle) == 0
        coef = np.ascontiguousarray(solution.W.T)
        self.coef_ = coef[0] if alone else coef
        intercept = middle + (solution.v * bias)[0 if alone else slice(None)]
        self.intercept_ = float(intercept) if alone else intercept
        self._certify(solution)
        return self


def loss_with(name: str, epsilon: float | None) -> Loss:
    """The loss of a regressor with its epsilon, None for the usual one."""
    epsilon = EPSILON.get(name, 0.1) if epsilon is None else epsilon
    epsilon = check_real("epsilon", epsilon, **({"above": 0} if name == "huber" else {"least": 0}))
    return loss_of(name, epsilon=epsilon, width=epsilon or 1.0)
