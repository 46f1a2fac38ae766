"""Columns of words in a pandas or polars frame become indicator columns; the vocabulary is kept."""

import warnings
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator

from .._validate import InputError

MOST_WORDS = 1000
WIDE = 100  # columns from which indicators are kept sparse


def is_frame(X: Any) -> bool:
    """Whether X has named columns that can be taken one by one."""
    return hasattr(X, "columns") and hasattr(X, "__getitem__") and hasattr(X, "dtypes")


def has_words(X: Any) -> bool:
    """Whether a frame has a column that is not numbers."""
    return is_frame(X) and any(_words(X, name) is not None for name in X.columns)


class Encoder(BaseEstimator):
    """Numbers as they are, one indicator column per word; a word not seen in training has no indicator.

    A missing word is a word of its own. A column with a different word in nearly every row identifies rows and says
    nothing about others: it is left out, with a warning.

    Attributes
    ----------
    names_ : list
        Columns of the frame.
    words_ : dict
        Column -> its words, sorted; empty for a column left out. Columns of numbers are not in it.
    """

    def fit(self, X, y=None) -> "Encoder":
        """Learn the vocabulary."""
        self.names_, self.words_ = list(X.columns), {}
        for name in self.names_:
            column = _words(X, name)
            if column is not None:
                self.words_[name] = self._vocabulary(name, column)
        if not self._n_columns():
            raise InputError("every column of X is left out; give at least one column of numbers or categories")
        return self

    def transform(self, X) -> np.ndarray | scipy.sparse.csr_array:
        """Float64 array; CSR where nearly all columns are indicators, which hold mostly zeros."""
        if not is_frame(X):
            raise InputError(
                f"X is a {type(X).__name__} and columns {sorted(map(str, self.words_))} hold words: give a frame with "
                "the columns of training"
            )
        if self._n_columns() >= WIDE and len(self.names_) <= self._n_columns() / 10:
            return scipy.sparse.csr_array(scipy.sparse.hstack([self._sparse(X, name) for name in self.names_]))
        return np.hstack([self._dense(X, name) for name in self.names_])

    def _dense(self, X, name) -> np.ndarray:
        if name not in self.words_:
            return _numbers(X, name)[:, None]
        return (self._index(X, name)[:, None] == np.arange(len(self.words_[name]))).astype(np.float64)

    def _sparse(self, X, name) -> scipy.sparse.csr_array:
        if name not in self.words_:
            return scipy.sparse.csr_array(_numbers(X, name)[:, None])
        index = self._index(X, name)
        rows = np.flatnonzero(index >= 0)
        shape = len(index), len(self.words_[name])
        return scipy.sparse.csr_array((np.ones(len(rows)), (rows, index[rows])), shape=shape)

    def _index(self, X, name) -> np.ndarray:
        """Which word of the vocabulary each row holds; -1 for none of them."""
        at = {word: j for j, word in enumerate(self.words_[name])}
        return np.array([at.get(word, -1) for word in _as_words(X[name])], dtype=np.int64)

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """`column`, or `column=word`, as in a file that is read."""
        found = []
        for name in self.names_:
            found += [f"{name}={word}" for word in self.words_[name]] if name in self.words_ else [str(name)]
        return np.array(found, dtype=object)

    def _vocabulary(self, name, column) -> list[str]:
        words = np.unique(column)
        if len(words) > max(20, 0.5 * len(column)) or len(words) > MOST_WORDS:
            warnings.warn(
                f"column {name!r} has {len(words)} different words in {len(column)} rows and is left out; drop it, or "
                "turn it into numbers or fewer categories yourself",
                UserWarning,
                stacklevel=4,
            )
            return []
        return words.tolist()

    def _n_columns(self) -> int:
        return sum(len(self.words_.get(name, " ")) for name in self.names_)


def _words(X, name) -> np.ndarray | None:
    """Words of a column, or None where it holds numbers."""
    column = X[name]
    if getattr(column, "ndim", 1) != 1:
        raise InputError(f"two columns of X are called {name!r}; give each a name of its own")
    kind = str(column.dtype).lower()
    if "datetime" in kind or kind in ("date", "time") or "duration" in kind or "timedelta" in kind:
        raise InputError(f"column {name!r} holds dates ({column.dtype}); turn it into numbers, such as days or hours")
    if kind.startswith(("categor", "enum", "str", "utf8")):
        return np.array(_as_words(column))
    values = column.to_numpy()
    if values.dtype.kind in "biuf":
        return None
    if values.dtype.kind == "O" and all(_is_number(v) or _is_missing(v) for v in values):
        return None
    return np.array(_as_words(column))


def _numbers(X, name) -> np.ndarray:
    values = X[name].to_numpy()
    if values.dtype.kind == "O":
        values = [np.nan if _is_missing(v) else v for v in values]
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"column {name!r} held numbers in training and now holds {error}; give numbers") from error


def _as_words(column) -> list[str]:
    return ["(missing)" if _is_missing(value) else str(value) for value in column.to_numpy().tolist()]


def _is_number(value) -> bool:
    return isinstance(value, int | float | np.number | np.bool_)


def _is_missing(value) -> bool:
    return value is None or value != value or type(value).__name__ in ("NAType", "NaTType")
