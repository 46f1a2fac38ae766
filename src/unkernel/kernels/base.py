"""The contract of an exact kernel: rows in, Gram matrix out; kernels multiply and add."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, clone

from .._blocks import Progress
from .._validate import InputError, check_matrix
from . import gram
from .statistic import Products, Statistic, itself, weight
from .sums import sums

Rows = np.ndarray | scipy.sparse.csr_array


class Base(NamedTuple):
    """What kernels of one family share: the sums `S` of every pair of rows, and a weight for each row of both sides."""

    S: np.ndarray
    u: np.ndarray
    v: np.ndarray
    of: "Kernel"


class Kernel(BaseEstimator):
    """A positive semi-definite function of two rows.

    A member states its door and its statistic as class attributes, and implements `_formula`; where it has to, also
    `_check`, `_settled` and `_rows`. Rows pass `_rows` once, then every pair costs one sum over columns and one
    formula.
    """

    _statistic: Statistic = Products()
    _nonnegative: str | None = None  # the remedy, where negative values are not allowed
    _map = ""  # what to use where the Gram matrix does not fit
    _shaping: tuple[str, ...] = ()  # parameters that enter `_rows` or the door, so that `base` depends on them
    _family = ""  # kernels of one family share bases; without a name each is its own

    def _check(self) -> None:
        """Refuse parameters outside their range."""

    def _settled(self, X: Rows | None) -> "Kernel":
        """The same kernel with every parameter a number: scales are taken from `fit`, else from rows X."""
        return self

    def _rows(self, X: Rows) -> Rows:
        """Canonical rows as the statistic takes them."""
        return X

    def _formula(self, S: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The kernel of sums S and row weights u and v, which broadcast against S; may overwrite S."""
        raise NotImplementedError

    def __call__(
        self,
        X,
        Y=None,
        *,
        out: np.ndarray | None = None,
        n_jobs: int | None = None,
        progress: Progress | None = None,
    ):
        """Gram matrix K[i, j] = kernel(X[i], Y[j]).

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)
            Two vectors of length d give a number.
        Y : array-like or sparse of shape (m, d), optional
            None, or X itself, means the rows of X: half the work. A scale such as `gamma="scale"` that no `fit` has
            settled is taken from these rows, the training rows in scikit-learn's order of arguments.
        out : ndarray of shape (n, m), optional
            Where to write, a `numpy.memmap` for example; else a new array, refused if it would not fit in memory.
        n_jobs : int or None
            Threads over blocks of the matrix, as in joblib; the bits do not depend on it.
        progress : callable or None
            Told (blocks done, blocks in all).

        Returns
        -------
        ndarray of shape (n, m), float32 if all rows are, else float64
        """
        if np.ndim(X) == 1 and np.ndim(Y) == 1:
            return float(self(np.reshape(X, (1, -1)), np.reshape(Y, (1, -1)))[0, 0])
        X, Y = self._pair(X, Y)
        out = gram.room(X, Y, self._refusal, out=out)
        settled = self._settled(X if Y is None else Y)
        return gram.fill(settled._block(X, Y), out, symmetric=Y is None, n_jobs=n_jobs, progress=progress)

    def diag(self, X) -> np.ndarray:
        """The diagonal of `K(X)`, without the matrix: O(nnz)."""
        X, _ = self._pair(X, None)
        return self._settled(X)._diagonal(X).astype(X.dtype, copy=False)

    def fit(self, X, y=None) -> "Kernel":
        """Settle scales such as `gamma="scale"` on these rows, for every later call.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)
        y : ignored
        """
        X, _ = self._pair(X, None)
        self._learn(X)
        return self

    def base(self, X, Y=None, *, n_jobs: int | None = None, progress: Progress | None = None) -> Any:
        """What all kernels that differ only in their formula share; `of_base` finishes each.

        One base serves all `gamma` of `RBF`, all of `Cosine`, `Acos`, `CosineRBF` and `FoldedRBF`, all degrees of
        `Polynomial`. `K.of_base(K.base(X, Y))` is `K(X, Y)` to rounding, in the type that the kernel computes in.
        """
        X, Y = self._pair(X, Y)
        gram.refuse(X, Y, self._refusal)
        A, B, u, v = self._sides(X, Y)
        out = gram.room(A, B, self._refusal)
        of_pairs = sums(self._statistic, A, B)
        return Base(gram.fill(of_pairs, out, symmetric=B is None, n_jobs=n_jobs, progress=progress), u, v, self)

    def of_base(self, base: Any) -> np.ndarray:
        """The Gram matrix that a base stands for under this kernel's formula; the base is left as it is."""
        self._check()
        if not (isinstance(base, Base) and self._shares(base.of)):
            made = f"by {base.of!r}" if isinstance(base, Base) else "by another kind of kernel"
            raise InputError(f"the base was made {made} and {self!r} does not share it; call base of this kernel")
        return self._settled(None)._formula(
            base.S.copy(), base.u[:, None].astype(base.S.dtype), base.v.astype(base.S.dtype)
        )

    def _pair(self, X, Y) -> tuple[Rows, Rows | None]:
        """Canonical rows of both sides; None for Y where it is X."""
        self._check()
        same = Y is None or Y is X
        X = self._door(X, "X", None)
        return X, None if same else self._door(Y, "Y", X.shape[1])

    def _door(self, X, name: str, width: int | None) -> Rows:
        return check_matrix(X, name=name, nonnegative=self._nonnegative, n_columns=width)

    def _learn(self, X: Rows) -> None:
        """Keep the scales that rows X settle."""

    def _shares(self, other: "Kernel") -> bool:
        """Whether a base of the other kernel serves this one."""
        kin = (self._family or type(self)) == (other._family or type(other))
        return kin and all(_equal(getattr(self, name), getattr(other, name)) for name in self._shaping)

    def _sides(self, X: Rows, Y: Rows | None) -> tuple[Rows, Rows | None, np.ndarray, np.ndarray]:
        """Rows of both sides as the statistic takes them, None for Y where it is X, and their weights."""
        A, B = self._rows(X), None if Y is None else self._rows(Y)
        u = weight(self._statistic, A, "X")
        return A, B, u, u if B is None else weight(self._statistic, B, "Y")

    def _block(self, X: Rows, Y: Rows | None) -> Callable[[slice, slice], np.ndarray]:
        """Function of (rows, columns) that gives a block of the Gram matrix."""
        A, B, u, v = self._sides(X, Y)
        dtype = A.dtype if B is None else np.result_type(A.dtype, B.dtype)
        self._refuse_overflow(u, v, X.dtype if Y is None else np.result_type(X.dtype, Y.dtype))
        of_pairs, u, v = sums(self._statistic, A, B), u.astype(dtype), v.astype(dtype)
        return lambda rows, columns: self._formula(of_pairs(rows, columns), u[rows, None], v[columns])

    def _refuse_overflow(self, u: np.ndarray, v: np.ndarray, dtype: np.dtype) -> None:
        """Refuse rows of these weights where the formula would leave the numbers of a type."""

    def _onto(self, Y: Rows) -> Callable[[Rows], np.ndarray]:
        """Function of canonical rows that gives their Gram matrix with Y, which stays the same from call to call."""
        return lambda X: self._block(X, Y)(slice(0, X.shape[0]), slice(0, Y.shape[0]))

    def _diagonal(self, X: Rows) -> np.ndarray:
        A = self._rows(X)
        u = weight(self._statistic, A)
        return self._formula(itself(self._statistic, A), u, u)

    def _refusal(self) -> str:
        """What to do when the matrix does not fit."""
        return f"use {self._map}, whose features cost memory in proportion to the rows"

    def __mul__(self, other: "Kernel") -> "Product":
        return Product(self, other)

    def __add__(self, other: "Kernel") -> "Sum":
        return Sum(self, other)


class _Pair(Kernel):
    """Two kernels combined entry by entry; parameters are reached as `left__gamma`, `right__p`."""

    def __init__(self, left: Kernel, right: Kernel):
        self.left = left
        self.right = right

    def _combine(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    @property
    def _nonnegative(self) -> str | None:
        """The remedy of the first member that refuses negative values."""
        return self.left._nonnegative or self.right._nonnegative

    def _members(self) -> tuple[Kernel, Kernel]:
        """Both kernels, fitted where their settings are still those that were fitted."""
        return tuple(self._member(name) for name in ("left", "right"))

    def _member(self, name: str) -> Kernel:
        given, fitted = getattr(self, name), getattr(self, f"{name}_", None)
        return fitted if fitted is not None and _equal(given, fitted) else given

    def _leaves(self) -> int:
        """How many simple kernels this is made of: its base has a matrix of each."""
        return sum(m._leaves() if isinstance(m, _Pair) else 1 for m in (self.left, self.right))

    def _check(self):
        for name, member in (("left", self.left), ("right", self.right)):
            if not isinstance(member, Kernel):
                raise InputError(f"{name} is {member!r}; kernels combine with kernels, such as MinMax() * Acos()")
            member._check()

    def _settled(self, X):
        left, right = self._members()
        return type(self)(left._settled(X), right._settled(X))

    def _learn(self, X):
        self.left_, self.right_ = (clone(member).fit(X) for member in (self.left, self.right))

    def _door(self, X, name, width):
        return self.right._door(self.left._door(X, name, width), name, width)

    def base(self, X, Y=None, *, n_jobs=None, progress=None):
        """The bases of both kernels."""
        X, Y = self._pair(X, Y)
        gram.refuse(X, Y, self._refusal, count=self._leaves())
        return tuple(member.base(X, Y, n_jobs=n_jobs, progress=progress) for member in self._members())

    def of_base(self, base):
        """The Gram matrix that both bases stand for."""
        if not (type(base) is tuple and len(base) == 2):
            raise InputError(f"the base was made by another kind of kernel than {self!r}; call base of this kernel")
        left, right = self._members()
        return self._combine(left.of_base(base[0]), right.of_base(base[1]))

    def _block(self, X, Y):
        left, right = self.left._block(X, Y), self.right._block(X, Y)
        return lambda rows, columns: self._combine(left(rows, columns), right(rows, columns))

    def _onto(self, Y):
        left, right = self.left._onto(Y), self.right._onto(Y)
        return lambda X: self._combine(left(X), right(X))

    def _diagonal(self, X):
        return self._combine(self.left._diagonal(X), self.right._diagonal(X))


class Product(_Pair):
    """left(u, v) * right(u, v), also written `left * right`: again positive semi-definite.

    Parameters
    ----------
    left, right : kernel

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, equations 14 and 15.

    Examples
    --------
    >>> from unkernel import Acos, MinMax
    >>> K = MinMax() * Acos()
    >>> K([[1.0, 2.0]], [[2.0, 1.0]]).round(4)
    array([[0.3976]])
    """

    _map = "ProductMap"

    def _combine(self, left, right):
        left *= right
        return left


class Sum(_Pair):
    """left(u, v) + right(u, v), also written `left + right`: again positive semi-definite.

    Parameters
    ----------
    left, right : kernel

    Examples
    --------
    >>> from unkernel import Linear, MinMax
    >>> (MinMax() + Linear())([[1.0, 2.0]], [[2.0, 1.0]])
    array([[4.5]])
    """

    _map = "a FeatureUnion of the two kernels' maps"

    def _combine(self, left, right):
        left += right
        return left


def _equal(a, b) -> bool:
    """Whether two settings are the same: numbers, words, arrays, or kernels with the same settings."""
    if isinstance(a, Kernel):
        mine, others = a.get_params(deep=False), b.get_params(deep=False) if type(a) is type(b) else {}
        return mine.keys() == others.keys() and all(_equal(mine[name], others[name]) for name in mine)
    return a == b if isinstance(a, str) or isinstance(b, str) else np.array_equal(a, b)
