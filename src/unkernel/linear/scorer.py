"""Scores of decision values: any of scikit-learn's measures, asked about rows that a fold left out."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from .._validate import InputError


class DecidedClassifier(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose rows are decision values already.

    Examples
    --------
    >>> import numpy as np
    >>> DecidedClassifier(np.array(["a", "b"])).predict(np.array([[-0.3], [2.0]])).tolist()
    ['a', 'b']
    """

    def __init__(self, classes: np.ndarray):
        self.classes = classes

    @property
    def classes_(self) -> np.ndarray:
        """Labels, in the order of the columns."""
        return self.classes

    def decision_function(self, X: np.ndarray) -> np.ndarray:
        """The rows: (n,) for two classes, else (n, n_classes)."""
        return X[:, 0] if X.shape[1] == 1 else X

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The class of the largest value."""
        return self.classes[(X[:, 0] > 0).astype(int) if X.shape[1] == 1 else X.argmax(axis=1)]

    def __sklearn_is_fitted__(self) -> bool:
        return True


class DecidedLogistic(DecidedClassifier):
    """The same with the probabilities that belong to the logistic loss."""

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Probability of each class."""
        return probabilities(X)


class DecidedRegressor(RegressorMixin, BaseEstimator):
    """A fitted regressor whose rows are predictions already."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The rows."""
        return X[:, 0] if X.shape[1] == 1 else X

    def __sklearn_is_fitted__(self) -> bool:
        return True


def probabilities(decided: np.ndarray) -> np.ndarray:
    """Logistic function of decision values (n, q), one-vs-rest ones normalised over the classes."""
    from scipy.special import expit

    p = expit(decided)
    if p.shape[1] == 1:
        return np.hstack([1 - p, p])
    total = p.sum(axis=1, keepdims=True)
    return np.where(total > 0, p / np.where(total > 0, total, 1), 1 / p.shape[1]).astype(p.dtype)


def score_of(
    scoring: Any, estimator: Any, y: np.ndarray, weight: np.ndarray
) -> Callable[[np.ndarray, np.ndarray], float]:
    """The function (decision values of some rows, those rows) -> score that a search of C takes.

    Parameters
    ----------
    scoring : str, callable or None
        A name or scorer of scikit-learn, or a callable (estimator, X, y): the estimator's X are decision values. None
        is the estimator's own score: accuracy, or R^2.
    estimator : DecidedClassifier or DecidedRegressor
    y : ndarray of shape (n,) or (n, t)
    weight : ndarray of shape (n,)
        Sample weights. They reach the score when they differ and it is one of scikit-learn's.
    """
    ask = _asked(scoring)
    weighted = len(np.unique(weight[weight > 0])) > 1 and (scoring is None or hasattr(ask, "_score_func"))

    def score(decided: np.ndarray, rows: np.ndarray) -> float:
        given = {"sample_weight": weight[rows]} if weighted else {}
        try:
            found = float(ask(estimator, decided, y[rows], **given))
        except AttributeError as error:
            raise InputError(
                f"scoring is {scoring!r}, which this loss cannot answer: {error}; choose a measure of decision values "
                'or loss="logistic"'
            ) from error
        if np.isnan(found):
            raise InputError(f"scoring is {scoring!r}, whose score of a fold is NaN; give fewer folds, or another one")
        return found

    return score


def _asked(scoring):
    """What scores: called with (estimator, X, y)."""
    from sklearn.metrics import get_scorer

    if scoring is None:
        return lambda estimator, X, y, **given: estimator.score(X, y, **given)
    if callable(scoring):
        return scoring
    try:
        return get_scorer(scoring)
    except (ValueError, TypeError) as error:
        raise InputError(
            f"scoring is {scoring!r}; it must be None, a callable (estimator, X, y), or one of the names that "
            "sklearn.metrics.get_scorer_names() lists"
        ) from error
