"""Arrays of NumPy and SciPy: npz archives, and npy files mapped into memory."""

import io
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse

from .base import Dataset, Layout, Request, Rows, check_width
from .source import Source

OPTIONS = ()
NPZ, NPY = b"PK\x03\x04", b"\x93NUMPY"
_PARTS = ("data", "indices", "indptr", "shape")


def read(source: Source, request: Request) -> Dataset:
    """X and y of an archive with keys X, y or X_train, y_train, X_test, y_test; or the one array of an npy file."""
    if source.head(8).startswith(NPY):
        return _matrix(source, request, _stored(source))
    archive = _Archive(source)
    part = "_train" if archive.has("X_train") else ""
    X, y = archive.rows("X" + part, request.dtype), archive.target("y" + part, request.target)
    archive.same_length(X, y, part)
    check_width(request.like, X.shape[1], source.name, f"key X{part}")
    X_test = archive.rows("X_test", request.dtype) if archive.has("X_test") else None
    y_test = archive.target("y_test", request.target) if X_test is not None else None
    if X_test is not None:
        archive.same_length(X_test, y_test, "_test")
        check_width(Layout(X.shape[1]), X_test.shape[1], source.name, "key X_test")
    names = archive.names(X.shape[1])
    return Dataset(X, y, names, source.name, X_test, y_test, Layout(X.shape[1], sparse=scipy.sparse.issparse(X)))


def blocks(source: Source, rows: int, request: Request) -> Iterator[Dataset]:
    """Blocks of rows; an npy file stays on disk, an archive is read at once."""
    if source.head(8).startswith(NPY):
        stored = _stored(source)
        yield from (_matrix(source, request, stored[at : at + rows]) for at in range(0, len(stored), rows))
        return
    whole = read(source, request)
    for start in range(0, whole.X.shape[0], rows):
        at = slice(start, start + rows)
        y = None if whole.y is None else whole.y[at]
        yield Dataset(whole.X[at], y, whole.feature_names, source.name, layout=whole.layout)


def exact_float(stored: np.dtype) -> np.dtype:
    """The smallest of float32 and float64 that holds every number of a type."""
    small = stored.kind == "b" or (stored.kind in "iuf" and stored.itemsize <= (4 if stored.kind == "f" else 2))
    return np.dtype(np.float32 if small else np.float64)


def _stored(source: Source) -> np.ndarray:
    """The array of an npy file: mapped where it lies on disk, else read."""
    try:
        if source.path is not None and source.plain_size is not None:
            stored = np.load(source.path, mmap_mode="r", allow_pickle=False)
        else:
            with source.open() as file:
                stored = np.load(io.BytesIO(file.read()), allow_pickle=False)
    except Exception as error:
        raise source.error("the header or the data", _broken(error)) from error
    if stored.ndim != 2 or stored.dtype.kind not in "biuf":
        raise source.error(
            "the array", f"{stored.dtype} of shape {stored.shape}; rows are a 2-dimensional array of numbers"
        )
    return stored


def _matrix(source: Source, request: Request, stored: np.ndarray) -> Dataset:
    """Rows of an npy file, which stay mapped when they are floats and no column of them is the target."""
    X, y = _split(stored, request.target, source)
    check_width(request.like, X.shape[1], source.name)
    return Dataset(_floats(X, request.dtype), y, None, source.name, layout=Layout(X.shape[1]))


def _split(stored: np.ndarray, target: Any, source: Source) -> tuple[np.ndarray, np.ndarray | None]:
    """Rows and the column of them that is the target, if there is one."""
    if target in ("auto", None):
        return stored, None
    at = {"first": 0, "last": stored.shape[1] - 1}.get(target, target)
    if not isinstance(at, int | np.integer) or not -stored.shape[1] <= at < stored.shape[1]:
        raise source.error("", f"target is {target!r}; the array has columns 0 to {stored.shape[1] - 1} and no names")
    return np.delete(stored, at, axis=1), np.array(stored[:, at])


def _floats(X: Any, dtype: np.dtype | None) -> Any:
    wanted = dtype or exact_float(X.dtype)
    return X if X.dtype == wanted and X.dtype.isnative else X.astype(wanted)


def _broken(error: Exception) -> str:
    return f"truncated, damaged or not what NumPy writes ({type(error).__name__}: {error}); write it again"


class _Archive:
    """Keys of an npz file, each checked as it is taken out."""

    def __init__(self, source: Source):
        self._source = source
        with source.open() as file:
            whole = source.path if source.plain_size is not None else io.BytesIO(file.read())
        try:
            with zipfile.ZipFile(whole) as archive:
                self._keys = {name.removesuffix(".npy") for name in archive.namelist()}
            self._file = np.load(whole, allow_pickle=False)
        except Exception as error:
            raise source.error("", _broken(error)) from error
        if not (self.has("X") or self.has("X_train") or {*_PARTS} <= self._keys):
            raise source.error(
                "",
                f"holds the keys {', '.join(sorted(self._keys)) or '(none)'}; save rows as X, or X_train and X_test, "
                "as an array or as CSR parts X_data, X_indices, X_indptr, X_shape, and the target as y",
            )

    def has(self, key: str) -> bool:
        return key in self._keys or f"{key}_data" in self._keys

    def take(self, key: str) -> np.ndarray:
        try:
            return self._file[key]
        except Exception as error:
            raise self._source.error(f"key {key}", _broken(error)) from error

    def rows(self, key: str, dtype: np.dtype | None) -> Rows:
        """A dense array, CSR parts, or a file of scipy.sparse.save_npz, as floats."""
        if key in self._keys:
            X = self.take(key)
            if X.ndim != 2 or X.dtype.kind not in "biuf":
                raise self._source.error(
                    f"key {key}", f"{X.dtype} of shape {X.shape}; rows are a 2-dimensional array of numbers"
                )
            return np.ascontiguousarray(_floats(X, dtype))
        data, indices, indptr, shape = (self.take(f"{key}_{p}" if self.has(key) else p) for p in _PARTS)
        bad = [v.dtype for v, kinds in ((data, "biuf"), (indices, "iu"), (indptr, "iu")) if v.dtype.kind not in kinds]
        layout = str(self.take("format").item()) if "format" in self._keys and not self.has(key) else "csr"
        try:
            if bad or shape.shape != (2,):
                raise ValueError(f"types {bad}, shape {shape}")
            index = [v.astype(np.int64) if v.dtype.kind == "u" else v for v in (indices, indptr)]
            form = {"csr": scipy.sparse.csr_array, "csc": scipy.sparse.csc_array}[_text(layout)]
            X = form((_floats(data, dtype), *index), shape=tuple(int(v) for v in shape))
            X.check_format(full_check=True)
        except Exception as error:
            raise self._source.error(f"keys {key}_*", f"the parts are not those of a CSR matrix ({error})") from error
        X = scipy.sparse.csr_array(X)
        X.sum_duplicates()
        return X

    def target(self, key: str, target: Any) -> np.ndarray | None:
        """The target: a 1-dimensional array of numbers or strings; another key when told."""
        key = target if isinstance(target, str) and target != "auto" else key
        if target is None or (key not in self._keys and target == "auto"):
            return None
        if key not in self._keys:
            raise self._source.error("", f"there is no key {key!r}; the keys are {', '.join(sorted(self._keys))}")
        y = self.take(key)
        y = y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y
        if y.ndim != 1 or y.dtype.kind not in "biufU":
            raise self._source.error(
                f"key {key}", f"{y.dtype} of shape {y.shape}; a target is a 1-dimensional array of numbers or strings"
            )
        return y

    def names(self, n_columns: int) -> np.ndarray | None:
        if "feature_names" not in self._keys:
            return None
        names = self.take("feature_names").astype(str)
        if names.shape != (n_columns,):
            raise self._source.error("key feature_names", f"shape {names.shape} for {n_columns} columns; one name each")
        return names

    def same_length(self, X: Rows, y: np.ndarray | None, part: str) -> None:
        if y is not None and len(y) != X.shape[0]:
            raise self._source.error(
                f"key y{part}", f"{len(y)} values for {X.shape[0]} rows of X{part}; one target per row is needed"
            )


def _text(value: str) -> str:
    return value[2:-1] if value.startswith("b'") else value
