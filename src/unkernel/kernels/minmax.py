"""Min-max kernels: shared amount over joint amount."""

import numpy as np
import scipy.sparse

from .._validate import InputError, check_matrix, check_real
from .base import Kernel
from .statistic import Minima, tops


class GMM(Kernel):
    """Generalised min-max kernel of signed rows: sum min(u, v) / sum max(u, v) over positive and negative parts.

    Each value x - center becomes the pair (x, 0) where positive and (0, -x) where not, each raised to the power p.
    Only minima are summed, as sum max = sum u + sum v - sum min; on rows without negative values it is `MinMax`. A
    row that equals the center has no amount and gives 0 with every row, itself included.

    Parameters
    ----------
    p : float, default=1.0
        Power of the amounts, above 0: large p attends to the large values. The kernel is called pGMM then.
    center : array-like of shape (d,) or None
        Subtracted from every row; None is zero. Needs dense rows.

    References
    ----------
    Li, Generalized Min-Max Kernel and Generalized Consistent Weighted Sampling, 2016, equations 2 and 3.

    Examples
    --------
    >>> from unkernel import GMM
    >>> GMM()([[-5.0, 3.0]], [[-5.0, 3.0], [5.0, 3.0], [-2.0, 0.0]])
    array([[1.        , 0.23076923, 0.25      ]])
    """

    _statistic = Minima()
    _map = "MinMaxMap"
    _shaping = ("p", "center")

    def __init__(self, *, p: float = 1.0, center=None):
        self.p = p
        self.center = center

    def _check(self):
        check_real("p", self.p, above=0)

    def _rows(self, X):
        if self.center is not None:
            if scipy.sparse.issparse(X):
                raise InputError("center shifts every zero and X is sparse; call X.toarray() first, or use center=None")
            center = check_matrix(np.reshape(self.center, (1, -1)), name="center", n_columns=X.shape[1])
            X = X - center.astype(X.dtype)
        return powers(X, self.p)

    def _formula(self, S, u, v):
        return shares(S, u, v)


class MinMax(Kernel):
    """Min-max kernel of rows that are not negative: sum min(u, v) / sum max(u, v).

    Also known as the weighted Jaccard or Ruzicka similarity. A row of zeros gives 0 with every row, itself included.

    Parameters
    ----------
    p : float, default=1.0
        Power of the values, above 0.

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, equation 7.

    Examples
    --------
    >>> from unkernel import MinMax
    >>> MinMax()([[1.0, 2.0, 0.0]], [[1.0, 2.0, 0.0], [2.0, 1.0, 1.0]])
    array([[1. , 0.4]])
    """

    _statistic = Minima()
    _nonnegative = "use GMM, the min-max kernel of signed rows"
    _map = "MinMaxMap"
    _shaping = ("p",)

    def __init__(self, *, p: float = 1.0):
        self.p = p

    def _check(self):
        check_real("p", self.p, above=0)

    def _rows(self, X):
        return powers(X, self.p)

    def _formula(self, S, u, v):
        return shares(S, u, v)


def powers(X, p: float):
    """sign(x) |x|^p; the type is kept while sums over a row stay far from overflow."""
    if p == 1:
        return X
    values = X.data if scipy.sparse.issparse(X) else X
    largest = float(np.abs(values).max(initial=0.0))
    with np.errstate(over="ignore"):
        bound = np.float64(largest) ** p * X.shape[1]
    if not np.isfinite(bound):
        raise InputError(
            f"p is {p:g} and the largest value {largest:g}: its power overflows; divide all rows by one number such "
            "as that value, which leaves the kernel as it is"
        )
    wide = values.astype(np.float64, copy=False)
    raised = np.copysign(np.abs(wide) ** p, wide)
    rows = raised if not scipy.sparse.issparse(X) else scipy.sparse.csr_array((raised, X.indices, X.indptr), X.shape)
    least = _least_row(X, rows, p)
    return rows.astype(values.dtype if bound < 1e30 and least > 1e-30 else np.float64, copy=False)


def _least_row(X, raised, p: float) -> float:
    """Amount of the smallest row that holds anything; refuses a row that the power leaves with nothing."""
    before, after = (tops(rows) for rows in (X, raised))
    filled = before > 0
    lost = filled & (after < np.finfo(np.float64).tiny)
    if lost.any():
        i = int(np.flatnonzero(lost)[0])
        raise InputError(
            f"p is {p:g} and the largest value of row {i} is {before[i]:g}: its power underflows; multiply all rows by "
            "one number, which leaves the kernel as it is, or lower p"
        )
    return float(after[filled].min(initial=np.inf))


def shares(S, u, v):
    """Sum of minima over sum of maxima; 0 where there is nothing at all."""
    maxima = u + v
    maxima -= S
    np.maximum(maxima, np.finfo(maxima.dtype).smallest_subnormal, out=maxima)
    return np.divide(S, maxima, out=S)
