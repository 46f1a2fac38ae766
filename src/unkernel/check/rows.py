"""The door of the check: what users bring becomes rows, targets and a task, or is refused with the remedy."""

import re
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from .._validate import InputError, check_choice, check_classes, check_matrix, check_numbers
from ..data.base import Dataset
from ..data.encoding import Encoder, has_words, is_frame

TASKS = ("auto", "classification", "regression")


class Rows(NamedTuple):
    """Canonical rows, their targets, and what kind of question this is.

    Attributes
    ----------
    X : ndarray or CSR
    y : ndarray
        Class numbers, int32, or float64 targets.
    classes : ndarray or None
        Labels of the class numbers; None for a regression.
    names : list of str or None
        Names of the columns, where they have any.
    encoded : bool
        Whether columns of a frame held words, each of which is a column of X.
    """

    X: Any
    y: np.ndarray
    classes: np.ndarray | None
    names: list[str] | None
    encoded: bool = False

    @property
    def strata(self) -> np.ndarray:
        """What a split should keep in proportion: the class, or nothing."""
        return self.y if self.classes is not None else np.zeros(len(self.y), dtype=np.int32)

    @property
    def n_classes(self) -> int:
        """0 for a regression."""
        return 0 if self.classes is None else len(self.classes)

    @property
    def task(self) -> str:
        """ "classification" or "regression"."""
        return "regression" if self.classes is None else "classification"


def open_rows(X: Any, y: Any, task: str = "auto") -> Rows:
    """Rows of a matrix, a frame or a `Dataset`; missing values and lonely classes are refused here.

    Columns of words in a frame become indicator columns, as they do when a file is read.
    A target is a number to predict if it is a float that is not whole, or has so many values that few rows share one;
    `task` overrules that.
    """
    check_choice("task", task, TASKS)
    named = None
    if isinstance(X, Dataset):
        X, y, named = X.X, X.y if y is None else y, X.feature_names
    if y is None:
        raise InputError("y is None; the check compares models of a target: give one value per row")
    X, names, encoded = _without_words(X)
    names = names if named is None else named.tolist()
    X = _matrix(X, names)
    if min(X.shape) == 0:
        raise InputError(f"X has shape {X.shape}; at least one row and one column are needed")
    _refuse_sizes(X, names)
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise InputError(f"y has shape {y.shape}; the check takes one target at a time: pass one column of it")
    if looks_continuous(y) if task == "auto" else task == "regression":
        y = check_numbers(y, X.shape[0])
        _refuse_sizes(y[:, None], ["y"])
        return _enough(Rows(X, y, None, names, encoded))
    classes, index = check_classes(y, X.shape[0])
    return _enough(Rows(X, index, classes, names, encoded))


def looks_continuous(y: np.ndarray) -> bool:
    """Whether a target is an amount rather than a label.

    Examples
    --------
    >>> import numpy as np
    >>> looks_continuous(np.array([0.5, 1.5, 2.0])), looks_continuous(np.array([1.0, 2.0, 1.0]))
    (True, False)
    """
    if y.dtype.kind not in "fiu":
        return False
    values = y[np.isfinite(y)] if y.dtype.kind == "f" else y
    if y.dtype.kind == "f" and np.any(values != np.floor(values)):
        return True
    distinct = len(np.unique(values))
    return distinct > 20 and len(values) < 10 * distinct


def _matrix(X: Any, names: list[str] | None) -> Any:
    """Canonical rows; a refusal names the column as the user does."""
    try:
        return check_matrix(X)
    except InputError as error:
        found = re.search(r"column (\d+)", str(error))
        if names is None or found is None:
            raise
        raise InputError(str(error).replace(found[0], f"column {names[int(found[1])]!r}")) from None


def _without_words(X: Any) -> tuple[Any, list[str] | None, bool]:
    """The same with numbers alone, names of its columns, and whether words were encoded.

    An array of objects is refused: its columns have no names under which new rows could be encoded alike.
    """
    if has_words(X):
        encoder = Encoder().fit(X)
        return encoder.transform(X), encoder.get_feature_names_out().tolist(), True
    names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
    if is_frame(X) or scipy.sparse.issparse(X) or getattr(X, "dtype", np.dtype(float)).kind not in "OUS":
        return X, names, False
    words = [
        f"column {j}"
        for j, column in enumerate(np.asarray(X, dtype=object).T)
        if any(isinstance(value, str) and not _is_number(value) for value in column)
    ]
    if words:
        raise InputError(
            f"X has {len(words)} columns that are not numbers: {', '.join(words[:5])}{', ...' if words[5:] else ''}; "
            "give a pandas or polars frame, whose columns of words are encoded, or drop them"
        )
    return X, names, False


def _refuse_sizes(X: Any, names: list[str] | None) -> None:
    """Refuse columns whose squares overflow or vanish: no scale can be found for them."""
    if scipy.sparse.issparse(X):
        low, high = (np.ravel(ends.toarray()) for ends in (X.min(axis=0), X.max(axis=0)))
    else:
        low, high = X.min(axis=0), X.max(axis=0)
    size, kind = np.maximum(np.abs(low), np.abs(high)), np.finfo(X.dtype)
    most, least = min(1e30, 0.1 * np.sqrt(kind.max)), max(1e-30, 10 * np.sqrt(kind.tiny))
    wrong = np.flatnonzero((size > most) | ((size < least) & (size > 0)))
    if len(wrong):
        j = int(wrong[0])
        named = f"column {j}" if names is None else names[j] if names == ["y"] else f"column {names[j]!r}"
        do = "divide" if size[j] > 1 else "multiply"
        raise InputError(
            f"{named} has values up to {size[j]:.3g} and sizes between {least:.0e} and {most:.0e} can be scaled; "
            f"{do} it by a power of ten first, in new rows too"
        )


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _enough(rows: Rows) -> Rows:
    n = len(rows.y)
    if n < 20:
        raise InputError(
            f"X has {n} rows; the check holds a quarter of them back and needs at least 20: bring more rows"
        )
    if rows.classes is not None and np.sort(np.bincount(rows.y))[-2] < 2:
        raise InputError(
            "all classes but one have a single row; a class is judged on rows it was not trained on and needs two: "
            "merge classes, or pass task='regression' if y is an amount"
        )
    return rows
