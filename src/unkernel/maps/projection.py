"""Rows times a table of random columns: what Fourier, sign and skewed maps have in common."""

import numpy as np
import scipy.sparse

from .._validate import InputError, check_choice, check_seed
from ..kernels.gram import free_bytes
from .base import Map
from .frequency import TABLES
from .projection_hot import TILE, project_csr, project_dense, squares_csr, squares_dense


def padded(weights: np.ndarray, dtype) -> np.ndarray:
    """The table as `project` takes it: columns of zeros up to whole registers."""
    table = np.zeros((weights.shape[0], -(-weights.shape[1] // TILE) * TILE), dtype)
    table[:, : weights.shape[1]] = weights
    return table


def project(X, table: np.ndarray, scale: np.ndarray | None = None) -> np.ndarray:
    """scale * X @ table, in X's type: the same bits for a row in any block, dense or sparse. O(nnz m).

    Parameters
    ----------
    X : canonical rows (n, d)
    table : ndarray (d, m), as `padded` makes it
    scale : ndarray (n,), one factor per row
    """
    n, d = X.shape
    table = table.astype(X.dtype, copy=False)
    scale = np.ones(n, X.dtype) if scale is None else scale.astype(X.dtype)
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
        return np.where(squares > 0, 1 / np.sqrt(squares), 0.0)


def filled_rows(X) -> np.ndarray:
    """Which rows have a nonzero."""
    return np.diff(X.indptr) > 0 if scipy.sparse.issparse(X) else X.any(axis=1)


class ProjectionMap(Map):
    """A map that looks at rows through random directions; a member states how many, draws them, and uses `_turned`.

    Directions are a function of `seed_`, `variant_` and the width alone, so they are drawn again rather than saved.
    """

    _tables = ("_table",)
    _scheme = "projection-1"
    _variants: tuple[str, ...] = ("gaussian", "orthogonal", "sobol")

    def _directions(self) -> int:
        """How many directions there are."""
        raise NotImplementedError

    def _draw(self, d: int, m: int) -> np.ndarray:
        """The (d, m) table of directions."""
        return TABLES[self.variant_](self.seed_, d, m)

    def _settle(self, X, n_features_out: int) -> None:
        """Fix what the directions depend on; refuses a table that does not fit, before allocating."""
        self.seed_ = check_seed(self.random_state)
        self.scheme_ = self._scheme
        self._n_features_out = n_features_out
        self._dtype = X.dtype.str
        _refuse_large(X.shape[1], self._directions(), X.dtype)

    def _tabulate(self) -> None:
        self._table = padded(self._draw(self.n_features_in_, self._directions()), np.dtype(self._dtype))

    def _row_bytes(self) -> int:
        return 8 * (self._n_features_out + self._directions())


def variant_for(variant: str, variants: tuple[str, ...], d: int, m: int) -> str:
    """The variant that "auto" stands for."""
    check_choice("variant", variant, ("auto", *variants))
    return "orthogonal" if variant == "auto" else variant


def _refuse_large(d: int, m: int, dtype) -> None:
    """A table is drawn in float64 and kept in the type of X."""
    needed, free = d * m * (8 + dtype.itemsize), free_bytes()
    if needed > free:
        raise InputError(
            f"a table of {d} columns by {m} directions takes {needed / 1e9:.1f} GB and {free / 1e9:.1f} GB of memory "
            "are free; use fewer components, or variant='structured' where the map has it"
        )
