"""Kernels with a scale: `gamma` as a number, or taken once from the training rows by a rule."""

import numpy as np
import scipy.sparse
from sklearn.base import clone

from .._validate import InputError, check_real
from .base import Kernel
from .sums import sums

SAMPLE_ROWS = 1000
LARGEST_GAMMA = 1e300  # twice this times a distance of zero is still zero


class ScaledKernel(Kernel):
    """A kernel whose `gamma` multiplies a distance; a member also implements `_distance`.

    A rule is settled by `fit`, which keeps the value as `gamma_` while the rule stays, else by each call on its second
    argument. So in `SVC(kernel=K)` the training rows settle it at `fit` and again, to the same value, at
    `predict`.
    """

    _rules: tuple[str, ...] = ("median",)

    def _distance(self, S: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """What gamma multiplies, of sums and weights."""
        raise NotImplementedError

    def _check(self):
        check_gamma(self.gamma, self._rules)

    def _settled(self, X):
        if not isinstance(self.gamma, str):
            return self
        fitted = getattr(self, "_rule_of_gamma", None) == self.gamma
        if X is None and not fitted:
            raise InputError(
                f"gamma is {self.gamma!r} and a base does not say what scale that is; "
                "call fit with the training rows first, or give gamma as a number"
            )
        return clone(self).set_params(gamma=self.gamma_ if fitted else self._gamma(X))

    def _learn(self, X):
        self.gamma_ = self._gamma(X)
        self._rule_of_gamma = self.gamma

    def _gamma(self, X) -> float:
        if self.gamma == "scale":
            return scale_gamma(X)
        return self._median_gamma(X) if self.gamma == "median" else float(self.gamma)

    def _median_gamma(self, X) -> float:
        """1 / median distance between rows, of at most a thousand of them at even steps: no randomness."""
        _refuse_one_row(X)
        n = X.shape[0]
        some = np.unique(np.linspace(0, n - 1, min(n, SAMPLE_ROWS)).astype(int))
        R, _, u, _ = self._sides(X[some], None)
        S = sums(self._statistic, R, None)(slice(0, len(u)), slice(0, len(u)))
        distances = self._distance(S, u[:, None], u)[np.triu_indices(len(u), 1)]
        middle = np.median(distances)
        if middle <= 0 and np.any(distances > 0):  # most pairs are duplicates: ask the others
            middle = np.median(distances[distances > 0])
        return float(1 / middle) if middle > 0 else 1.0


def check_gamma(gamma, rules: tuple[str, ...]) -> None:
    """Refuse a gamma that is neither above 0 nor one of the rules."""
    if isinstance(gamma, str) and gamma not in rules:
        raise InputError(
            f"gamma is {gamma!r}; it must be a finite number above 0 or one of {', '.join(map(repr, rules))}"
        )
    if not isinstance(gamma, str):
        check_real("gamma", gamma, above=0, most=LARGEST_GAMMA)


def scale_gamma(X) -> float:
    """scikit-learn's "scale": 1 / (columns * variance of all values), 1 where nothing varies."""
    _refuse_one_row(X)
    with np.errstate(over="ignore", invalid="ignore"):
        if scipy.sparse.issparse(X):
            wide, count = X.data.astype(np.float64), X.shape[0] * X.shape[1]
            middle = np.sum(wide) / count
            variance = (np.sum((wide - middle) ** 2) + (count - len(wide)) * middle**2) / count
        else:
            variance = np.var(X, dtype=np.float64)
    if not np.isfinite(variance):
        raise InputError(
            f"gamma is 'scale' and the values of X, as large as {abs(X).max():g}, have a variance that overflows; "
            "scale the columns, for example with sklearn.preprocessing.MaxAbsScaler"
        )
    rounding = np.finfo(np.float64).eps * float(abs(X).max())  # what the mean of equal values is off by
    return float(1 / (X.shape[1] * variance)) if variance > (4 * rounding) ** 2 else 1.0


def _refuse_one_row(X) -> None:
    if X.shape[0] < 2:
        raise InputError(
            f"a scale cannot be taken from {X.shape[0]} row (n_samples = {X.shape[0]}); call fit with the training "
            "rows first, or give gamma as a number"
        )
