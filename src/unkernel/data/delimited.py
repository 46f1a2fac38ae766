"""Delimited text, CSV and TSV: one row a line, cells between separators, quotes where a cell holds one."""

import csv
import io
from collections.abc import Iterator
from itertools import islice
from typing import Any

from .._validate import InputError, check_choice
from . import table
from .base import Dataset, Request
from .fault import Quotes, find_fault, refuse_open_quote
from .sketch import leave_out
from .source import Source

OPTIONS = ("header", "separator", "missing", *table.OPTIONS)
MISSING = ("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
BLOCK = 1 << 23  # bytes that Arrow parses at once; at least one line


def read(source: Source, request: Request) -> Dataset:
    """The whole file; each column's kind is told from all of its values."""
    named, batches = _open(source, request)
    return table.read_table(source, request, batches, named)


def blocks(source: Source, rows: int, request: Request) -> Iterator[Dataset]:
    """The file in blocks; a first pass over it finds kinds and vocabularies."""
    named, batches = _open(source, request)
    return table.table_blocks(source, rows, request, batches, named)


def _open(source: Source, request: Request) -> tuple[bool, table.Batches]:
    """Whether the file names its columns, and its batches of texts."""
    need_arrow(source)
    top = _first_rows(source, request)
    known = request.like is not None and request.like.columns
    header = check_choice("header", request.option("header", "auto"), ("auto", True, False))
    if header == "auto":
        header = request.like.named if known else is_header(*top.rows)
    names = [name.strip() for name in top.rows[0]] if header else [str(j) for j in range(len(top.rows[0]))]
    names = [name or f"column {j}" for j, name in enumerate(names, 1)]
    if header and not known:
        _refuse_unnamed(source, top.rows[0], request)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise source.error("line 1", f"two columns are called {twice!r}; give each its own name", 1)
    missing = request.option("missing", MISSING)
    missing = [missing] if isinstance(missing, str) else list(missing)
    return bool(header), lambda: _batches(source, names, bool(header), top, missing)


def _refuse_unnamed(source: Source, first: list[str], request: Request) -> None:
    """A column without a name must be dropped: it is a row index as a rule."""
    dropped = request.option("drop", ())
    dropped = [dropped] if isinstance(dropped, str | int) else dropped
    for j, name in enumerate(first):
        if not name.strip() and not {j, j - len(first), f"column {j + 1}"} & set(dropped):
            raise source.error(
                f"line 1, column {j + 1}",
                f"the column has no name (a row index, perhaps); name it, or {leave_out([f'column {j + 1}'])}",
                1,
            )


class Top:
    """The first two rows, the lines the first takes, the separator, and the bytes of the longest line seen."""

    def __init__(self, rows: list[list[str]], lines: int, separator: str, longest: int):
        self.rows, self.lines, self.separator, self.longest = rows, lines, separator, longest


def _first_rows(source: Source, request: Request) -> Top:
    size = 1 << 16
    head = source.head(size)
    while head.count(b"\n") < 3 and len(head) == size and size < 1 << 26:
        size *= 8
        head = source.head(size)
    if not head.strip():
        raise source.error("", "is empty; check that it is the right file")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head:
        raise source.error("", "is not UTF-8 text; write it as UTF-8, or check that it is a table of text")
    text = head.decode("utf-8-sig", errors="replace")
    first = next(line for line in text.splitlines() if line.strip())
    separator = request.option("separator", None)
    if separator is None:
        separator = max(",;\t", key=first.count)
    if not isinstance(separator, str) or len(separator) != 1 or separator in '"\r\n':
        raise InputError(f"separator is {separator!r}; it must be one character, such as ',' or a tab")
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        first = next(row for row in lines if row)
        used = lines.line_num
        rows = [first, *(row for row in islice(lines, 9) if row)][:2]
    except csv.Error as error:
        raise source.error(f"line {lines.line_num}", f"cannot be read ({error}); check quotes and separator") from None
    return Top(rows, used, separator, max(map(len, head.splitlines())))


def is_header(first: list[str], second: list[str] | None = None) -> bool:
    """Whether the first row names the columns: text over numbers, all text and distinct, or a plain numbering."""
    first = [cell.strip() for cell in first]
    if any(_number(cell) is None and cell not in MISSING for cell in first) and second is not None:
        over = zip(first, second, strict=False)
        if any(_number(a) is None and a not in MISSING and _number(b) is not None for a, b in over):
            return True
    numbers = [_number(cell) for cell in first if _number(cell) is not None]
    if not numbers:
        return len(set(first)) == len(first)
    return len(first) > 1 and numbers in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _batches(source: Source, names: list[str], header: bool, top: Top, missing: list[str]) -> Iterator[Any]:
    """Record batches of trimmed texts, null where a value is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv as arrow_csv

    texts = pa.array(missing, pa.string())
    try:
        with source.open() as file:
            counted = Quotes(file)
            reader = arrow_csv.open_csv(
                pa.PythonFile(counted, mode="r"),
                arrow_csv.ReadOptions(
                    block_size=max(BLOCK, 4 * top.longest),
                    column_names=names,
                    skip_rows=header * top.lines,
                    use_threads=False,
                ),
                arrow_csv.ParseOptions(delimiter=top.separator, newlines_in_values=True),
                arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
            )
            for batch in reader:
                columns = [pc.utf8_trim_whitespace(column) for column in batch.columns]
                holes = [pc.is_in(column, value_set=texts) for column in columns]
                none = pa.scalar(None, pa.string())
                filled = [pc.if_else(hole, none, column) for hole, column in zip(holes, columns, strict=True)]
                yield pa.record_batch(filled, names=names)
            if counted.n % 2:
                refuse_open_quote(source, top.separator)
    except pa.ArrowInvalid as error:
        raise find_fault(source, names, top.separator, str(error)) from None


def need_arrow(source: Source) -> None:
    """Refuse with the remedy where pyarrow is not installed."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise source.error("", "tables need pyarrow, which is an extra: pip install 'unkernel[arrow]'") from None
