"""Rows times a table of random columns: what Fourier, sign and skewed maps have in common."""

import numpy as np
import scipy.sparse

from .._validate import InputError, check_choice, check_seed
from ..kernels.gram import free_bytes
from .base import Map
from .frequency import TABLES
from .hadamard import length_for, passes_for, project_structured, structured, window_for
from .projection_hot import TILE, project_csr, project_dense, squares_csr, squares_dense

ALIGNED_COLUMNS = 1024  # of X, up to which looking for its axes takes a fraction of a second

SMALL = 1e-200  # of a squared length: below, squares of its values may be lost


def padded(weights: np.ndarray, dtype) -> np.ndarray:
    """The table as `project` takes it: columns of zeros up to whole registers."""
    table = np.zeros((weights.shape[0], -(-weights.shape[1] // TILE) * TILE), dtype)
    table[:, : weights.shape[1]] = weights
    return table


def project(X, table: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """scale * X @ table, in X's type: the same bits for a row in any block, dense or sparse. O(nnz m).

    Parameters
    ----------
    X : canonical rows (n, d)
    table : ndarray (d, m), as `padded` makes it
    scale : ndarray (n,), one factor per row, of X's type
    """
    n, d = X.shape
    table = table.astype(X.dtype, copy=False)
    T = np.empty((n, table.shape[1]), X.dtype)
    if scipy.sparse.issparse(X):
        project_csr(X.data, X.indices, X.indptr, table, scale, T)
    else:
        project_dense(X, table, scale, np.empty((d, TILE), X.dtype), T)
    return T


def inverse_lengths(X) -> np.ndarray:
    """1 / |x| of every row in float64, 0 for a row of zeros."""
    squares = np.empty(X.shape[0])
    if scipy.sparse.issparse(X):
        squares_csr(X.data, X.indptr, squares)
    else:
        squares_dense(X, squares)
    with np.errstate(divide="ignore"):
        inverses = np.where(squares > 0, 1 / np.sqrt(squares), 0.0)
    for i in np.flatnonzero(filled_rows(X) & ~((squares > SMALL) & (squares < np.inf))):
        inverses[i] = _inverse_length(X, i)
    lost = inverses > np.finfo(X.dtype).max
    if lost.any():
        i = int(np.argmax(lost))
        raise InputError(
            f"the largest value of row {i} is {abs(X[[i]]).max():g}, and a row so short has no direction in {X.dtype}; "
            "multiply all rows by one number"
        )
    return inverses


def _inverse_length(X, i: int) -> float:
    """1 / |x| of a row whose squares are no numbers."""
    row = np.asarray(X[[i]].toarray() if scipy.sparse.issparse(X) else X[i], dtype=np.float64).ravel()
    top = np.abs(row).max()
    with np.errstate(over="ignore"):
        return float(1 / np.sqrt(np.sum((row / top) ** 2)) / top)


def filled_rows(X) -> np.ndarray:
    """Which rows have a nonzero."""
    return np.diff(X.indptr) > 0 if scipy.sparse.issparse(X) else X.any(axis=1)


class ProjectionMap(Map):
    """A map that looks at rows through random directions; a member says how many, and of what length.

    Directions are a function of `seed_`, `variant_` and the width alone, so they are drawn again rather than saved.
    """

    _tables = ("_table",)
    _scheme = "projection-1"
    _variants: tuple[str, ...] = ("gaussian", "orthogonal", "structured", "sobol")

    def _directions(self) -> int:
        """How many directions there are."""
        raise NotImplementedError

    def _unit(self) -> float:
        """What directions are multiplied with."""
        return 1.0

    def _draw(self, d: int, m: int) -> np.ndarray:
        """The (d, m) table of directions."""
        return TABLES[self.variant_](self.seed_, d, m)

    def _settle(self, X, n_features_out: int) -> None:
        """Fix what the directions depend on; refuses a table that does not fit, before allocating."""
        self.seed_ = check_seed(self.random_state)
        self.scheme_ = self._scheme
        self._n_features_out = n_features_out
        self._dtype = X.dtype.str
        _refuse_large(self.variant_, X.shape[1], self._directions(), X.dtype)

    def _tabulate(self) -> None:
        d, m, dtype = self.n_features_in_, self._directions(), np.dtype(self._dtype)
        if self._unit() > np.finfo(dtype).max / 1e6:
            raise InputError(
                f"gamma is {self.gamma_:g}, which overflows in {dtype}; scale the columns up, for example with "
                "sklearn.preprocessing.MaxAbsScaler"
            )
        if self.variant_ == "structured":
            table = structured(self.seed_, d, m, dtype)
            self._table = table._replace(factors=table.factors * dtype.type(self._unit()))
        else:
            self._table = padded(self._draw(d, m) * self._unit(), dtype)

    def _projected(self, X, scale: np.ndarray | None = None) -> np.ndarray:
        """Rows times directions, filled up to whole registers; `scale` is one factor per row."""
        scale = np.ones(X.shape[0], X.dtype) if scale is None else scale.astype(X.dtype)
        return (project_structured if self.variant_ == "structured" else project)(X, self._table, scale)

    def _feature_bytes(self, dtype) -> int:
        """What a row of features takes."""
        return self._n_features_out * dtype.itemsize

    def _afford(self, X):
        needed, free = X.shape[0] * self._feature_bytes(X.dtype), free_bytes()
        if needed > free:
            raise InputError(
                f"the features of {X.shape[0]} rows take {needed / 1e9:.1f} GB and {free / 1e9:.1f} GB of memory are "
                "free; transform fewer rows at once, or use fewer components"
            )

    def _samples(self):
        return self._directions()

    def _row_bytes(self) -> int:
        return 8 * (self._n_features_out + self._directions())

    @property
    def nbytes(self) -> int:
        """Bytes of the directions in memory; a saved model holds none of them."""
        return self._table.nbytes


def variant_for(variant: str, variants: tuple[str, ...], d: int, m: int) -> str:
    """The variant that "auto" stands for: the cheaper of the two with the lowest error."""
    check_choice("variant", variant, ("auto", *variants))
    if variant != "auto":
        return variant
    if "aligned" in variants and m < d <= ALIGNED_COLUMNS:
        return "aligned"
    # A table costs d products for each direction; a pass about as much as some thirty for each value it transforms.
    L = length_for(d, m)
    passes = 33 * passes_for(L) * window_for(L) * -(-m // L)
    return "structured" if d * m > passes else "orthogonal"


def _refuse_large(variant: str, d: int, m: int, dtype) -> None:
    """A table is drawn in float64 and kept in the type of X; making directions orthogonal takes copies of a block."""
    entries = 6 * (m + length_for(d, m)) if variant == "structured" else d * m
    wide = variant in ("orthogonal", "aligned") and d > m // 2  # one block is all there is
    sizes = {"orthogonal": 49 if wide else 27, "aligned": 81 if wide else 59, "sobol": 27, "structured": 19}
    drawn = sizes.get(variant, 8 + dtype.itemsize)
    needed, free = entries * drawn, free_bytes()
    if needed > free:
        remedy = "" if variant == "structured" else ", or variant='structured' where the map has it"
        raise InputError(
            f"{m} directions of {d} columns take {needed / 1e9:.1f} GB and {free / 1e9:.1f} GB of memory are free; "
            f"use fewer components{remedy}"
        )
