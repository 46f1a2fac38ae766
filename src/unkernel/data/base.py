"""The contract of a reader: a file in, a `Dataset` out, or a `ReadError` that says where the file is wrong.

A reader is a module with `read(source, request)` and `blocks(source, rows, request)`. It takes a `Source` (bytes,
whatever they came from) and a `Request` (what the caller asked for), and never passes part of
a file off as all of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
import scipy.sparse

from .._blocks import Progress
from .._validate import InputError

Rows = np.ndarray | scipy.sparse.csr_array


class ReadError(InputError):
    """A file that cannot be read: which file, where in it, why, and what to do.

    Parameters
    ----------
    path : str
        The file, or what stands for it when reading a stream.
    where : str
        Line, row group, key or byte, in words; empty when the file as a whole is meant.
    reason : str
        What was found, what is allowed, what to do.
    line : int or None
        The line, counted from one, where the format has lines.
    """

    def __init__(self, path: str, where: str, reason: str, line: int | None = None):
        super().__init__(path, where, reason, line)
        self.path, self.where, self.reason, self.line = path, where, reason, line

    def __str__(self) -> str:
        return f"{self.path}{', ' if self.where else ''}{self.where}: {self.reason}"


class ColumnError(ReadError):
    """A column was named that the file does not have: a slip of who asked, not a fault of the file."""


class Column(NamedTuple):
    """One column of a table: its name, its kind (number, boolean, category or text), and the categories it can take."""

    name: str
    kind: str
    categories: tuple[str, ...] = ()


class Layout(NamedTuple):
    """How the columns of a file became columns of X, so that another file can be read the same way.

    Parameters
    ----------
    n_columns : int
        Columns of X.
    columns : tuple of Column
        Columns of a table that X is made of; empty for formats without named columns.
    target : Column or None
        The column y came from.
    zero_based : bool or None
        Whether indices of an svmlight file count from zero.
    sparse : bool
        Whether X is CSR.
    named : bool
        Whether the file itself names its columns.
    """

    n_columns: int
    columns: tuple[Column, ...] = ()
    target: Column | None = None
    zero_based: bool | None = None
    sparse: bool = False
    named: bool = False


@dataclass(frozen=True, repr=False)
class Dataset:
    """Rows and their target, with the names and the place they come from.

    Parameters
    ----------
    X : ndarray or csr_array of shape (n, d)
        float32 or float64.
    y : ndarray of shape (n,) or None
        Numbers or strings; None where the file has no target.
    feature_names : ndarray of str or None
        One name per column of X, where the file has names.
    source : str
        The file, or the name in the registry.
    X_test, y_test : as X and y, or None
        The second part of a set that comes with a split.
    layout : Layout or None
        How columns of the file became columns of X; `read(other, like=dataset)` uses it.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import Dataset
    >>> Dataset(np.eye(3), np.array(["a", "b", "b"]), source="three rows")
    <Dataset three rows: 3 rows, 3 columns, dense float64, target <U1>
    """

    X: Rows
    y: np.ndarray | None = None
    feature_names: np.ndarray | None = None
    source: str = ""
    X_test: Rows | None = None
    y_test: np.ndarray | None = None
    layout: Layout | None = None

    @property
    def categories(self) -> dict[str, tuple[str, ...]]:
        """Vocabulary of each one-hot encoded column of the file, in the order of their columns in X."""
        columns = self.layout.columns if self.layout else ()
        return {column.name: column.categories for column in columns if column.kind == "category"}

    def __repr__(self) -> str:
        n, d = self.X.shape
        form = "sparse" if scipy.sparse.issparse(self.X) else "dense"
        target = "no target" if self.y is None else f"target {self.y.dtype}"
        test = "" if self.X_test is None else f", {self.X_test.shape[0]} test rows"
        return f"<Dataset {self.source}: {n} rows{test}, {d} columns, {form} {self.X.dtype}, {target}>"


@dataclass(frozen=True)
class Request:
    """What the caller of `read` asked for, already checked."""

    target: Any = "auto"
    dtype: np.dtype | None = None
    like: Layout | None = None
    n_jobs: int | None = None
    progress: Progress | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def option(self, name: str, otherwise: Any) -> Any:
        """One option of a format."""
        return self.options.get(name, otherwise)

    @property
    def text_dtype(self) -> np.dtype:
        """Type of numbers written as text: float64 unless told."""
        return self.dtype or np.dtype(np.float64)


class Reader(Protocol):
    """What a reader module offers."""

    OPTIONS: tuple[str, ...]

    @staticmethod
    def read(source: Any, request: Request) -> Dataset:
        """The whole file."""

    @staticmethod
    def blocks(source: Any, rows: int, request: Request) -> Iterator[Dataset]:
        """The file in blocks of at most `rows` rows, one after the other in bounded memory."""


def check_width(layout: Layout | None, n_columns: int, path: str, where: str = "") -> None:
    """Refuse rows that are not as wide as those of the data set they should be like."""
    if layout is not None and layout.n_columns != n_columns:
        raise ReadError(
            path,
            where,
            f"{n_columns} columns, where the data set it should be like has {layout.n_columns}; "
            "give both the same columns",
        )
