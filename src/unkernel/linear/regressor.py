"""The linear regressor: one column of weights per target, solved to a certificate."""

from collections.abc import Iterable
from typing import Any

from .._validate import check_choice, check_real, check_seed
from .losses import REGRESSORS, Loss
from .path import check_C
from .prediction import LinearPrediction, loss_with
from .solver import Solver
from .spill import spilled
from .watch import unharmed


class LinearRegressor(LinearPrediction):
    """Linear regression with l2 regularisation on features of any form, never expanded.

    Minimises, for every target, `1/2 |w|^2 + 1/2 v^2 + sum_i C_i loss(y_i - m - (<w, phi_i> + s v))` where
    `C_i = C * sample_weight_i`, m is the weighted mean of y, s is `intercept_scaling` and the intercept is `m + s v`.
    A shift of y therefore shifts the intercept and nothing else. Without an intercept, m and s are 0.

    Parameters
    ----------
    loss : {"squared", "epsilon_insensitive", "squared_epsilon_insensitive", "huber"}, default="squared"
        With r = y - f: `r^2`; `max(0, |r| - epsilon)` and its square; `r^2` up to `|r| = epsilon`, then straight.
        The squared loss is ridge regression with `alpha = 1 / (2 C)`.
    C : float, "auto" or array-like, default=1.0
        Weight of the losses against the regulariser, as in scikit-learn. "auto" chooses by cross-validation: from a
        small value, doubling, past the peak of the score; of equal scores the smallest C. An array is a grid.
    epsilon : float or None, default=None
        In units of y. None means 1.35 for "huber", as in scikit-learn, and 0.1 for the others.
    fit_intercept : bool, default=True
    intercept_scaling : float, default=1.0
        Value of the intercept's feature. The distance of the intercept from the mean of y is regularised with the
        weights; a larger value frees it.
    tol : float, default=1e-3
        Relative duality gap to reach. Small problems, where it costs some milliseconds, are solved much further.
    scoring : str, callable or None, default=None
        What chooses C: a measure of scikit-learn, or a callable (estimator, X, y) whose X are predictions of rows left
        out. None is R^2.
    n_jobs : int or None, default=None
        Threads over targets, as in joblib. The result is the same for any number.
    random_state : int, RandomState, Generator or None, default=0
        Order in which rows are visited.
    dtype : {"float32", "float64"} or None, default=None
        Working precision; None keeps that of the features, float32 for codes. "float64" writes codes out as CSR.
    callbacks : callable, list of callables or None, default=None
        Called with a `Step` after every few passes and after every C: where the fit is. Answering True ends the fit
        with what there is; an exception leaves the model as it was before. They may be called on other threads.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,), or (n_targets, n_features) where y has two axes
    intercept_ : float, or ndarray of shape (n_targets,)
    C_ : float
        The C of the fit.
    C_path_ : dict
        Arrays "C", "score" (mean over folds) and "error" (its standard error), one entry per C tried. Only when C was
        chosen.
    hit_bound_ : bool
        Whether the C chosen is the largest that could be tried. Only when C was chosen.
    gap_ : ndarray of shape (n_targets,)
        Relative duality gap: the objective is at most this share above its minimum.
    status_ : list of Status
        How each target ended; the value of a status says what to do about it.
    n_iter_ : ndarray of shape (n_targets,)
        Passes over the rows.

    Notes
    -----
    Cost: passes over the nonzeros of the features, one per target.

    References
    ----------
    Ho and Lin, "Large-scale linear support vector regression", JMLR 2012.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import Codes, LinearRegressor
    >>> codes = Codes.of(np.array([[0, 1, 3], [0, 1, 2], [2, 2, 0], [2, 3, 0]]), levels=4)
    >>> model = LinearRegressor(C=100.0).fit(codes, [1.0, 1.5, 7.0, 8.0])
    >>> model.predict(codes).round(1).tolist()
    [1.0, 1.5, 7.0, 8.0]
    """

    def __init__(
        self,
        loss: str = "squared",
        *,
        C: Any = 1.0,
        epsilon: float | None = None,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        tol: float = 1e-3,
        scoring: Any = None,
        n_jobs: int | None = None,
        random_state: Any = 0,
        dtype: str | None = None,
        callbacks: Any = None,
    ):
        self.loss = loss
        self.C = C
        self.epsilon = epsilon
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.tol = tol
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.dtype = dtype
        self.callbacks = callbacks

    @unharmed
    def fit(self, X, y, sample_weight=None) -> "LinearRegressor":
        """Solve for the weights.

        Parameters
        ----------
        X : array-like, CSR, Codes, Sparse or Dense of shape (n, d)
        y : array-like of shape (n,) or (n, n_targets)
        sample_weight : array-like of shape (n,) or None
            Not negative; a row of weight 0 counts as if it were not there.
        """
        loss, C, scaling = self._settings()
        bias = scaling if self.fit_intercept else 0.0
        problem, middle = self._pose(X, y, sample_weight, loss, bias, self.dtype)
        solver, start = Solver(problem.F, seed=check_seed(self.random_state), n_jobs=self.n_jobs), None
        if not isinstance(C, float):
            found = self._choose(problem, middle, C, solver)
            C, start = found.C[found.best], found.start
        self.C_ = float(C)
        solution = solver.solve(problem.at(self.C_), tol=self.tol, start=start)
        return self._keep(solution, middle, problem.bias)

    def fit_blocks(self, blocks: Iterable, *, path: Any = None) -> "LinearRegressor":
        """Solve for the weights on rows that do not fit in memory and may come only once.

        The codes are written to a file once, and the fit passes over the file a block at a time: the same problem and
        certificate as `fit` on all rows. In memory stay a block, and the targets and dual variables of all rows.

        Parameters
        ----------
        blocks : iterable of (Codes, y) or (Codes, y, sample_weight)
            All of one fitted map; one is held at a time.
        path : path-like or None
            File for the codes. It stays, takes its name only when it is whole, and serves `fit(Codes.open(path), y)`
            again. None is a temporary file.

        Examples
        --------
        >>> import numpy as np
        >>> from unkernel import Codes, LinearRegressor
        >>> rows = np.array([[0, 1, 3], [0, 1, 2], [2, 2, 0], [2, 3, 0]])
        >>> blocks = ((Codes.of(rows[i : i + 2], levels=4), [i, i]) for i in (0, 2))
        >>> LinearRegressor(C=100.0).fit_blocks(blocks).predict(Codes.of(rows, levels=4)).round(1).tolist()
        [0.0, 0.0, 2.0, 2.0]
        """
        self._settings()
        with spilled(blocks, path) as (codes, y, weight):
            return self.fit(codes, y, weight)

    def _settings(self) -> tuple[Loss, Any, float]:
        """The loss, C and the intercept's scaling, all in range."""
        check_choice("loss", self.loss, REGRESSORS)
        check_choice("dtype", self.dtype, (None, "float32", "float64"))
        check_real("tol", self.tol, above=0)
        scaling = check_real("intercept_scaling", self.intercept_scaling, above=0)
        return loss_with(self.loss, self.epsilon), check_C(self.C, ("auto",)), scaling
