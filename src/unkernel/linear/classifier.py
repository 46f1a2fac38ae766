"""The linear classifier: one column of weights per class, solved to a certificate."""

from collections.abc import Iterable
from typing import Any

from .._validate import InputError, check_choice, check_real, check_seed
from .decision import LinearDecision
from .losses import CLASSIFIERS
from .path import check_C
from .solver import Solver
from .spill import spilled
from .watch import unharmed


class LinearClassifier(LinearDecision):
    """Linear classifier with l2 regularisation on features of any form, never expanded.

    Minimises, for every class against the rest, `1/2 |w|^2 + 1/2 v^2 + sum_i C_i loss(y_i (<w, phi_i> + s v))` where
    `C_i = C * sample_weight_i * class_weight_i`, s is `intercept_scaling` and the intercept is `s v`.

    Parameters
    ----------
    loss : {"squared_hinge", "hinge", "logistic"}, default="squared_hinge"
    C : float, "auto", "liblinear" or array-like, default=1.0
        Weight of the losses against the regulariser, as in scikit-learn. "auto" chooses by cross-validation: from
        where every row still errs, doubling, past the peak of the score; of equal scores the smallest C. "liblinear"
        stops the doubling as `train -C` does. An array is a grid to choose from.
    class_weight : dict, "balanced" or None, default=None
        Multiplies the cost of the rows of each class. As a weight of rows it counts in every class's problem.
    fit_intercept : bool, default=True
    intercept_scaling : float, default=1.0
        Value of the intercept's feature. The intercept is regularised with the weights; a larger value frees it.
    tol : float, default=1e-3
        Relative duality gap to reach. Small problems, where it costs some milliseconds, are solved much further.
    scoring : str, callable or None, default=None
        What chooses C: a measure of scikit-learn, or a callable (estimator, X, y) whose X are decision values of rows
        left out. None is accuracy.
    cv : int, splitter or iterable, default=5
        Folds for choosing C; a number of them is spread evenly over each class.
    n_jobs : int or None, default=None
        Threads over columns of weights, as in joblib. The result is the same for any number.
    random_state : int, RandomState, Generator or None, default=0
        Order in which rows are visited.
    dtype : {"float32", "float64"} or None, default=None
        Working precision; None keeps that of the features, float32 for codes. "float64" writes codes out as CSR.
    callbacks : callable, list of callables or None, default=None
        Called with a `Step` after every few passes and after every C: where the fit is. Answering True ends the fit
        with what there is; an exception leaves the model as it was before. They may be called on other threads.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1 or n_classes, n_features)
    intercept_ : ndarray of shape (1 or n_classes,)
    C_ : float
        The C of the fit.
    C_path_ : dict
        Arrays "C", "score" (mean over folds) and "error" (its standard error), one entry per C tried. Only when C was
        chosen.
    hit_bound_ : bool
        Whether the C chosen is the largest that could be tried. Only when C was chosen.
    calibration_ : ndarray of shape (1 or n_classes, 2)
        Slope and offset of the sigmoid that makes probabilities of decision values. Only for hinges, when C was chosen.
    gap_ : ndarray of shape (1 or n_classes,)
        Relative duality gap: the objective is at most this share above its minimum.
    status_ : list of Status
        How each column ended; the value of a status says what to do about it.
    n_iter_ : ndarray of shape (1 or n_classes,)
        Passes over the rows.

    Notes
    -----
    Cost: passes over the nonzeros of the features, one per class.

    References
    ----------
    Hsieh et al., "A dual coordinate descent method for large-scale linear SVM", ICML 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import Codes, LinearClassifier
    >>> codes = Codes.of(np.array([[0, 1, 3], [0, 1, 2], [2, 2, 0], [2, 3, 0]]), levels=4)
    >>> model = LinearClassifier(C=10.0).fit(codes, ["left", "left", "right", "right"])
    >>> model.predict(codes).tolist()
    ['left', 'left', 'right', 'right']
    >>> bool(model.gap_.max() <= model.tol)
    True
    """

    def __init__(
        self,
        loss: str = "squared_hinge",
        *,
        C: Any = 1.0,
        class_weight: dict | str | None = None,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        tol: float = 1e-3,
        scoring: Any = None,
        cv: Any = 5,
        n_jobs: int | None = None,
        random_state: Any = 0,
        dtype: str | None = None,
        callbacks: Any = None,
    ):
        self.loss = loss
        self.C = C
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.tol = tol
        self.scoring = scoring
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.dtype = dtype
        self.callbacks = callbacks

    @unharmed
    def fit(self, X, y, sample_weight=None) -> "LinearClassifier":
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
        bias = scaling if self.fit_intercept else 0.0
        problem, sample = self._pose(X, y, sample_weight, bias, self.dtype)
        solver, start = Solver(problem.F, seed=check_seed(self.random_state), n_jobs=self.n_jobs), None
        if not isinstance(C, float):
            found = self._choose(problem, sample, C, solver)
            C, start = found.C[found.best], found.start
        self.C_ = float(C)
        solution = solver.solve(problem.at(self.C_), tol=self.tol, start=start)
        return self._keep(solution, problem.bias)

    def fit_blocks(self, blocks: Iterable, *, path: Any = None) -> "LinearClassifier":
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
        >>> from unkernel import Codes, LinearClassifier
        >>> rows = np.array([[0, 1, 3], [0, 1, 2], [2, 2, 0], [2, 3, 0]])
        >>> blocks = ((Codes.of(rows[i : i + 2], levels=4), [i, i]) for i in (0, 2))
        >>> LinearClassifier().fit_blocks(blocks).predict(Codes.of(rows, levels=4)).tolist()
        [0, 0, 2, 2]
        """
        self._settings()
        with spilled(blocks, path) as (codes, y, weight):
            return self.fit(codes, y, weight)

    def _settings(self) -> tuple[Any, float]:
        """C, and the intercept's scaling, all in range."""
        check_choice("loss", self.loss, CLASSIFIERS)
        check_choice("dtype", self.dtype, (None, "float32", "float64"))
        check_real("tol", self.tol, above=0)
        C = check_C(self.C)
        if isinstance(C, str) and C == "liblinear" and self.loss == "hinge":
            raise InputError('C is "liblinear" and loss is "hinge"; that search needs a smooth loss: use C="auto"')
        return C, check_real("intercept_scaling", self.intercept_scaling, above=0)
