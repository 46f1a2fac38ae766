"""A score of decision values: accuracy and R^2 at once, any other scorer of scikit-learn through a replay."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from .._validate import InputError


class Score:
    """Scores what a model made of rows; larger is better.

    Parameters
    ----------
    scoring : str, callable or None
        As in scikit-learn. None is accuracy, or R^2 of a regression.
    classes : ndarray or None
        Labels that the class numbers stand for; None for a regression.
    """

    def __init__(self, scoring: Any, classes: np.ndarray | None):
        self.classes = classes
        self.name = scoring or ("r2" if classes is None else "accuracy")
        self.counts = self.name == "accuracy" and classes is not None
        self.plain = self.counts or (self.name == "r2" and classes is None)
        self.scorer = None if self.plain else _scorer(self.name)
        self.quick = None if classes is None else QUICK.get((self.name, len(classes) == 2))
        self.name = self.name if isinstance(self.name, str) else getattr(self.name, "__name__", "your scorer")
        wanted = getattr(self.scorer, "_response_method", "")
        self.of_rows = OF_ROWS.get((scoring, classes is None)) if isinstance(scoring, str) else None
        self.wants_probability = "predict_proba" in ([wanted] if isinstance(wanted, str) else list(wanted))[:1]

    def right(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """Which rows are classified right."""
        return labels(f) == y

    def __call__(self, y: np.ndarray, f: np.ndarray) -> float:
        if self.counts:
            return float(np.mean(self.right(y, f)))
        if self.plain:
            spread = np.sum((y - y.mean()) ** 2)
            return float(1 - np.sum((y - f) ** 2) / spread) if spread else 0.0
        rows = np.arange(len(y))
        try:
            return float(self.scorer(self._replay(f), rows[:, None], self._targets(y)))
        except (ValueError, TypeError, AttributeError) as error:
            kind = "regressions" if self.classes is None else "classes"
            raise InputError(
                f"scoring={self.name!r} does not suit this target: {error}; choose a score of {kind}"
            ) from error

    def draws(self, y: np.ndarray, f: np.ndarray, samples: np.ndarray) -> np.ndarray:
        """Score of each sample of rows, NaN where a sample cannot be scored."""
        if self.counts:
            return self.right(y, f)[samples].mean(axis=1)
        if self.plain:
            wrong, target = (y - f) ** 2, y[samples]
            spread = ((target - target.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
            return 1 - wrong[samples].sum(axis=1) / np.maximum(spread, np.finfo(float).tiny)
        if self.quick is not None:
            return self.quick(y, f, samples)
        if self.of_rows is not None:
            return self.of_rows(y, f)[samples].mean(axis=1)
        replay, target = self._replay(f), self._targets(y)
        return np.array([self._try(replay, rows, target[rows]) for rows in samples])

    def error(self, y: np.ndarray, f: np.ndarray) -> float:
        """Standard error of the score."""
        if self.counts:
            p = self(y, f)
            return float(np.sqrt(p * (1 - p) / len(y)))
        samples = np.random.default_rng(0).integers(0, len(y), (20, len(y)))
        draws = self.draws(y, f, samples)
        return float(np.std(draws[np.isfinite(draws)])) if np.isfinite(draws).any() else 0.0

    def _try(self, replay, rows, target) -> float:
        try:
            return float(self.scorer(replay, rows[:, None], target))
        except ValueError:  # one class only, for example
            return np.nan

    def _targets(self, y):
        return y if self.classes is None else self.classes[y]

    def _replay(self, f):
        return _Regressor(f) if self.classes is None else _Classifier(f, self.classes)


def balanced(y: np.ndarray, f: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Balanced accuracy of each sample: the mean over its classes of the share that is right."""
    right, shares = labels(f) == y, []
    for label in np.unique(y):
        mine = (y == label)[samples]
        with np.errstate(invalid="ignore"):
            shares.append((mine & right[samples]).sum(axis=1) / mine.sum(axis=1))
    return np.nanmean(shares, axis=0)


def area(y: np.ndarray, f: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Area under the curve of each sample: how often a row of class 1 is above one of class 0, ties counting half."""
    _, place = np.unique(f, return_inverse=True)
    areas = np.full(len(samples), np.nan)
    for i, rows in enumerate(samples):
        up, down = (np.bincount(place[rows[y[rows] == label]], minlength=place.max() + 1) for label in (1, 0))
        pairs = up.sum() * down.sum()
        if pairs:
            areas[i] = (up * (np.cumsum(down) - 0.5 * down)).sum() / pairs
    return areas


# Scores that need not be called one sample at a time: (name, whether there are two classes) -> of samples.
QUICK = {("balanced_accuracy", True): balanced, ("balanced_accuracy", False): balanced, ("roc_auc", True): area}


def log_likelihood(y: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Logarithm of the probability that each row's class was given."""
    p = probabilities(f)[np.arange(len(y)), y]
    return np.log(np.clip(p, np.finfo(float).eps, 1 - np.finfo(float).eps))


# Scores that are a mean over rows: (name, whether of a regression) -> value of each row.
OF_ROWS = {
    ("neg_log_loss", False): log_likelihood,
    ("neg_mean_squared_error", True): lambda y, f: -((y - f) ** 2),
    ("neg_mean_absolute_error", True): lambda y, f: -np.abs(y - f),
}


def probabilities(f: np.ndarray) -> np.ndarray:
    """Probabilities of all classes from decision values of the logistic loss, one class against the rest."""
    from scipy.special import expit

    p = expit(f)
    return np.column_stack([1 - p, p]) if p.ndim == 1 else p / np.maximum(p.sum(axis=1, keepdims=True), 1e-300)


def labels(f: np.ndarray) -> np.ndarray:
    """Class numbers of decision values: the sign of one column, the largest of several."""
    return (f > 0).astype(np.int32) if f.ndim == 1 else f.argmax(axis=1).astype(np.int32)


def _scorer(scoring):
    from sklearn.metrics import get_scorer

    try:
        return get_scorer(scoring)
    except ValueError as error:
        raise InputError(
            f"scoring is {scoring!r}; it must be None, a name from sklearn.metrics.get_scorer_names(), or a function "
            "of (estimator, X, y)"
        ) from error


class _Replay(BaseEstimator):
    """A fitted model that knows its answers by row number."""

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def decision_function(self, X):
        return self.f[np.asarray(X)[:, 0]]


class _Regressor(RegressorMixin, _Replay):
    def __init__(self, f):
        self.f = f

    def predict(self, X):
        return self.decision_function(X)


class _Classifier(ClassifierMixin, _Replay):
    def __init__(self, f, classes):
        self.f = f
        self.classes = classes

    @property
    def classes_(self):
        return self.classes

    def predict(self, X):
        return self.classes[labels(self.decision_function(X))]

    def predict_proba(self, X):
        return probabilities(self.decision_function(X))
