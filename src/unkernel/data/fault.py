"""Where delimited text is wrong: what the parser refuses is looked up again, line by line, to name the place."""

import csv
import io
from typing import Any

from .base import ReadError
from .source import Source


class Quotes(io.RawIOBase):
    """A file that counts the quotes that pass: an odd number may be a quote that was never closed."""

    def __init__(self, file: Any):
        self._file, self.n = file, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        n = self._file.readinto(buffer)
        self.n += bytes(buffer[:n]).count(b'"')
        return n


def refuse_open_quote(source: Source, separator: str) -> None:
    """Raise when a quote swallowed the end of the file; an odd quote inside a cell is none of our business."""
    line = _walk(source, separator, None)
    if line is not None:
        raise source.error(
            f"line {line}", "a quote is opened here and never closed, or stands astray; close it or double it", line
        )


def find_fault(source: Source, names: list[str], separator: str, said: str) -> ReadError:
    """The error for what Arrow refused, with the line where it can be found by reading again."""
    if "Empty CSV" in said:
        return source.error("", "holds no rows; check that it is the right file")
    if "UTF8" in said or "UTF-8" in said:
        line = _not_utf8(source)
        return source.error(
            f"line {line}" if line else "", "is not UTF-8 text; write the file as UTF-8 (iconv -t UTF-8)", line
        )
    line = _walk(source, separator, len(names))
    where = f"line {line}" if line else ""
    if "Expected" in said:
        found = said.partition("Expected")[2].partition(":")[0].strip()
        return source.error(
            where,
            f"{found} cells ({len(names)} in the first row); mend the line, or check separator={separator!r}",
            line,
        )
    return source.error(where, f"cannot be parsed ({said}); check its quotes and separator={separator!r}", line)


def _walk(source: Source, separator: str, n_cells: int | None) -> int | None:
    """First line with another number of cells, or where an unclosed quote begins; None where that cannot be told."""
    if not source.repeatable:
        return None
    start = 1
    with source.open() as file:
        lines = csv.reader(
            io.TextIOWrapper(file, "utf-8", "replace", newline=""), delimiter=separator, strict=n_cells is None
        )
        try:
            for row in lines:
                if n_cells is not None and row and len(row) != n_cells:
                    return start
                start = lines.line_num + 1
        except csv.Error:
            return start
    return None


def _not_utf8(source: Source) -> int | None:
    if source.repeatable:
        with source.open() as file:
            for number, line in enumerate(file, 1):
                try:
                    line.decode()
                except UnicodeDecodeError:
                    return number
    return None
