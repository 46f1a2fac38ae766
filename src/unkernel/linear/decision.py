"""What linear classifiers share: rows and labels become a problem, weights become decisions and probabilities."""

import numbers
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .._validate import check_class_weight, check_classes, check_weights, weights_of_classes
from .base import Problem, Solution, Status, features_of
from .calibration import calibrate
from .losses import loss_of
from .path import Path, choose
from .product import times
from .scorer import DecidedClassifier, DecidedLogistic, probabilities, score_of
from .watch import watching

SEARCHED = ("C_path_", "hit_bound_", "calibration_")  # what only a search for C learns


def _gives_probabilities(estimator) -> bool:
    return estimator.loss == "logistic" or not isinstance(estimator.C, numbers.Real)


class Certified(BaseEstimator):
    """What linear classifiers and regressors keep of a solution besides its weights."""

    def _forget_search(self) -> None:
        """Drop what an earlier fit learned that searched for C."""
        for name in SEARCHED:
            vars(self).pop(name, None)

    def _certify(self, solution: Solution) -> None:
        self.gap_, self.status_, self.n_iter_ = solution.gap, solution.status, solution.n_epochs
        warn_unless_converged(solution)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class LinearDecision(ClassifierMixin, Certified):
    """One column of weights per class, one for two classes; how they were found is the subclass's matter."""

    def decision_function(self, X) -> np.ndarray:
        """Signed distance from each boundary, up to |w|: (n,) for two classes, else (n, n_classes)."""
        check_is_fitted(self)
        F = features_of(self, X)
        scores = times(F, self.coef_.T, n_jobs=self.n_jobs) + self.intercept_
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X) -> np.ndarray:
        """The class of the largest decision value."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    @available_if(_gives_probabilities)
    def predict_proba(self, X) -> np.ndarray:
        """Probability of each class, normalised over the classes.

        The logistic loss gives them directly. For the hinges a sigmoid per class is fitted on the decision values that
        the search for C left out, so they exist when C was chosen, not when it was given.
        """
        decided = self.decision_function(X)
        decided = decided.reshape(len(decided), -1)
        if self.loss != "logistic":
            check_is_fitted(self, "calibration_")
            decided = (decided * self.calibration_[:, 0] + self.calibration_[:, 1]).astype(decided.dtype)
        return probabilities(decided)

    @available_if(_gives_probabilities)
    def predict_log_proba(self, X) -> np.ndarray:
        """Logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):  # the logarithm of 0 is -inf
            return np.log(self.predict_proba(X))

    def _pose(self, X, y, sample_weight, bias: float, dtype: Any = None) -> tuple[Problem, np.ndarray]:
        """The problem of some rows and labels at C = 1, and the sample weights alone."""
        self._forget_search()
        F = features_of(self, X, reset=True, dtype=dtype)
        sample = check_weights(sample_weight, len(F))
        self.classes_, index = classes_that_count(y, sample)
        weight = sample
        if self.class_weight is not None:
            weight = sample * class_weights(self.class_weight, self.classes_, index, sample)
        problem = Problem.of(F, index, loss_of(self.loss), bias=bias, weight=weight)
        return problem._replace(watch=watching(self.callbacks, self.tol, problem.n_columns)), sample

    def _choose(self, problem: Problem, sample: np.ndarray, C: Any, solver: Any, **options: Callable) -> Path:
        """Search for C by folds, and calibrate the hinges on what they left out."""
        logistic = problem.loss.logistic
        decided = (DecidedLogistic if logistic else DecidedClassifier)(self.classes_)
        score = score_of(self.scoring, decided, self.classes_[problem.y], sample)
        found = choose(self, problem, score, C, solver, **options)
        if not logistic:
            self.calibration_ = calibrate(found.held_out, problem.y, sample)
        return found

    def _keep(self, solution: Solution, bias: float) -> "LinearDecision":
        self.coef_ = np.ascontiguousarray(solution.W.T)
        self.intercept_ = (solution.v * bias).astype(self.coef_.dtype)
        self._certify(solution)
        return self


def warn_unless_converged(solution: Solution) -> None:
    """One warning for the column that is furthest from its minimum, with what to do about it."""
    open_ = [j for j, status in enumerate(solution.status) if status is not Status.CONVERGED]
    if open_:
        j = max(open_, key=lambda j: solution.gap[j])
        warnings.warn(
            f"{len(open_)} of {len(solution.status)} columns stopped short, the worst at a relative gap of "
            f"{solution.gap[j]:.2g}. {solution.status[j].value}.",
            ConvergenceWarning,
            stacklevel=6,
        )


def classes_that_count(y, weight) -> tuple[np.ndarray, np.ndarray]:
    """Classes among rows of positive weight, and the index of each row's; rows of weight 0 get any."""
    classes, index = check_classes(y, len(weight))
    counted = np.unique(index[weight > 0])
    if len(counted) == len(classes):
        return classes, index
    check_classes(np.asarray(y)[weight > 0], int((weight > 0).sum()))
    return classes[counted], np.minimum(np.searchsorted(counted, index), len(counted) - 1).astype(np.int32)


def class_weights(class_weight, classes: Sequence, index: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Class weight of every row."""
    check_class_weight(class_weight)
    if class_weight is None:
        return np.broadcast_to(1.0, len(index))
    if isinstance(class_weight, str):
        total = np.bincount(index, weights=weight, minlength=len(classes))
        return (total.sum() / (len(classes) * total))[index]
    return weights_of_classes(class_weight, classes)[index]
