"""The exact classifier: support vector machines or ridge on the full Gram matrix."""

from functools import partial
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from .._validate import check_choice, check_classes, check_seed
from ..kernels.base import Kernel
from ..linear.decision import class_weights
from ..linear.scorer import DecidedClassifier, score_of
from . import svm
from .base import Targets
from .folds import splits_of
from .machine import ExactMachine, grid_of_C, mean_size

LOSSES = ("hinge", "squared_hinge", "squared")


class ExactClassifier(ClassifierMixin, ExactMachine):
    """Kernel classifier on the full Gram matrix: the truth that maps and linear learners approximate.

    Minimises, for every column of +1 and -1, `1/2 |f|^2 + C sum_i weight_i loss(y_i (f(x_i) + b))` over functions f of
    the kernel's space, with a free intercept b.

    Parameters
    ----------
    kernel : kernel or None, default=None
        Any kernel of this library, such as `MinMax() * Acos()`; None is `GMM()`.
    C : float, "auto" or array-like, default=1.0
        "auto" tries 1e-2, 1e-1, ... 1e4, or 19 values from 1e-3 to 1e6 for "squared", divided by the mean of K(x, x),
        on rows left out.
    loss : {"hinge", "squared_hinge", "squared"}, default="hinge"
        "hinge" is scikit-learn's SVC. "squared" is ridge on the targets +1 and -1: one eigendecomposition serves every
        C and every row left out.
    multi_class : {"ovo", "ovr"}, default="ovo"
        A machine for each pair of classes, as in SVC, or for each class against the rest. "squared" is always "ovr".
    grid : None, "auto" or dict, default=None
        Kernel parameters to choose on rows left out, such as `{"gamma": [1, 10, 100]}` or `{"left": [MinMax(),
        GMM()]}`; "published" in the place of a list of gamma is the 58 values of the comparison study. "auto" is powers
        of two for p, those that the rows survive, and of four, around the median rule's, for gamma. The Gram matrix is
        shared by every C and fold, and what settings of the formula have in common is computed once.
    class_weight : dict, "balanced" or None, default=None
    scoring : str, callable or None, default=None
        What chooses C and kernel parameters; None is accuracy.
    cv : int, splitter or list of (rows to learn from, rows left out), default=5
        Folds, each with the rows it learns from as the splitter has them. For "squared" a number means that every row
        is left out alone, exactly, and that one score is taken of all.
    tol : float, default=1e-3
        LIBSVM's largest violation.
    random_state : int, RandomState, Generator or None, default=0
        Which rows make a fold.
    n_jobs : int or None, default=None
        Threads over blocks of the matrix and over machines. The result is the same for any number.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    kernel_ : kernel
        With its parameters chosen and its scale settled.
    C_ : float
    C_path_ : dict
        Where C or the kernel was chosen: the arrays C, score and error of the kernel chosen.
    hit_bound_ : bool
        Where C or the kernel was chosen: whether C is the largest of several tried, which also warns.
    trials_ : list of Trial
        The same for every setting of the kernel, with its parameters.
    support_ : ndarray of shape (n_support,)
        Rows that some machine rests on.
    X_fit_ : array or CSR of shape (n_support, d)
        Those rows: all that prediction needs.
    dual_coef_ : ndarray of shape (n_support, n_machines)
    intercept_ : ndarray of shape (n_machines,)
    gap_ : ndarray of shape (n_machines,)
        Relative duality gap; above 0.01 `fit` warns.

    Notes
    -----
    Cost: n^2 memory, n^2 to n^3 time. Gram matrices are float64 whatever the rows. What does not fit, with all that is
    held beside the matrix, is refused, and the refusal names the map to use.

    References
    ----------
    Chang and Lin, "LIBSVM: a library for support vector machines", ACM TIST 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import ExactClassifier, MinMax
    >>> X = np.array([[1.0, 5.0], [2.0, 9.0], [5.0, 1.0], [9.0, 2.0]])
    >>> ExactClassifier(MinMax(), C=10.0).fit(X, ["a", "a", "b", "b"]).predict([[3.0, 1.0]]).tolist()
    ['b']
    """

    def __init__(
        self,
        kernel: Kernel | None = None,
        *,
        C: Any = 1.0,
        loss: str = "hinge",
        multi_class: str = "ovo",
        grid: Any = None,
        class_weight: dict | str | None = None,
        scoring: Any = None,
        cv: Any = 5,
        tol: float = 1e-3,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ):
        self.kernel = kernel
        self.C = C
        self.loss = loss
        self.multi_class = multi_class
        self.grid = grid
        self.class_weight = class_weight
        self.scoring = scoring
        self.cv = cv
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None) -> "ExactClassifier":
        """Choose what is to be chosen, and solve.

        Parameters
        ----------
        X : array-like or CSR of shape (n, d)
        y : array-like of shape (n,)
            Labels of any type, at least two different ones.
        sample_weight : array-like of shape (n,) or None
            Not negative; a row of weight 0 counts as if it were not there.
        """
        C = self._settings(LOSSES)
        check_choice("multi_class", self.multi_class, ("ovo", "ovr"))
        X, weight = self._door(X, sample_weight)
        check_classes(y, X.shape[0])
        y = np.asarray(y).reshape(X.shape[0])
        weight = weight.copy()  # the caller's own, where it came as float64
        index = check_classes(y[weight > 0], int((weight > 0).sum()))[1]
        weight[weight > 0] *= class_weights(self.class_weight, np.unique(y[weight > 0]), index, weight[weight > 0])
        rows = np.flatnonzero(weight > 0)
        self.classes_, index = check_classes(y[rows], len(rows))
        columns = svm.columns_of(index, len(self.classes_), self._ways())
        targets = Targets(self.loss, columns[0], weight[rows], columns[1])
        seed = check_seed(self.random_state)
        folds = partial(splits_of, index, self.cv, rows, X.shape[0], classifies=True, seed=seed)
        score = score_of(self.scoring, DecidedClassifier(self.classes_), y[rows], targets.weight)
        return self._learn(
            X[rows], rows, targets, C, folds=folds, score=lambda values, at: score(self._decide(values), at)
        )

    def decision_function(self, X) -> np.ndarray:
        """Value of the machine, (n,), for two classes; else (n, n_classes): of pairs, votes with margins for ties."""
        decided = self._decide(self._values(X))
        return decided[:, 0] if len(self.classes_) == 2 else decided

    def predict(self, X) -> np.ndarray:
        """The class of the largest decision value."""
        decided = self.decision_function(X)
        return self.classes_[(decided > 0).astype(int) if decided.ndim == 1 else decided.argmax(axis=1)]

    def _ways(self) -> str:
        return "ovr" if self.loss == "squared" else self.multi_class

    def _decide(self, values: np.ndarray) -> np.ndarray:
        return svm.decide(values, len(self.classes_), self._ways())

    def _values_of_C(self, K: np.ndarray, targets: Targets) -> np.ndarray:
        return grid_of_C(self.loss) / mean_size(K)
