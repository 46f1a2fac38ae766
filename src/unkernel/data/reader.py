"""`read` and `iter_blocks`: find out the format, ask its reader."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from .._blocks import Progress
from .._validate import InputError, check_choice, check_integer
from .arrays import NPY, NPZ
from .base import Dataset, Reader, Request
from .source import Source

# Format -> module that reads it.
FORMATS = {"svmlight": "svmlight", "csv": "delimited", "tsv": "delimited", "parquet": "parquet", "npz": "arrays",
           "npy": "arrays"}  # fmt: skip
_SUFFIXES = {".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight", ".csv": "csv", ".tsv": "tsv",
             ".tab": "tsv"}  # fmt: skip
_PACKED = (".gz", ".bz2", ".xz")
_PAIR = re.compile(rb"\S+\s+(qid|\d+):\S")


def read(
    path: Any,
    *,
    target: str | int | None = "auto",
    format: str | None = None,
    like: Dataset | None = None,
    dtype: Any = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Dataset:
    """Rows, target and names of one file, whatever its format.

    The format is told by content, then by the end of the name; gzip, bzip2 and xz are opened on the way. A file that is
    malformed or truncated raises `ReadError` with its name, the line, row group or key, and the reason.

    Parameters
    ----------
    path : str, path or binary file object
        What to read; `sys.stdin.buffer` for a pipe.
    target : str, int or None
        Column of a table that becomes y: a name, a number, "first" or "last"; the key in an npz file. "auto" is the
        label of svmlight text, the last column of a table, y of an npz file, and none of an npy file. None when there
        is no target: every column goes to X.
    format : {"svmlight", "csv", "tsv", "parquet", "npz", "npy"} or None
        None finds out.
    like : Dataset or None
        Read as this data set was read: the same columns, in the same order, with the same vocabulary. Give the training
        set when reading a test file.
    dtype : float32, float64 or None
        Type of X. None is float64 for text and tables; for arrays, the smallest float that holds every stored number.
    n_jobs : int or None
        Threads, as in joblib. The result does not depend on them.
    progress : callable or None
        Called with (bytes done, bytes in all) where a file is read in parts.
    **options
        Of the format: `zero_based`, `n_columns` (svmlight); `header`, `separator`, `drop`, `categorical`,
        `max_categories`, `sparse` (csv, tsv; the last four for parquet).

    Returns
    -------
    Dataset
        With `X`, `y`, `feature_names`, `source`, and `X_test`, `y_test` where the file holds a split.

    Examples
    --------
    >>> import io, numpy as np
    >>> from unkernel import read
    >>> file = io.BytesIO()
    >>> np.savez(file, X=np.eye(2, dtype=np.uint8), y=[1, -1])
    >>> _ = file.seek(0)
    >>> read(file).X
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    source = Source(path)
    reader, request = _prepare(source, target, format, like, dtype, options)
    return reader.read(source, Request(**{**vars(request), "n_jobs": n_jobs, "progress": progress}))


def iter_blocks(
    path: Any,
    *,
    rows: int = 65536,
    target: str | int | None = "auto",
    format: str | None = None,
    like: Dataset | None = None,
    dtype: Any = None,
    **options: Any,
) -> Iterator[Dataset]:
    """The rows of a file in blocks, in bounded memory; put together they are what `read` gives.

    A first pass finds width, vocabulary and the like, so a stream that can be read only once needs `like`.

    Parameters
    ----------
    path, target, format, like, dtype, **options
        As for `read`.
    rows : int
        Most rows a block may hold.

    Yields
    ------
    Dataset

    Examples
    --------
    >>> import io, numpy as np
    >>> from unkernel import iter_blocks
    >>> file = io.BytesIO()
    >>> np.save(file, np.eye(3))
    >>> _ = file.seek(0)
    >>> [block.X.shape for block in iter_blocks(file, rows=2)]
    [(2, 3), (1, 3)]
    """
    rows = check_integer("rows", rows, least=1)
    source = Source(path)
    reader, request = _prepare(source, target, format, like, dtype, options)
    return reader.blocks(source, rows, request)


def _prepare(source, target, format, like, dtype, options) -> tuple[Reader, Request]:
    format = find_format(source) if format is None else check_choice("format", format, FORMATS)
    reader = import_module(f".{FORMATS[format]}", __package__)
    unknown = sorted(set(options) - set(reader.OPTIONS))
    if unknown:
        known = ", ".join(reader.OPTIONS) or "none"
        raise InputError(f"{unknown[0]} is not an option of {format} files; their options are: {known}")
    if target is not None and (isinstance(target, bool) or not isinstance(target, str | int | np.integer)):
        raise InputError(f'target is {target!r}; it must be a name, a column number, "first", "last", "auto" or None')
    if dtype is not None:
        dtype = np.dtype(dtype)
        check_choice("dtype", dtype.name, ("float32", "float64"))
    if like is not None and (not isinstance(like, Dataset) or like.layout is None):
        raise InputError(f"like is {like!r}; it must be a Dataset that `read` returned")
    if format == "tsv":
        options = {"separator": "\t", **options}
    return reader, Request(target, dtype, like and like.layout, options=options)


def find_format(source: Source) -> str:
    """Format of a file: by its first bytes where they are a signature, by its name, by its first line."""
    head = source.head()
    for magic, format in ((NPZ, "npz"), (b"PK\x05\x06", "npz"), (NPY, "npy"), (b"PAR1", "parquet")):
        if head.startswith(magic):
            return format
    name = source.name.lower()
    for suffix in _PACKED:
        name = name.removesuffix(suffix)
    for suffix, format in _SUFFIXES.items():
        if name.endswith(suffix):
            return format
    lines = [line for line in head.splitlines() if line.strip() and not line.lstrip().startswith(b"#")]
    if any(_PAIR.match(line.lstrip()) for line in lines[:100]):
        return "svmlight"
    if lines and b"\0" not in head:
        for separator, format in ((b"\t", "tsv"), (b",", "csv"), (b";", "csv")):
            if separator in lines[0]:
                return format
    found = f"starts with {head[:16]!r}" if head else "is empty"
    raise source.error(
        "", f"the format cannot be told: the file {found}; give format=, one of {', '.join(map(repr, FORMATS))}"
    )
