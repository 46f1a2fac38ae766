"""The contract of a feature map: rows in, features out, and the exact kernel their inner products estimate."""

from functools import wraps
from typing import Any

import scipy.sparse
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from .._blocks import Progress, block_rows_for, map_blocks
from .._validate import InputError, check_rows
from ..features import Codes, Dense, Features, Gathering


class Map(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A map phi with E[<phi(u), phi(v)>] = kernel(u, v).

    A member states its door as class attributes, and implements `kernel`, `_learn` and `_block`. It never overrides
    `fit`, `features` or `transform`. What its seed can make again it names in `_tables` and makes in `_tabulate`, so
    that model files and pickles stay small.
    """

    _takes_sparse = True
    _nonnegative: str | None = None  # the remedy, where negative values are not allowed
    _tables: tuple[str, ...] = ()  # attributes that `_tabulate` makes of the others; no file holds them
    _scheme: str | None = None  # the rule of randomness in use; a map saved under another `scheme_` is refused
    n_jobs: int | None = None

    @property
    def kernel(self) -> Any:
        """The exact kernel this map estimates; learned parameters are filled in once fitted."""
        raise NotImplementedError

    def _learn(self, X) -> None:
        """Set what `_block` needs from canonical rows: `seed_`, `scheme_`, `_n_features_out`."""
        raise NotImplementedError

    def _tabulate(self) -> None:
        """Make the tables of `_block` from the learned attributes alone; after `_learn`, and after loading."""

    def _block(self, X) -> Features:
        """Features of one block of canonical rows; a function of each row alone."""
        raise NotImplementedError

    def _samples(self) -> int | None:
        """Samples of the kernel that an inner product of dense features averages, None where it is no mean.

        Column c belongs to sample c mod their number. Components of codes are samples as they are.
        """
        return None

    def _afford(self, X) -> None:
        """Refuse rows whose features would not fit in memory, before any is made."""

    def _row_bytes(self) -> int:
        """Working memory one row of `_block` takes, from which the block size follows."""
        return 8 * self._n_features_out

    def fit(self, X, y=None) -> "Map":
        """Learn the map from rows; only their width and, for some maps, their scale or range matter.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)
        y : ignored
        """
        self._learn(self._rows(X, reset=True))
        self._tabulate()
        return self

    def features(self, X, *, progress: Progress | None = None) -> Features:
        """Features of rows in the form learners take: `Codes`, `Sparse` or `Dense`.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)
        progress : callable or None
            Told (rows done, rows in all).
        """
        check_is_fitted(self)
        return self._mapped(self._rows(X, reset=False), progress)

    def _mapped(self, X, progress: Progress | None = None) -> Features:
        """Features of canonical rows, block by block."""
        self._afford(X)
        gathering = Gathering(X.shape[0])
        map_blocks(
            lambda rows: gathering.put(rows, self._block(_part(X, rows))),
            X.shape[0],
            block_rows=block_rows_for(self._row_bytes(), X.shape[0], n_jobs=self.n_jobs),
            n_jobs=self.n_jobs,
            progress=progress,
        )
        return gathering.result()

    def transform(self, X):
        """Features of rows as scikit-learn takes them: an array, or CSR.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)
        """
        check_is_fitted(self)
        index = X.index if hasattr(X, "columns") and hasattr(X, "index") else None
        X = self._rows(X, reset=False)
        features = self._mapped(X)
        if isinstance(features, Codes) and _asks_for_codes(self):
            return features
        if isinstance(features, Dense):
            return features.values
        rows = features.to_csr(X.dtype)
        return _frame(rows, index) if _asks_for_pandas(self) else _configured(rows)

    def fit_transform(self, X, y=None):
        """`fit`, then `transform` of the same rows.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)
        y : ignored
        """
        return self.fit(X, y).transform(X)

    def _rows(self, X, *, reset: bool):
        remedy = self._nonnegative
        return check_rows(self, X, reset=reset, sparse=self._takes_sparse, nonnegative=remedy)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name not in self._tables}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state.get("scheme_", self._scheme) != self._scheme:
            raise InputError(
                f"this {type(self).__name__} was fitted under scheme {state['scheme_']!r} and this unkernel draws "
                f"under {self._scheme!r}; load it with the unkernel that fitted it, or fit again"
            )
        super().__setstate__(state)
        if "n_features_in_" in state:
            self._tabulate()

    def __mul__(self, other: "Map"):
        from .product import ProductMap

        return ProductMap(self, other) if isinstance(other, Map) else NotImplemented

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse
        tags.input_tags.positive_only = self._nonnegative is not None
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _part(X, rows: slice):
    """Some of the canonical rows, as a view."""
    if not scipy.sparse.issparse(X):
        return X[rows]
    first, last = X.indptr[rows.start], X.indptr[rows.stop]
    indptr = X.indptr[rows.start : rows.stop + 1] - first
    part = scipy.sparse.csr_array(
        (X.data[first:last], X.indices[first:last], indptr), shape=(len(indptr) - 1, X.shape[1])
    )
    part.has_canonical_format = True
    return part


def _asks_for_codes(map_: Map) -> bool:
    return getattr(map_, "output", "csr") == "codes"


def _asks_for_pandas(map_: Map) -> bool:
    """Whether `set_output` or scikit-learn's configuration asks for a frame of pandas."""
    asked = getattr(map_, "_sklearn_output_config", {}).get("transform") or get_config()["transform_output"]
    return asked == "pandas"


def _frame(rows: scipy.sparse.csr_array, index: Any):
    """CSR as a frame of sparse columns, which scikit-learn names; it would refuse CSR itself."""
    import pandas

    return pandas.DataFrame.sparse.from_spmatrix(scipy.sparse.csr_matrix(rows), index=index)


def _codes_as_they_are(method):
    """Keep scikit-learn, which takes codes for a tuple, from putting them into the container `set_output` asked for."""

    @wraps(method)
    def either(self, *args, **options):
        return (method.__wrapped__ if _asks_for_codes(self) else method)(self, *args, **options)

    return either


Map.transform = _codes_as_they_are(Map.transform)
Map.fit_transform = _codes_as_they_are(Map.fit_transform)


def _configured(X: scipy.sparse.csr_array):
    """CSR as the user asked scikit-learn for it: a matrix, unless `sparse_interface` says array."""
    return X if get_config().get("sparse_interface") == "sparray" else scipy.sparse.csr_matrix(X)
