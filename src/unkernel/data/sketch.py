"""What a column of a table is, told from all of its values: numbers, true or false, or one of a few texts."""

import warnings
from typing import Any

import numpy as np

from .base import Column
from .source import Source

_WORDS = {"true", "false"}
_COUNTED = 20  # rows from which a column 1, 2, 3, ... is taken for row numbers, and numbers that make a text a slip


class Sketch:
    """Facts about one column, gathered batch by batch.

    Parameters
    ----------
    name : str
    most : int or None
        Categories kept; None keeps none, as for a target.
    told : bool
        Whether the column was said to hold categories.
    """

    def __init__(self, name: str, *, most: int | None, told: bool = False):
        self.name, self.most, self.told = name, most, told
        self.rows, self.missing, self.first_missing = 0, 0, -1
        self.is_text, self.is_whole, self.is_boolean, self.counts_rows = told, True, True, True
        self.vocabulary: set[str] | None = None if most is None else set()
        self.n_numbers, self.n_texts = 0, 0
        self.stray: tuple[int, str] | None = None
        self._first = 0.0

    def see(self, source: Source, array: Any, start: int) -> None:
        """Take in the values from data row `start` on."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if pa.types.is_dictionary(array.type):  # categories as far as whoever wrote the file is concerned
            self.told = self.is_text = True
        self.is_boolean = self.is_boolean and pa.types.is_boolean(array.type)
        kind, array = find_kind(source, self.name, array)
        self.rows += len(array)
        if array.null_count:
            self.missing += array.null_count
            if self.first_missing < 0:
                holes = array.is_null().to_numpy(zero_copy_only=False)
                self.first_missing = start + int(np.flatnonzero(holes)[0])
        values = array.drop_null()
        if self.told or (kind == "text" and self.vocabulary is not None):
            self._collect(pc.unique(values.cast(pa.string())).to_pylist())
        if kind == "text" and not self.told:
            try:
                values = pc.cast(values, pa.float64())
            except pa.ArrowInvalid:
                self._is_not_number(array, start)
                return
            self.n_numbers += len(values)
        if not self.told:
            self._count(values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), start)

    def _collect(self, values: list[str]) -> None:
        if self.vocabulary is not None:
            self.vocabulary.update(values)
            if len(self.vocabulary) > self.most:
                self.vocabulary = None

    def _is_not_number(self, array: Any, start: int) -> None:
        """Count which values are numbers, and remember the first that is not."""
        self.is_text, self.is_whole, self.counts_rows = True, False, False
        for row, value in enumerate(array.to_pylist()):
            if value is None:
                continue
            if _is_number(value):
                self.n_numbers += 1
            else:
                self.n_texts += 1
                self.stray = self.stray or (start + row, value)

    def _count(self, numbers: np.ndarray, start: int) -> None:
        """Note whether all are whole, and whether they go up by one from row to row."""
        whole = bool(np.isfinite(numbers).all() and np.all(np.mod(numbers, 1) == 0))
        self.is_whole = self.is_whole and whole
        if start == 0 and len(numbers):
            self._first = numbers[0]
        if self.counts_rows:
            steps = np.arange(start, start + len(numbers)) + self._first
            self.counts_rows = whole and not self.missing and np.array_equal(numbers, steps)

    def column(self, source: Source) -> Column:
        """The column as part of X."""
        if not self.is_text:
            if self.counts_rows and self.rows >= _COUNTED:
                warnings.warn(
                    f"{source.name}: column {self.name!r} numbers the rows, which says nothing about a new row; "
                    + leave_out([self.name]),
                    stacklevel=6,
                )
            return Column(self.name, "boolean" if self.is_boolean else "number")
        slip = self.stray is not None and self.n_numbers > _COUNTED and self.n_numbers > 9 * self.n_texts
        if slip and not self.told:
            row, value = self.stray
            raise source.error(
                f"data row {row + 1}, column {self.name!r}",
                f"{value!r} stands among numbers ({self.n_texts} of {self.rows} values are none); mend or drop such "
                f"rows, name what stands for missing with missing=, or give categorical=[{self.name!r}]",
            )
        if self.vocabulary is None:
            raise source.error(
                f"column {self.name!r}",
                f"holds text with more than {self.most} different values{self._example()}; names and identifiers say "
                f"nothing about a new row: {leave_out([self.name])}, or raise max_categories (--max-categories)",
            )
        if {value.lower() for value in self.vocabulary} <= _WORDS and not self.told:
            return Column(self.name, "boolean")
        return Column(self.name, "category", tuple(sorted(self.vocabulary)))

    def _example(self) -> str:
        if self.stray is None:
            return ""
        value = self.stray[1]
        comma = " (numbers are written with a point, not a comma)" if _is_number(value.replace(",", ".", 1)) else ""
        return f", such as {value[:40]!r}{comma}"

    def target(self) -> Column:
        """The column as y."""
        return Column(self.name, "text" if self.is_text else "whole" if self.is_whole else "number")


def find_kind(source: Source, name: str, array: Any) -> tuple[str, Any]:
    """Kind of an Arrow array, "number" or "text", and the array as plain numbers (missing ones null) or strings."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if pa.types.is_dictionary(kind):
        array = array.dictionary_decode().cast(pa.string())
        kind = array.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return "text", array.cast(pa.string())
    if pa.types.is_null(kind) or pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        return "number", array
    if pa.types.is_decimal(kind) or pa.types.is_floating(kind):
        array = array.cast(pa.float64())
        return "number", pc.if_else(pc.is_nan(array), pa.scalar(None, pa.float64()), array) if len(array) else array
    raise source.error(
        f"column {name!r}",
        f"holds {kind}, and numbers, booleans and texts are what can be read; make numbers of it (a date: days since a "
        f"day, the weekday), or {leave_out([name])}",
    )


def to_numbers(source: Source, column: Column, array: Any, start: int) -> np.ndarray:
    """The values of a column as float64; a value that is missing or no finite number is refused with its row."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind, array = find_kind(source, column.name, array)
    if kind == "text":
        try:
            if column.kind == "boolean":
                array = pc.cast(pc.utf8_lower(array), pa.bool_())
            else:
                array = pc.cast(array, pa.float64())
        except pa.ArrowInvalid:
            fine = _is_number if column.kind != "boolean" else lambda value: value.lower() in _WORDS
            row, value = next((i, v) for i, v in enumerate(array.to_pylist()) if v is not None and not fine(v))
            raise source.error(
                f"data row {start + row + 1}, column {column.name!r}",
                f"{value!r} stands where numbers do; mend the row",
            ) from None
    numbers = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    wrong = ~np.isfinite(numbers)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        found = "a value is missing; impute first" if array[row].as_py() is None else (
            f"{numbers[row]} is no finite number; mend or drop the row"
        )  # fmt: skip
        raise source.error(f"data row {start + row + 1}, column {column.name!r}", found)
    return numbers


def leave_out(names: list[str]) -> str:
    """How to read a file without some columns, in Python and on the command line."""
    words = " ".join(f"--drop {name!r}" if " " in name else f"--drop {name}" for name in names)
    return f"leave {'it' if len(names) == 1 else 'them'} out with drop={names!r} ({words} on the command line)"


def _is_number(value: str) -> bool:
    """Whether Arrow reads a text as a number; Python alone takes underscores."""
    try:
        float(value)
    except ValueError:
        return False
    return "_" not in value
