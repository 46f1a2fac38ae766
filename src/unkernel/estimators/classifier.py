"""The classifier for people who have never heard of a feature map."""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from .._validate import check_seed, check_weights
from ..linear.classifier import LinearClassifier
from ..linear.decision import class_weights, classes_that_count
from .base import Unkernel, check_sizes, merged
from .calibration import Calibration
from .selection import Target, Trial, order

SEARCH_ROWS = 200  # fewer leave folds too small to choose C by
FOLDS = 3
TOL = 1e-2  # a certificate this close leaves scores within their error


class UnkernelClassifier(ClassifierMixin, Unkernel):
    """Classifier that chooses its scaling, its kernel and its strength by validation, linear among them.

    Candidates are pairs of a scale of columns and a kernel (linear, RBF over a range of gammas, min-max over powers,
    polynomial, products). All are tried on a few hundred rows, the best on more; each is judged by its predictions of
    rows left out, which least squares gives for every strength of the regulariser from one decomposition. The winner
    is solved exactly where that is cheap, else by the kernel's feature map and a linear classifier.

    Parameters
    ----------
    kernel : "auto", str or kernel, default="auto"
        A kernel object such as `RBF(0.1)`, or a name such as "rbf", "minmax", "linear" or "polynomial", narrows the
        candidates to it.
    n_components : "auto", "exact" or int, default="auto"
        Components of the feature map. "exact" takes the kernel itself; "auto" does up to 20,000 rows, and beyond takes
        min-max codes, or up to 4,096 landmarks for other kernels.
    scaling : {"auto", "none", "standard", "range", "rank", "unit"}, default="auto"
        Scale of columns; see `docs/estimators.md`.
    class_weight : dict, "balanced" or None, default=None
    n_jobs : int or None, default=None
        Threads, as in joblib. The result is the same for any number.
    random_state : int, RandomState, Generator or None, default=0
        Which rows the first rungs see, and the draws of the feature map.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    chosen_ : Trial
        The winner: its candidate (scale and kernel), ridge, loss and standard error.
    trials_ : list of list of Trial
        Every rung, the best first.
    verdict_ : Verdict
        Was the kernel worth it? The winner against the best linear candidate, on the same left-out rows.
    machine_ : fitted model behind `predict`
    encoder_ : Encoder or None
        Vocabulary of a frame's columns of words.

    Notes
    -----
    Cost of the choice: about thirty eigendecompositions of 300 rows, thirty factors of 900 and four of 2,000; less
    where the race is over sooner. Cost of the fit: n^3 / 3 up to 20,000 rows, then linear in n. `progress` hears how
    long the fit takes before it is begun.

    `decision_function` gives log-odds for two classes and log-probabilities up to a constant for more, so that
    `predict`, `decision_function` and `predict_proba` agree.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import UnkernelClassifier
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "same", "differ")
    >>> model = UnkernelClassifier().fit(X, y)
    >>> model.predict([[0.5, 0.5], [-0.5, 0.5]]).tolist()
    ['same', 'differ']
    """

    _loss_name = "the share of wrong classes"

    def __init__(
        self,
        kernel: Any = "auto",
        *,
        n_components: int | str = "auto",
        scaling: str = "auto",
        class_weight: dict | str | None = None,
        n_jobs: int | None = None,
        random_state: Any = 0,
    ):
        self.kernel = kernel
        self.n_components = n_components
        self.scaling = scaling
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None, *, progress=None) -> "UnkernelClassifier":
        """Choose and learn.

        Parameters
        ----------
        X : array-like, sparse or frame of shape (n, d)
            Columns of words in a frame become indicators.
        y : array-like of shape (n,)
            Labels of any type, at least two different ones.
        sample_weight : array-like of shape (n,) or None
            Not negative; a weight of 2 is the same as the row twice.
        progress : callable or None
            Told (share done, what is next in words).
        """
        X = self._rows(X, reset=True)
        weight = check_weights(sample_weight, X.shape[0])
        check_sizes(weight, "sample_weight")
        self.classes_, index = classes_that_count(y, weight)
        X, index, weight = merged(X, index, weight)
        weight = weight * class_weights(self.class_weight, self.classes_, index, weight)
        target = Target(indicators(index, len(self.classes_)), weight, index)
        trial = self._choose(X, target, progress)
        self.machine_ = self._fit_machine(X, target, trial, progress)
        self.calibration_ = Calibration().fit(*self._left_out(target, trial))
        return self

    def predict(self, X) -> np.ndarray:
        """The most probable class."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def decision_function(self, X) -> np.ndarray:
        """Log-odds (n,) for two classes, else log-probabilities up to a constant (n, n_classes)."""
        scores = self._scores(X)
        z = self.calibration_.logits(scores)
        return z[:, 0] if z.shape[1] == 1 else z

    def predict_proba(self, X) -> np.ndarray:
        """Calibrated probabilities (n, n_classes)."""
        scores = self._scores(X)
        return self.calibration_.probabilities(scores)

    def _left_out(self, target: Target, trial: Trial):
        """Scores of rows by a model that had not seen them, their classes and weights."""
        scores = self.machine_.left_out_
        rows = getattr(self.machine_, "held_", slice(None))
        if scores is None:
            rows = order(target, check_seed(self.random_state))[: trial.rows]
            judges = slice(trial.rows - len(trial.losses), None)
            scores, rows = trial.scores[judges], rows[judges]
        return scores, target.index[rows], target.weight[rows]

    def _learner(self, C):
        return LinearClassifier(C=C, tol=TOL, cv=FOLDS, n_jobs=self.n_jobs, random_state=self.random_state)

    def _C(self, trial: Trial):
        return "auto" if trial.rows >= SEARCH_ROWS else trial.C


def indicators(index: np.ndarray, n_classes: int) -> np.ndarray:
    """+1 where a row is of the class, -1 elsewhere; one column for two classes."""
    Y = np.where(index[:, None] == np.arange(n_classes), 1.0, -1.0)
    return Y[:, 1:] if n_classes == 2 else Y
