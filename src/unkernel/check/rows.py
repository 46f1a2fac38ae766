"""The door of the check: what users bring becomes rows, targets and a task, or is refused with the remedy."""

import re
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from .._validate import InputError, check_choice, check_classes, check_matrix, check_numbers
from ..data.base import Dataset

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
    """

    X: Any
    y: np.ndarray
    classes: np.ndarray | None
    names: list[str] | None

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
    """Rows of a matrix, a frame or a `Dataset`; missing values, words and lonely classes are refused here.

    A target is a number to predict if it is a float that is not whole, or has so many values that few rows share one;
    `task` overrules that.
    """
    check_choice("task", task, TASKS)
    if isinstance(X, Dataset):
        X, y = X.X, X.y if y is None else y
    if y is None:
        raise InputError("y is None; the check compares models of a target: give one value per row")
    names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
    _no_words(X)
    X = _matrix(X, names)
    if min(X.shape) == 0:
        raise InputError(f"X has shape {X.shape}; at least one row and one column are needed")
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim != 1:
        raise InputError(f"y has shape {y.shape}; the check takes one target at a time: pass one column of it")
    if looks_continuous(y) if task == "auto" else task == "regression":
        return _enough(Rows(X, check_numbers(y, X.shape[0]), None, names))
    classes, index = check_classes(y, X.shape[0])
    return _enough(Rows(X, index, classes, names))


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


def _no_words(X) -> None:
    """Refuse columns of text by name: what to do with them is the user's to say."""
    if hasattr(X, "dtypes") and hasattr(X, "columns"):
        kinds = [str(kind).lower() for kind in X.dtypes]
        marks = ("object", "str", "categor", "enum", "date", "time")
        words = [str(c) for c, kind in zip(X.columns, kinds, strict=True) if any(mark in kind for mark in marks)]
    elif scipy.sparse.issparse(X) or getattr(X, "dtype", np.dtype(float)).kind not in "OUS":
        return
    else:
        words = []
        for j, column in enumerate(np.asarray(X, dtype=object).T):
            if any(isinstance(value, str) and not _is_number(value) for value in column):
                words.append(f"column {j}")
    if words:
        raise InputError(
            f"X has {len(words)} columns that are not numbers: {', '.join(words[:5])}{', ...' if words[5:] else ''}; "
            "encode them, for example with sklearn.preprocessing.OneHotEncoder, or drop them"
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
