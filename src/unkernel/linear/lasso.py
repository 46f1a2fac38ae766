"""Linear learners whose penalty sets weights to zero: l1 on single weights, or l2 on groups of them."""

import math
from typing import Any

import numpy as np

from .._validate import InputError, check_choice, check_real
from .climb import Proximal, climb
from .decision import LinearDecision
from .losses import Loss
from .path import check_C
from .penalty import Penalty, penalty_of
from .prediction import LinearPrediction, loss_with
from .watch import unharmed

CLASSIFIERS = ("squared_hinge", "logistic")
REGRESSORS = ("squared", "squared_epsilon_insensitive", "huber")


class LassoClassifier(LinearDecision):
    """Linear classifier with an l1 or group penalty on features of any form.

    Minimises, for every class against the rest, `penalty(w) + |v| + sum_i C_i loss(y_i (<w, phi_i> + s v))` where
    `C_i = C * sample_weight_i * class_weight_i`, s is `intercept_scaling` and the intercept is `s v`; an infinite s
    frees the intercept, which then costs nothing. `penalty(w)` is `sum_j |w_j|`, or `sum_g sqrt(size of g) |w_g|`.

    Parameters
    ----------
    loss : {"squared_hinge", "logistic"}, default="squared_hinge"
    penalty : {"l1", "group"}, default="l1"
        "l1" sets single weights to zero, "group" the weights of whole groups of columns.
    groups : int, array-like of shape (n_features,) or None, default=None
        For "group": the group of every column, or how many neighbours make one. None on codes is their components.
    C : float, "auto" or array-like, default=1.0
        Weight of the losses against the penalty. "auto" chooses by cross-validation: from where the first weight is
        not zero, doubling, past the peak of the score; of equal scores the smallest C. An array is a grid.
    class_weight : dict, "balanced" or None, default=None
        Multiplies the cost of the rows of each class. As a weight of rows it counts in every class's problem.
    fit_intercept : bool, default=True
    intercept_scaling : float, default=inf
        Value of the intercept's feature, whose weight pays as any other, as in LIBLINEAR. Infinite frees it.
    tol : float, default=1e-3
        Relative duality gap to reach.
    scoring : str, callable or None, default=None
        What chooses C, as for `LinearClassifier`.
    cv : int, splitter or iterable, default=5
        Folds for choosing C; a number of them is spread evenly over each class.
    n_jobs : int or None, default=None
        Threads over columns of weights, as in joblib. The result is the same for any number.
    callbacks : callable, list of callables or None, default=None
        As for `LinearClassifier`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1 or n_classes, n_features)
    intercept_ : ndarray of shape (1 or n_classes,)
    selected_ : ndarray of shape (n_features,) or (n_groups,), bool
        Columns, or groups, that some class uses.
    C_, C_path_, hit_bound_, calibration_
        As of `LinearClassifier`.
    gap_ : ndarray of shape (1 or n_classes,)
        Relative duality gap: the objective is at most this share above its minimum.
    status_ : list of Status
        How each column ended; the value of a status says what to do about it.
    n_iter_ : ndarray of shape (1 or n_classes,)
        Steps of Newton.

    Notes
    -----
    Cost: passes over the columns in use, and one over all for each working set. Holds a second copy of the features, by
    column.

    References
    ----------
    Yuan, Ho and Lin, "An improved GLMNET for l1-regularized logistic regression", JMLR 2012.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import LassoClassifier
    >>> X = np.random.default_rng(0).normal(size=(200, 10))
    >>> model = LassoClassifier("logistic", C=0.1).fit(X, X[:, 3] + X[:, 7] > 0)
    >>> np.flatnonzero(model.selected_).tolist()
    [3, 7]
    """

    def __init__(
        self,
        loss: str = "squared_hinge",
        *,
        penalty: str = "l1",
        groups: Any = None,
        C: Any = 1.0,
        class_weight: dict | str | None = None,
        fit_intercept: bool = True,
        intercept_scaling: float = math.inf,
        tol: float = 1e-3,
        scoring: Any = None,
        cv: Any = 5,
        n_jobs: int | None = None,
        callbacks: Any = None,
    ):
        self.loss = loss
        self.penalty = penalty
        self.groups = groups
        self.C = C
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.tol = tol
        self.scoring = scoring
        self.cv = cv
        self.n_jobs = n_jobs
        self.callbacks = callbacks

    @unharmed
    def fit(self, X, y, sample_weight=None) -> "LassoClassifier":
        """Solve for the weights.

        Parameters
        ----------
        X : array-like, CSR, Codes, Sparse or Dense of shape (n, d)
        y : array-like of shape (n,)
            Labels of any type, at least two different ones.
        sample_weight : array-like of shape (n,) or None
            Not negative; a row of weight 0 counts as if it were not there.
        """
        C, scaling = self._settings()
        free = math.isinf(scaling)
        bias = (1.0 if free else scaling) if self.fit_intercept else 0.0
        problem, sample = self._pose(X, y, sample_weight, bias)
        penalty = penalty_of(self.penalty, problem.F, self.groups, intercept=0.0 if free else 1.0)
        machine, start = Proximal(problem, penalty, n_jobs=self.n_jobs), None
        if not isinstance(C, float):
            found = self._choose(problem, sample, C, machine, find=climb)
            C, start = found.C[found.best], found.start
        self.C_ = float(C)
        self._keep(machine.solve(problem.at(self.C_), tol=self.tol, start=start), problem.bias)
        self.selected_ = _selected(penalty, self.coef_)
        return self

    def _settings(self) -> tuple[Any, float]:
        """C, and the intercept's scaling, all in range."""
        _check_smooth(self.loss, CLASSIFIERS)
        check_real("tol", self.tol, above=0)
        scaling = self.intercept_scaling
        if scaling != math.inf:
            scaling = check_real("intercept_scaling", scaling, above=0)
        return check_C(self.C, ("auto",)), scaling


class LassoRegressor(LinearPrediction):
    """Linear regression with an l1 or group penalty on features of any form.

    Minimises, for every target, `penalty(w) + sum_i C_i loss(y_i - (<w, phi_i> + b))` where
    `C_i = C * sample_weight_i`; the intercept b is free. `penalty(w)` is `sum_j |w_j|`, or
    `sum_g sqrt(size of g) |w_g|`.

    Parameters
    ----------
    loss : {"squared", "squared_epsilon_insensitive", "huber"}, default="squared"
        As for `LinearRegressor`. The squared loss is scikit-learn's `Lasso` with `alpha = 1 / (2 n C)`.
    penalty : {"l1", "group"}, default="l1"
        "l1" sets single weights to zero, "group" the weights of whole groups of columns.
    groups : int, array-like of shape (n_features,) or None, default=None
        For "group": the group of every column, or how many neighbours make one. None on codes is their components.
    C : float, "auto" or array-like, default=1.0
        Weight of the losses against the penalty. "auto" chooses by cross-validation: from where the first weight is
        not zero, doubling, past the peak of the score; of equal scores the smallest C. An array is a grid.
    epsilon : float or None, default=None
        In units of y. None means 1.35 for "huber", as in scikit-learn, and 0.1 for the squared epsilon-insensitive.
    fit_intercept : bool, default=True
    tol : float, default=1e-3
        Relative duality gap to reach.
    scoring : str, callable or None, default=None
        What chooses C, as for `LinearRegressor`.
    cv : int, splitter or iterable, default=5
        Folds for choosing C.
    n_jobs : int or None, default=None
        Threads over targets, as in joblib. The result is the same for any number.
    callbacks : callable, list of callables or None, default=None
        As for `LinearRegressor`.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,), or (n_targets, n_features) where y has two axes
    intercept_ : float, or ndarray of shape (n_targets,)
    selected_ : ndarray of shape (n_features,) or (n_groups,), bool
        Columns, or groups, that some target uses.
    C_, C_path_, hit_bound_
        As of `LinearRegressor`.
    gap_ : ndarray of shape (n_targets,)
        Relative duality gap: the objective is at most this share above its minimum.
    status_ : list of Status
        How each target ended; the value of a status says what to do about it.
    n_iter_ : ndarray of shape (n_targets,)
        Steps of Newton.

    Notes
    -----
    Cost: passes over the columns in use, and one over all for each working set. Holds a second copy of the features, by
    column.

    References
    ----------
    Massias, Gramfort and Salmon, "Celer: a fast solver for the Lasso with dual extrapolation", ICML 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import LassoRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 12))
    >>> model = LassoRegressor(penalty="group", groups=3, C=0.02).fit(X, X[:, 3] - 2 * X[:, 5])
    >>> model.selected_.tolist()
    [False, True, False, False]
    """

    def __init__(
        self,
        loss: str = "squared",
        *,
        penalty: str = "l1",
        groups: Any = None,
        C: Any = 1.0,
        epsilon: float | None = None,
        fit_intercept: bool = True,
        tol: float = 1e-3,
        scoring: Any = None,
        cv: Any = 5,
        n_jobs: int | None = None,
        callbacks: Any = None,
    ):
        self.loss = loss
        self.penalty = penalty
        self.groups = groups
        self.C = C
        self.epsilon = epsilon
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.scoring = scoring
        self.cv = cv
        self.n_jobs = n_jobs
        self.callbacks = callbacks

    @unharmed
    def fit(self, X, y, sample_weight=None) -> "LassoRegressor":
        """Solve for the weights.

        Parameters
        ----------
        X : array-like, CSR, Codes, Sparse or Dense of shape (n, d)
        y : array-like of shape (n,) or (n, n_targets)
        sample_weight : array-like of shape (n,) or None
            Not negative; a row of weight 0 counts as if it were not there.
        """
        loss, C = self._settings()
        problem, middle = self._pose(X, y, sample_weight, loss, float(self.fit_intercept))
        penalty = penalty_of(self.penalty, problem.F, self.groups, intercept=0.0)
        machine, start = Proximal(problem, penalty, n_jobs=self.n_jobs), None
        if not isinstance(C, float):
            found = self._choose(problem, middle, C, machine, find=climb)
            C, start = found.C[found.best], found.start
        self.C_ = float(C)
        self._keep(machine.solve(problem.at(self.C_), tol=self.tol, start=start), middle, problem.bias)
        self.selected_ = _selected(penalty, np.atleast_2d(self.coef_))
        return self

    def _settings(self) -> tuple[Loss, Any]:
        """The loss and C, all in range."""
        _check_smooth(self.loss, REGRESSORS)
        check_real("tol", self.tol, above=0)
        return loss_with(self.loss, self.epsilon), check_C(self.C, ("auto",))


def _check_smooth(loss: Any, choices: tuple[str, ...]) -> None:
    """A loss without a corner, since these penalties have corners of their own."""
    if loss in ("hinge", "epsilon_insensitive"):
        raise InputError(f'loss is {loss!r}, whose corner Newton\'s method cannot take; use "squared_{loss}"')
    check_choice("loss", loss, choices)


def _selected(penalty: Penalty, coef: np.ndarray) -> np.ndarray:
    """Columns that some row of weights uses, or groups of them."""
    if penalty.lone:
        return (coef != 0).any(axis=0)
    return np.any([penalty.lengths(w) > 0 for w in coef], axis=0)
