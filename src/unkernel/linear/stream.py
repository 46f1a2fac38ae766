"""A linear classifier that learns from blocks of rows as they come, with stochastic gradients."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .._validate import (
    InputError,
    check_choice,
    check_class_weight,
    check_classes,
    check_integer,
    check_real,
    check_seed,
    check_weights,
    count_threads,
    weights_of_classes,
)
from ..features import Codes, Dense, Features
from .base import features_of
from .dual_cd_hot import shuffle
from .losses import CLASSIFIERS, loss_of
from .product import times
from .scorer import probabilities
from .stream_hot import descend, descend_adagrad
from .watch import unharmed

LATE = 0.1  # where t starts, in units of the squared length of rows over alpha
BOLDNESS = 4.0  # by how much the first step of "adagrad" moves a prediction
STEPS = ("sgd", "pegasos", "adagrad")
LASTING = ("loss", "alpha", "step", "fit_intercept")  # what the sums of one stream have in common


def _gives_probabilities(estimator) -> bool:
    return estimator.loss == "logistic"


class StreamClassifier(ClassifierMixin, BaseEstimator):
    """Linear classifier trained on a stream of blocks: each row is seen once by `partial_fit` and then forgotten.

    Minimises, for every class against the rest, `alpha/2 (|w|^2 + v^2) + mean_i c_i loss(y_i (<w, phi_i> + v))`, the
    problem of `LinearClassifier(C=1 / (n alpha))` on n rows. Features of any form, never expanded; memory is a
    few arrays of the size of the weights, whatever the number of rows. A block that is refused leaves all as it was.

    Parameters
    ----------
    loss : {"squared_hinge", "hinge", "logistic"}, default="squared_hinge"
    alpha : float, default=1e-4
        Weight of the regulariser against the mean loss.
    step : {"sgd", "pegasos", "adagrad"}, default="sgd"
        "sgd": implicit steps 1 / (alpha (t + t0)), t0 from the lengths of the first block; the slope is taken where
        the step ends, so that no cost or length of a row makes it overshoot. "pegasos": plain steps with t0 = 0, as
        published, for losses of bounded slope. "adagrad": a step of its own for each weight, often the best of a
        single pass.
    average : bool, default=True
        Use the mean of the weights over all steps, later ones counting more, instead of the last; "adagrad" always
        uses the last.
    class_weight : dict, "balanced" or None, default=None
        Multiplies the cost of the rows of each class. "balanced" follows the counts of the rows seen so far.
    fit_intercept : bool, default=True
        The intercept is regularised with the weights.
    max_iter : int, default=5
        Passes of `fit` over its rows; `partial_fit` makes one.
    n_jobs : int or None, default=None
        Threads of predictions. Training is one pass in one order, the same bits for any number.
    random_state : int, RandomState, Generator or None, default=0
        Order of rows within a block.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1 or n_classes, n_features)
    intercept_ : ndarray of shape (1 or n_classes,)
    class_count_ : ndarray of shape (n_classes,)
        Sample weight of each class seen so far.
    t_ : int
        Rows seen.
    n_iter_ : int
        Passes and blocks.

    References
    ----------
    Shalev-Shwartz, Singer and Srebro, Pegasos, ICML 2007. Kulis and Bartlett, Implicit Online Learning, ICML 2010.
    Lacoste-Julien, Schmidt and Bach, A Simpler Approach to Obtaining an O(1/t) Convergence Rate, 2012. Duchi, Hazan
    and Singer, Adaptive Subgradient Methods, JMLR 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import Codes, StreamClassifier
    >>> codes = Codes.of(np.array([[0, 1, 3], [2, 2, 0]]), levels=4)
    >>> model = StreamClassifier()
    >>> for _ in range(3):
    ...     model = model.partial_fit(codes, ["left", "right"], classes=["left", "right"])
    >>> model.predict(codes).tolist()
    ['left', 'right']
    """

    def __init__(
        self,
        loss: str = "squared_hinge",
        *,
        alpha: float = 1e-4,
        step: str = "sgd",
        average: bool = True,
        class_weight: dict | str | None = None,
        fit_intercept: bool = True,
        max_iter: int = 5,
        n_jobs: int | None = None,
        random_state: Any = 0,
    ):
        self.loss = loss
        self.alpha = alpha
        self.step = step
        self.average = average
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state

    @unharmed
    def fit(self, X, y, sample_weight=None) -> "StreamClassifier":
        """Forget what was learned and make `max_iter` passes over these rows.

        Parameters
        ----------
        X : array-like, CSR, Codes, Sparse or Dense of shape (n, d)
        y : array-like of shape (n,)
        sample_weight : array-like of shape (n,) or None
        """
        self._check()
        F = features_of(self, X, reset=True)
        weight = check_weights(sample_weight, len(F))
        classes, index = check_classes(y, len(F))
        self._start(F, classes)
        self.class_count_ += np.bincount(index, weights=weight, minlength=len(classes))
        for _ in range(self.max_iter):
            self._pass(F, index, weight)
        return self._keep()

    @unharmed
    def partial_fit(self, X, y, classes=None, sample_weight=None) -> "StreamClassifier":
        """One pass over a block of rows, from where the last block ended.

        `loss`, `alpha`, `step` and `fit_intercept` stay those of the first block; `average` and `class_weight` may
        change between blocks.

        Parameters
        ----------
        X : array-like, CSR, Codes, Sparse or Dense of shape (n, d)
        y : array-like of shape (n,)
        classes : array-like or None
            All labels that will ever come; needed with the first block.
        sample_weight : array-like of shape (n,) or None
        """
        self._check()
        first = not hasattr(self, "classes_")
        F = features_of(self, X, reset=first)
        weight = check_weights(sample_weight, len(F))
        if first:
            if classes is None:
                raise InputError("classes is None and this is the first block; name all labels that will ever come")
            self._start(F, check_classes(classes, len(classes))[0])
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise InputError(
                f"classes are {np.unique(classes).tolist()} and the first block named {self.classes_.tolist()}; "
                "all labels are named once, with the first block"
            )
        if not first:
            self._resume()
        index = self._index(y, len(F))
        self.class_count_ += np.bincount(index, weights=weight, minlength=len(self.classes_))
        self._pass(F, index, weight)
        return self._keep()

    def decision_function(self, X) -> np.ndarray:
        """Signed distance from each boundary, up to |w|: (n,) for two classes, else (n, n_classes)."""
        check_is_fitted(self)
        scores = times(features_of(self, X), self.coef_.T, n_jobs=self.n_jobs) + self.intercept_
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X) -> np.ndarray:
        """The class of the largest decision value."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    @available_if(_gives_probabilities)
    def predict_proba(self, X) -> np.ndarray:
        """Probability of each class: the logistic function of the decision values, normalised over the classes."""
        decided = self.decision_function(X)
        return probabilities(decided.reshape(len(decided), -1))

    def _check(self) -> None:
        check_choice("loss", self.loss, CLASSIFIERS)
        check_choice("step", self.step, STEPS)
        if self.step == "pegasos" and self.loss == "squared_hinge":
            raise InputError(
                'step is "pegasos" and loss is "squared_hinge", whose slope has no bound: the first steps would '
                'diverge; use loss="hinge", or step="sgd"'
            )
        check_real("alpha", self.alpha, above=0)
        check_integer("max_iter", self.max_iter, least=1)
        check_class_weight(self.class_weight)
        count_threads(self.n_jobs)

    def _start(self, F: Features, classes: np.ndarray) -> None:
        """No weights yet."""
        q = 1 if len(classes) == 2 else len(classes)
        self.classes_, self.class_count_ = classes, np.zeros(len(classes))
        self._sums, self._seconds = np.zeros((2, F.shape[1] + 1, q))
        self._clock = np.zeros(2)  # steps, and the sum of t
        self._state = np.array([check_seed(self.random_state) | 1], np.uint64)
        self._pace, self._passes = None, 0
        self._began = {name: getattr(self, name) for name in LASTING}

    def _resume(self) -> None:
        """Go on from the last block, on copies: the sums of a block that is refused are thrown away."""
        for name, began in self._began.items():
            if getattr(self, name) != began:
                raise InputError(
                    f"{name} is {getattr(self, name)!r} and the stream began with {began!r}, which its sums follow; go "
                    f"on with set_params({name}={began!r}), or begin again with sklearn.base.clone or fit"
                )
        for name in ("class_count_", "_sums", "_seconds", "_clock", "_state"):
            setattr(self, name, getattr(self, name).copy())

    def _first_pace(self, F: Features) -> float:
        """What the length of the first step follows from: t0, or the rate of "adagrad"."""
        if self.step == "pegasos":
            return 0.0
        squares, sizes = _sizes(F, float(self.fit_intercept))
        if self.step == "adagrad":
            return BOLDNESS / max(float(sizes.mean()), 1e-12)
        return float(squares.mean()) * LATE / self.alpha

    def _pass(self, F: Features, index: np.ndarray, weight: np.ndarray) -> None:
        """One step for each row of positive weight, in an order of its own."""
        q, cost = self._sums.shape[1], weight * self._class_weights()[index]
        if self._pace is None:
            self._pace = self._first_pace(F)
        order = np.flatnonzero(weight > 0)
        shuffle(order, len(order), self._state)
        positive = np.arange(q) if q > 1 else np.array([1])
        settings = loss_of(self.loss).rule, float(self.fit_intercept), float(self.alpha), self._pace
        rest = self._clock, self._sums, self._seconds, np.empty(q), np.empty(q), order
        if self.step == "adagrad":
            descend_adagrad(F, index, positive, cost, *settings, *rest)
        else:
            descend(F, index, positive, cost, settings[0], self.step == "sgd", *settings[1:], *rest)
        self._passes += 1
        if not np.isfinite(self._sums).all():
            raise InputError("the weights overflowed; scale the features (sklearn.preprocessing.MaxAbsScaler)")

    def _class_weights(self) -> np.ndarray:
        if self.class_weight is None:
            return np.ones(len(self.classes_))
        if isinstance(self.class_weight, str):
            seen = self.class_count_ > 0
            return self.class_count_.sum() / (seen.sum() * np.where(seen, self.class_count_, 1))
        return weights_of_classes(self.class_weight, self.classes_)

    def _index(self, y, n_rows: int) -> np.ndarray:
        """Where each label stands among the classes."""
        from sklearn.utils.validation import column_or_1d

        y = column_or_1d(y, warn=True)
        if len(y) != n_rows:
            raise InputError(f"y has {len(y)} values and X has {n_rows} rows (inconsistent numbers of samples)")
        found = np.minimum(np.searchsorted(self.classes_, y), len(self.classes_) - 1)
        strange = self.classes_[found] != y
        if strange.any():
            raise InputError(
                f"y contains {y[strange][0]!r} at row {int(np.flatnonzero(strange)[0])}, which is not one of the "
                f"classes named with the first block: {self.classes_.tolist()}"
            )
        return found.astype(np.int32)

    def _keep(self) -> "StreamClassifier":
        """Weights from the sums."""
        steps, total = self._clock
        bias = float(self.fit_intercept)
        if self.step == "adagrad":
            W = self._sums / (self.alpha * steps + np.sqrt(self._seconds) / self._pace)
        elif self.average:
            W = (steps * self._sums - self._seconds) / (self.alpha * total)
        else:
            W = self._sums / (self.alpha * (self._pace + steps))
        self.coef_, self.intercept_ = np.ascontiguousarray(W[:-1].T), W[-1] * bias
        self.t_ = int(steps)
        self.n_iter_ = self._passes
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _sizes(F: Features, bias: float) -> tuple[np.ndarray, np.ndarray]:
    """Sum of squares and sum of sizes of each row, with the intercept's feature."""
    if isinstance(F, Codes):
        k = F.codes.shape[1] * F.filled
        return k * F.value**2 + bias**2, k * F.value + bias
    if isinstance(F, Dense):
        return np.einsum("ij,ij->i", F.values, F.values) + bias**2, np.abs(F.values).sum(axis=1) + bias
    X = abs(F.to_csr())
    return X.multiply(X).sum(axis=1) + bias**2, X.sum(axis=1) + bias
