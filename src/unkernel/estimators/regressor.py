"""The regressor for people who have never heard of a feature map."""

from typing import Any

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from .._validate import check_numbers, check_weights
from ..linear.regressor import LinearRegressor
from .base import Unkernel, check_sizes, merged
from .selection import Target, Trial


class UnkernelRegressor(MultiOutputMixin, RegressorMixin, Unkernel):
    """Regressor that chooses its scaling, its kernel and its strength by validation, linear among them.

    It works as `UnkernelClassifier` does, with the squared error of rows left out as the judge.

    Parameters
    ----------
    kernel : "auto", str or kernel, default="auto"
        A kernel object, or a name such as "rbf", "minmax", "linear" or "polynomial", narrows the candidates to it.
    n_components : "auto", "exact" or int, default="auto"
        As in `UnkernelClassifier`.
    scaling : {"auto", "none", "standard", "range", "rank", "unit"}, default="auto"
    n_jobs : int or None, default=None
    random_state : int, RandomState, Generator or None, default=0

    Attributes
    ----------
    chosen_ : Trial
        The winner: its candidate (scale and kernel), ridge, loss (share of the variance of y) and standard error.
    trials_ : list of list of Trial
    verdict_ : Verdict
    machine_ : fitted model behind `predict`
    encoder_ : Encoder or None

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import UnkernelRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 2))
    >>> model = UnkernelRegressor().fit(X, 3 + X[:, 0] * X[:, 1])
    >>> model.predict([[0.5, 0.5], [-0.5, 0.5]]).round(1).tolist()
    [3.2, 2.8]
    """

    _loss_name = "the squared error, as a share of the variance,"

    def __init__(
        self,
        kernel: Any = "auto",
        *,
        n_components: int | str = "auto",
        scaling: str = "auto",
        n_jobs: int | None = None,
        random_state: Any = 0,
    ):
        self.kernel = kernel
        self.n_components = n_components
        self.scaling = scaling
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None, *, progress=None) -> "UnkernelRegressor":
        """Choose and learn.

        Parameters
        ----------
        X : array-like, sparse or frame of shape (n, d)
        y : array-like of shape (n,) or (n, n_targets)
        sample_weight : array-like of shape (n,) or None
            Not negative; a weight of 2 is the same as the row twice.
        progress : callable or None
            Told (share done, what is next in words).
        """
        X = self._rows(X, reset=True)
        y, weight = check_numbers(y, X.shape[0]), check_weights(sample_weight, X.shape[0])
        check_sizes(y, "y")
        check_sizes(weight, "sample_weight")
        X, y, weight = merged(X, y, weight)
        self._alone = y.ndim == 1
        y = y.reshape(len(y), -1)
        self.middle_ = np.average(y, axis=0, weights=weight)
        spread = np.sqrt(np.average((y - self.middle_) ** 2, axis=0, weights=weight))
        self.spread_ = np.where(spread > 0, spread, 1.0)
        target = Target((y - self.middle_) / self.spread_, weight, None)
        self.machine_ = self._fit_machine(X, target, self._choose(X, target, progress), progress)
        return self

    def predict(self, X) -> np.ndarray:
        """Predictions (n,), or (n, n_targets) where y had two axes."""
        scores = self._scores(X) * self.spread_ + self.middle_
        return scores[:, 0] if self._alone else scores

    def _learner(self, C: float):
        return LinearRegressor(C=C, n_jobs=self.n_jobs, random_state=self.random_state)

    def _C(self, trial: Trial) -> float:
        return trial.C
