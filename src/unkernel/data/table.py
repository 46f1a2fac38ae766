"""Columns of a table to rows of numbers: numbers stay one column, text becomes one column per category.

A first pass sketches each column (its kind, its vocabulary, what is missing) and decides the layout; a second writes X.
Both see the table as batches, so a file is read the same whole or in blocks.
"""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any

import numpy as np
import scipy.sparse

from .._validate import InputError, check_choice, check_integer
from .base import Column, ColumnError, Dataset, Layout, Request, check_width
from .sketch import Sketch, find_kind, leave_out, to_numbers
from .source import Source

OPTIONS = ("drop", "categorical", "max_categories", "sparse")
Batches = Callable[[], Iterator[Any]]


def read_table(source: Source, request: Request, batches: Batches, named: bool) -> Dataset:
    """All rows of the batches, kept while they are sketched unless the layout is known."""
    kept: list[Any] = []
    layout = _known(request)
    if layout is None:
        layout = _survey(source, request, batches(), named, kept.append)
    else:
        kept += (batch for batch in batches() if batch.num_rows)
        if not kept:
            raise source.error("", "holds no rows; check that it is the right file")
    n = sum(batch.num_rows for batch in kept)
    X, ys, start = _room(n, layout, request), [], 0
    for batch in kept:
        part, y = _encode(source, request, layout, batch, start)
        if layout.sparse:
            X.append(part)
        else:
            X[start : start + batch.num_rows] = part
        ys.append(y)
        start += batch.num_rows
    X = scipy.sparse.csr_array(scipy.sparse.vstack(X)) if layout.sparse else X
    y = None if ys[0] is None else np.concatenate(ys)
    return Dataset(X, y, names_of(layout), source.name, layout=layout)


def table_blocks(source: Source, rows: int, request: Request, batches: Batches, named: bool) -> Iterator[Dataset]:
    """The batches, encoded in blocks of `rows`."""
    import pyarrow as pa

    layout = _known(request)
    if layout is None:
        if not source.repeatable:
            raise InputError(
                f"{source.name} is a stream, which can be read once, and the categories of its columns are not known "
                "before the end; give like="
            )
        layout = _survey(source, request, batches(), named, lambda batch: None)
    waiting, held, start = [], 0, 0
    for batch in batches():
        while batch.num_rows:
            piece, batch = batch.slice(0, rows - held), batch.slice(rows - held)
            waiting.append(piece)
            held += piece.num_rows
            if held == rows:
                yield _block(source, request, layout, pa.concat_batches(waiting), start)
                waiting, held, start = [], 0, start + rows
    if waiting:
        yield _block(source, request, layout, pa.concat_batches(waiting), start)


def _known(request: Request) -> Layout | None:
    """The layout of the data set that this one should be like, if that was a table."""
    return request.like if request.like is not None and request.like.columns else None


def names_of(layout: Layout) -> np.ndarray | None:
    """One name per column of X: `column`, or `column=category`."""
    if not layout.named:
        return None
    names = (
        [c.name] if c.kind != "category" else [f"{c.name}={value}" for value in c.categories] for c in layout.columns
    )
    return np.array([name for some in names for name in some])


def _block(source, request, layout, batch, start) -> Dataset:
    X, y = _encode(source, request, layout, batch, start)
    return Dataset(X, y, names_of(layout), source.name, layout=layout)


def _room(n: int, layout: Layout, request: Request) -> Any:
    return [] if layout.sparse else np.zeros((n, layout.n_columns), dtype=request.text_dtype)


def _survey(source: Source, request: Request, batches: Iterator[Any], named: bool, keep: Callable) -> Layout:
    """Sketch every column and decide the layout; refuses what cannot become numbers, naming the column."""
    sketches, n, most = None, 0, check_integer("max_categories", request.option("max_categories", 256), least=1)
    for batch in batches:
        if sketches is None:
            names = batch.schema.names
            target = _target(source, request, names)
            dropped = _chosen(source, request, "drop", names)
            told = _chosen(source, request, "categorical", names)
            sketches = {
                name: Sketch(name, most=None if name == target else most, told=name in told)
                for name in names
                if name not in dropped
            }
        for name, sketch in sketches.items():
            sketch.see(source, batch.column(name), n)
        keep(batch)
        n += batch.num_rows
    if not n:
        raise source.error("", "holds no rows; check that it is the right file")
    _refuse_missing(source, sketches, target, n)
    columns = tuple(sketch.column(source) for name, sketch in sketches.items() if name != target)
    if not columns:
        raise source.error("", "no column is left for X; give another target, or drop fewer columns")
    width = sum(max(1, len(c.categories)) if c.kind == "category" else 1 for c in columns)
    check_width(request.like, width, source.name)
    sparse = check_choice("sparse", request.option("sparse", "auto"), ("auto", True, False))
    sparse = width >= 100 and len(columns) <= width / 10 if sparse == "auto" else sparse
    y = sketches[target].target() if target is not None else None
    return Layout(width, columns, y, sparse=bool(sparse), named=named)


def _target(source: Source, request: Request, names: list[str]) -> str | None:
    """Name of the target column: by its name, else its number, else its place."""
    target = request.target
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise source.error("the header", f"two columns are called {twice!r}; give each its own name")
    if target is None or target in names:
        return target
    at = {"auto": -1, "last": -1, "first": 0}.get(target, target)
    if isinstance(at, str) or not -len(names) <= at < len(names):
        raise _no_column(source, f"there is no column {target!r} for the target", target, names)
    if target == "auto" and len(names) == 1:
        return None
    return names[at]


def _chosen(source: Source, request: Request, option: str, names: list[str]) -> set[str]:
    """Names of the columns that an option lists by name or number."""
    given = request.option(option, ())
    found = set()
    for one in [given] if isinstance(given, str | int) else given:
        if one in names:
            found.add(one)
        elif isinstance(one, int | np.integer) and -len(names) <= one < len(names):
            found.add(names[one])
        else:
            raise _no_column(source, f"{option} names {one!r}, which is no column", one, names)
    return found


def _no_column(source: Source, what: str, name: object, names: list[str]) -> ColumnError:
    """What was asked for and is not there, with what it may have meant."""
    near = [repr(n) for n in get_close_matches(str(name), names, n=3)]
    meant = f"did you mean {' or '.join(near)}? The columns are" if near else "the columns are"
    return ColumnError(source.name, "", f"{what}; {meant} {_listed(names)}")


def _listed(names: list[str], most: int = 20) -> str:
    return ", ".join(map(repr, names[:most])) + (f" and {len(names) - most} more" if len(names) > most else "")


def _refuse_missing(source: Source, sketches: dict[str, Sketch], target: str | None, n: int) -> None:
    """One error for all columns with missing values, with what can be done about them."""
    if target is not None and sketches[target].missing:
        count, row = sketches[target].missing, sketches[target].first_missing
        raise source.error(
            f"data row {row + 1}, column {target!r}",
            f"the target is missing here ({count} of {n} rows); drop such rows: every row needs a target",
        )
    holes = [sketch for sketch in sketches.values() if sketch.missing]
    if holes:
        told = "; ".join(f"column {s.name!r} lacks {s.missing} of {n} values" for s in holes[:10])
        more = f"; and {len(holes) - 10} more columns" if len(holes) > 10 else ""
        names = [s.name for s in holes[:10]]
        raise source.error(
            f"data row {holes[0].first_missing + 1}, column {holes[0].name!r}",
            f"a value is missing ({told}{more}); impute first (the median for numbers, a category of its own for "
            f"text, for example with sklearn.impute.SimpleImputer), or {leave_out(names)}",
        )


def _encode(source: Source, request: Request, layout: Layout, batch: Any, start: int) -> tuple[Any, np.ndarray | None]:
    """X and y of one batch whose first row is data row `start`."""
    names = batch.schema.names
    dtype, n = request.text_dtype, batch.num_rows
    X, entries, at = (None if layout.sparse else np.zeros((n, layout.n_columns), dtype)), [], 0
    for place, column in enumerate(layout.columns):
        array = batch.column(_place(source, layout, names, column, place))
        if column.kind == "category":
            rows, codes = _codes(source, column, array, start)
            values, width = np.ones(len(rows), dtype), len(column.categories)
            columns = codes + at
        else:
            values = to_numbers(source, column, array, start).astype(dtype)
            rows, columns, width = np.arange(n), np.full(n, at), 1
        if layout.sparse:
            held = values != 0
            entries.append((rows[held], columns[held], values[held]))
        else:
            X[rows, columns] = values
        at += width
    if layout.sparse:
        rows, columns, values = (np.concatenate(part) for part in zip(*entries, strict=True))
        X = scipy.sparse.csr_array((values, (rows, columns)), shape=(n, layout.n_columns))
    return X, _labels(source, request, layout, batch, start)


def _place(source: Source, layout: Layout, names: list[str], column: Column, place: int) -> int:
    """Where a column of the layout stands in a file: by name, or by position where files name nothing."""
    if column.name in names:
        if not layout.named and layout.target is not None and len(names) == len(layout.columns):
            return place  # no names, and the target is not there
        return names.index(column.name)
    if not layout.named and len(names) == len(layout.columns):
        return place
    raise source.error("", f"there is no column {column.name!r}, which the data set it should be like has; the columns "
                       f"are {_listed(names)}")  # fmt: skip


def _labels(source: Source, request: Request, layout: Layout, batch: Any, start: int) -> np.ndarray | None:
    """The target of one batch; None where the file, unlike the one it should be like, has none."""
    column, names = layout.target, batch.schema.names
    absent = request.like is not None and not layout.named and len(names) == len(layout.columns)
    if column is None or request.target is None or column.name not in names or absent:
        return None
    array = batch.column(column.name)
    if array.null_count:
        row = int(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[0])
        raise source.error(f"data row {start + row + 1}, column {column.name!r}", "the target is missing; drop the row")
    if column.kind == "text":
        return np.array(find_kind(source, column.name, array)[1].to_pylist(), dtype=str)
    y = to_numbers(source, column, array, start)
    return y.astype(np.int64) if column.kind == "whole" else y


def _codes(source: Source, column: Column, array: Any, start: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and positions in the vocabulary; a value never seen before is warned of and sets no column."""
    import warnings

    import pyarrow as pa
    import pyarrow.compute as pc

    if array.null_count:
        row = int(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[0])
        raise source.error(f"data row {start + row + 1}, column {column.name!r}", "a value is missing; impute first")
    text = find_kind(source, column.name, array)[1].cast(pa.string())
    codes = pc.index_in(text, value_set=pa.array(column.categories, pa.string())).to_numpy(zero_copy_only=False)
    new = np.isnan(codes) if codes.dtype.kind == "f" else np.zeros(len(codes), dtype=bool)
    if new.any():
        row = int(np.flatnonzero(new)[0])
        warnings.warn(
            f"{source.name}, data row {start + row + 1}, column {column.name!r}: {text[row].as_py()!r} is a category "
            f"never seen before; {int(new.sum())} such values count as none of the known ones",
            stacklevel=6,
        )
    return np.flatnonzero(~new), codes[~new].astype(np.int64)
