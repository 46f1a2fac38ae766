"""The exact regressor: ridge or support vector regression on the full Gram matrix."""

from functools import partial
from typing import Any

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin

from .._validate import InputError, check_numbers, check_real, check_seed
from ..kernels.base import Kernel
from ..linear.scorer import DecidedRegressor, score_of
from .base import Targets
from .folds import splits_of
from .machine import ExactMachine, grid_of_C, mean_size

LOSSES = ("squared", "epsilon_insensitive")
HUGE = 1e140


class ExactRegressor(RegressorMixin, MultiOutputMixin, ExactMachine):
    """Kernel regression on the full Gram matrix: the truth that maps and linear learners approximate.

    Minimises, for every target, `1/2 |f|^2 + C sum_i weight_i loss(y_i - f(x_i) - b)` over functions f of the kernel's
    space, with a free intercept b.

    Parameters
    ----------
    kernel : kernel or None, default=None
        Any kernel of this library; None is `GMM()`.
    loss : {"squared", "epsilon_insensitive"}, default="squared"
        "squared" is kernel ridge regression with `alpha = 1 / (2 C)`; "epsilon_insensitive" is scikit-learn's SVR.
    C : float, "auto" or array-like, default=1.0
        "auto" tries 19 values from 1e-3 to 1e6 for "squared", seven from 1e-2 to 1e4 for "epsilon_insensitive", in
        units of the kernel and of y.
    epsilon : float, default=0.1
        Half the width of the tube of "epsilon_insensitive", in units of y.
    grid : None, "auto" or dict, default=None
        Kernel parameters to choose on rows left out, as in `ExactClassifier`.
    scoring : str, callable or None, default=None
        What chooses C and kernel parameters; None is R^2.
    cv : int, splitter or list of (rows to learn from, rows left out), default=5
        Folds, each with the rows it learns from as the splitter has them. For "squared" a number means that every row
        is left out alone, exactly, for every C from one eigendecomposition, and that one score is taken of all.
    tol : float, default=1e-3
        LIBSVM's largest violation.
    random_state : int, RandomState, Generator or None, default=0
        Which rows make a fold.
    n_jobs : int or None, default=None
        Threads over blocks of the matrix and over targets. The result is the same for any number.

    Attributes
    ----------
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
        Rows that the functions rest on.
    X_fit_ : array or CSR of shape (n_support, d)
        Those rows: all that prediction needs.
    dual_coef_ : ndarray of shape (n_support, n_targets)
    intercept_ : ndarray of shape (n_targets,)
    gap_ : ndarray of shape (n_targets,)
        Relative duality gap; above 0.01 `fit` warns.

    Notes
    -----
    Cost: n^2 memory and n^3 time. Gram matrices are float64 whatever the rows. What does not fit, with all that is held
    beside the matrix, is refused, and the refusal names the map to use.

    References
    ----------
    Cawley and Talbot, "Preventing over-fitting during model selection via Bayesian regularisation of the
    hyper-parameters", JMLR 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import RBF, ExactRegressor
    >>> x = np.linspace(0, 3, 40)[:, None]
    >>> model = ExactRegressor(RBF("median"), C="auto").fit(x, np.sin(x[:, 0]))
    >>> bool(model.score(x, np.sin(x[:, 0])) > 0.999)
    True
    """

    def __init__(
        self,
        kernel: Kernel | None = None,
        *,
        loss: str = "squared",
        C: Any = 1.0,
        epsilon: float = 0.1,
        grid: Any = None,
        scoring: Any = None,
        cv: Any = 5,
        tol: float = 1e-3,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ):
        self.kernel = kernel
        self.loss = loss
        self.C = C
        self.epsilon = epsilon
        self.grid = grid
        self.scoring = scoring
        self.cv = cv
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None) -> "ExactRegressor":
        """Choose what is to be chosen, and solve.

        Parameters
        ----------
        X : array-like or CSR of shape (n, d)
        y : array-like of shape (n,) or (n, n_targets)
        sample_weight : array-like of shape (n,) or None
            Not negative; a row of weight 0 counts as if it were not there.
        """
        C = self._settings(LOSSES)
        epsilon = check_real("epsilon", self.epsilon, least=0)
        X, weight = self._door(X, sample_weight)
        y = check_numbers(y, X.shape[0])
        _refuse_huge(y)
        rows = np.flatnonzero(weight > 0)
        self._flat = y.ndim == 1
        columns = y[rows].reshape(len(rows), -1)
        targets = Targets(self.loss, columns, weight[rows], np.ones(columns.shape, dtype=bool), epsilon)
        seed = check_seed(self.random_state)
        folds = partial(splits_of, y[rows], self.cv, rows, X.shape[0], classifies=False, seed=seed)
        score = score_of(self.scoring, DecidedRegressor(), y[rows], targets.weight)
        return self._learn(X[rows], rows, targets, C, folds=folds, score=score)

    def predict(self, X) -> np.ndarray:
        """f(x) + b: (n,), or (n, n_targets) where y had two axes."""
        values = self._values(X)
        return values[:, 0] if self._flat else values

    def _values_of_C(self, K: np.ndarray, targets: Targets) -> np.ndarray:
        unit = 1.0 if self.loss == "squared" else float(targets.y.std()) or 1.0
        return grid_of_C(self.loss) * unit / mean_size(K)


def _refuse_huge(y: np.ndarray) -> None:
    """Refuse targets whose squares leave float64, so that no score and no certificate could be computed."""
    row = int(np.abs(y).reshape(len(y), -1).max(axis=1).argmax())
    largest = float(np.abs(y[row]).max())
    if largest > HUGE:
        raise InputError(
            f"y is as large as {largest:g} at row {row}; sums of squares have to stay below 1e308: divide y by one "
            "number, such as that value"
        )
