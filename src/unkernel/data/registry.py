"""`load`: data sets by name, from a folder of yours, from the cache, or from where they are published."""

import difflib
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from .._beside import beside
from .._blocks import Progress
from .._validate import InputError
from .base import Dataset, Layout
from .download import DownloadError, fetch
from .entries import BASES, CUTS, LIBSVM, PAPERS, USED, Base, Cut
from .reader import read

_SEED = 20160323  # of every random cut: the same rows on every machine


class Entry(NamedTuple):
    """What the registry knows of a name."""

    name: str
    train: int
    test: int | None
    columns: int
    base: str
    papers: tuple[str, ...]
    where: str
    note: str


def load(name: str, *, download: bool = True, progress: Progress | None = None) -> Dataset:
    """A data set of the papers, or one of the others the registry knows, by name.

    Looked for in the folder that UNKERNEL_DATA names, then in the cache, then downloaded from the LIBSVM site or OpenML
    and kept in the cache. Sets that a paper cut at random are cut with a fixed seed to the sizes it states;
    `unkernel data show NAME` says what is known and what is assumed.

    Parameters
    ----------
    name : str
        As `unkernel data list` prints it.
    download : bool
        Whether the network may be used.
    progress : callable or None
        Called with (bytes done, bytes in all) during a download.

    Returns
    -------
    Dataset
        With `X_test` and `y_test` where the set has a test part.

    Examples
    --------
    >>> from unkernel import load
    >>> load("digits")
    <Dataset digits: 1797 rows, 64 columns, dense float64, target int64>
    """
    entry = find(name)
    path = locate(entry.base)
    whole = read(path) if path is not None else _get(entry.base, download, progress)
    data = _cut(whole, CUTS[name]) if name in CUTS else whole
    y, y_test = (None if v is None else _wide(v, BASES[entry.base].numbers) for v in (data.y, data.y_test))
    return _as_stated(replace(data, y=y, y_test=y_test, source=name), entry, path)


def find(name: str) -> Entry:
    """What is known of a name; a misspelt one is answered with those that are near."""
    if name not in BASES and name not in CUTS:
        near = difflib.get_close_matches(str(name), [*BASES, *CUTS], 3)
        meant = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise InputError(f"there is no data set {name!r}; `unkernel data list` names those there are{meant}")
    cut = CUTS.get(name)
    base = BASES[cut.base if cut else name]
    size = cut or base
    note = "; ".join(note for note in (cut.note if cut else "", base.note) if note)
    if cut and cut.take in ("draw", "pool", "train"):
        note = "; ".join(filter(None, ["rows drawn with a fixed seed, since the paper's are unknown", note]))
    if base.openml and base.test:
        note = "; ".join(filter(None, [note, "downloaded, the first rows of OpenML's file are the train part"]))
    columns = (cut and cut.columns) or base.columns
    papers = cut.papers if cut else USED.get(name, ())
    base_name = cut.base if cut else name
    where = LIBSVM + base.files[0] if base.files else f"OpenML {base.openml}" if base.openml else ""
    where = "scikit-learn" if name == "digits" else where
    return Entry(name, size.train, size.test, columns, base_name, tuple(PAPERS[p] for p in papers), where, note)


def names() -> list[str]:
    """All names, in alphabetical order."""
    return sorted({*BASES, *CUTS})


def cache_folder() -> Path:
    """Where downloads are kept: UNKERNEL_CACHE, else the user's cache folder."""
    if told := os.environ.get("UNKERNEL_CACHE"):
        return Path(told)
    home = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "unkernel"


def locate(base: str) -> Path | None:
    """The file of a base that is on this machine, if there is one."""
    folders = [Path(os.environ["UNKERNEL_DATA"])] if os.environ.get("UNKERNEL_DATA") else []
    return next((p for f in [*folders, cache_folder()] if (p := f / f"{base}.npz").is_file()), None)


def is_here(name: str) -> bool:
    """Whether a named set can be loaded without a network."""
    return name == "digits" or locate(find(name).base) is not None


def _get(name: str, download: bool, progress: Progress | None) -> Dataset:
    """A base from where it is published, kept in the cache as npz."""
    if name == "digits":
        from sklearn.datasets import load_digits

        X, y = load_digits(return_X_y=True)
        return Dataset(X, y, layout=Layout(X.shape[1]))
    base, target = BASES[name], cache_folder() / f"{name}.npz"
    by_hand = (
        f"put it at {target}, or in the folder that UNKERNEL_DATA names, as an npz with X_train, y_train"
        + (", X_test, y_test" if base.test else "")
        + f" ({base.train} x {base.columns})"
    )
    if not base.files and not base.openml:
        why = f" ({base.note})" if base.note else ""
        raise DownloadError(f"{name} is not on this machine, and is nowhere to be had automatically{why}: {by_hand}")
    if not download:
        raise DownloadError(f"{name} is not on this machine, and download is off: allow it, or {by_hand}")
    try:
        data = _from_libsvm(name, base, progress) if base.files else _from_openml(base)
    except DownloadError as error:
        raise DownloadError(f"{error}; or {by_hand}") from error
    write(target, data)
    return data


def _from_libsvm(name: str, base: Base, progress: Progress | None) -> Dataset:
    """Both parts from the LIBSVM site, dense where most entries are."""
    parts = []
    for file in base.files:
        if file is not None:
            path = fetch(LIBSVM + file, cache_folder() / "raw" / name / Path(file).name, progress=progress)
            part = read(path, format="svmlight", n_columns=base.columns, zero_based=False)
            parts.append((_compact(part.X), part.y))
    (X, y), (X_test, y_test) = parts[0], parts[1] if len(parts) > 1 else (None, None)
    return Dataset(X, y, None, name, X_test, y_test, Layout(base.columns, sparse=scipy.sparse.issparse(X)))


def _compact(X: scipy.sparse.csr_array) -> Any:
    dense = X.nnz > 0.2 * X.shape[0] * X.shape[1]
    return X.toarray() if dense else X


def _from_openml(base: Base) -> Dataset:
    """From OpenML, which checks its own checksums; the train part comes first."""
    from sklearn.datasets import fetch_openml

    try:
        got = fetch_openml(data_id=base.openml, as_frame=False, parser="liac-arff", data_home=str(cache_folder()))
    except (OSError, ValueError) as error:
        raise DownloadError(f"OpenML data set {base.openml} cannot be had ({error})") from error
    X, y = np.asarray(got.data, dtype=np.float64), np.asarray(got.target)
    y = y.astype(np.float64) if base.numbers else y.astype(str)
    n = base.train
    test = (X[n:], y[n:]) if base.test else (None, None)
    return Dataset(X[:n], y[:n], None, "", *test, Layout(X.shape[1]))


def write(path: str | Path, data: Dataset) -> None:
    """Write a data set as the npz archive that `read` takes."""
    arrays: dict[str, Any] = {}
    for part, X, y in (("train", data.X, data.y), ("test", data.X_test, data.y_test)):
        if X is None:
            continue
        if y is not None:
            arrays[f"y_{part}"] = y
        if scipy.sparse.issparse(X):
            arrays |= {f"X_{part}_{what}": getattr(X, what) for what in ("data", "indices", "indptr", "shape")}
        else:
            arrays[f"X_{part}"] = X
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with beside(path, "wb") as file:
        np.savez_compressed(file, **arrays)


def _cut(data: Dataset, cut: Cut) -> Dataset:
    """The rows, columns and classes that a paper takes of a base."""
    X, y, X_test, y_test = data.X, data.y, data.X_test, data.y_test
    if cut.take == "swap":
        X, y, X_test, y_test = X_test, y_test, X, y
    elif cut.take in ("pool", "train"):
        if cut.take == "pool" and X_test is not None:
            stack = scipy.sparse.vstack if scipy.sparse.issparse(X) else np.concatenate
            X, y = stack([X, X_test]), np.concatenate([y, y_test])
        order = _order(X.shape[0])
        first, second = order[: cut.train], order[cut.train : cut.train + (cut.test or 0)]
        X, y, X_test, y_test = _rows(X, first), y[first], _rows(X, second), y[second]
    elif cut.take == "draw":
        first = _order(X.shape[0])[: cut.train]
        X, y = _rows(X, first), y[first]
        if X_test is not None and cut.test is not None and cut.test < X_test.shape[0]:
            second = _order(X_test.shape[0])[: cut.test]
            X_test, y_test = _rows(X_test, second), y_test[second]
    if cut.columns is not None:
        X, X_test = X[:, : cut.columns], None if X_test is None else X_test[:, : cut.columns]
    if cut.positive is not None:
        y, y_test = (None if v is None else np.where(np.isin(v.astype(int), cut.positive), 1, -1) for v in (y, y_test))
    layout = Layout(X.shape[1], sparse=scipy.sparse.issparse(X))
    return Dataset(X, y, None, data.source, X_test, y_test, layout)


def _wide(y: np.ndarray, numbers: bool) -> np.ndarray:
    """Targets as float64, classes as int64 where they are whole: nothing overflows in a difference."""
    if numbers or y.dtype.kind not in "iufb":
        return y.astype(np.float64) if numbers else y
    return y.astype(np.int64) if np.array_equal(y, y.astype(np.int64)) else y


def _order(n: int) -> np.ndarray:
    return np.random.default_rng(_SEED).permutation(n)


def _rows(X: Any, rows: np.ndarray) -> Any:
    return scipy.sparse.csr_array(X)[rows] if scipy.sparse.issparse(X) else X[rows]


def _as_stated(data: Dataset, entry: Entry, path: Path | None) -> Dataset:
    """Refuse a set whose size is not what its entry states."""
    tests = None if data.X_test is None else data.X_test.shape[0]
    found, stated = (data.X.shape[0], tests, data.X.shape[1]), (entry.train, entry.test, entry.columns)
    if found[::2] != stated[::2] or tests not in (entry.test, None):
        told = [f"{a} train and {b or 'no'} test rows of {c} columns" for a, b, c in (found, stated)]
        raise InputError(f"{entry.name} has {told[0]}, and {told[1]} are expected; replace {path or 'the download'}")
    return data
