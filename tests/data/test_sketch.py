"""What a column is, told from its values."""

import pyarrow as pa
import pytest

from unkernel.data.base import Column, ReadError
from unkernel.data.sketch import Sketch, find_kind, to_numbers
from unkernel.data.source import Source

SOURCE = Source("table.csv")


def column(*batches, most=9, told=False, as_target=False):
    sketch, start = Sketch("c", most=None if as_target else most, told=told), 0
    for values in batches:
        sketch.see(SOURCE, values if isinstance(values, pa.Array) else pa.array(values), start)
        start += len(values)
    return sketch.target() if as_target else sketch.column(SOURCE)


@pytest.mark.parametrize(
    ("batches", "kind"),
    [
        ([["1", "2.5"], ["-3e2", "+4"]], "number"),
        ([["true", "FALSE"], ["True"]], "boolean"),
        ([["1", "2"], ["2", "3+"]], "category"),
        ([[1, 2]], "number"),
        ([[True, False]], "boolean"),
        ([pa.array(["x", "y"]).dictionary_encode()], "category"),
        ([pa.array([1, 2]).dictionary_encode()], "category"),
    ],
)
def test_kinds(batches, kind):
    assert column(*batches).kind == kind


def test_vocabulary_is_whole_and_sorted():
    assert column(["b", "a"], ["c", "a"]) == Column("c", "category", ("a", "b", "c"))
    assert column([2, 10], [1], told=True).categories == ("1", "10", "2")


def test_targets_keep_their_kind():
    assert column(["1", "2"], ["3"], as_target=True).kind == "whole"
    assert column(["1", "2.5"], as_target=True).kind == "number"
    assert column([1.0, 2.0], as_target=True).kind == "whole"
    assert column(["1"], ["a"], as_target=True).kind == "text"
    assert column([str(i) for i in range(500)] + ["?!"], as_target=True).kind == "text"


def test_a_slip_among_numbers_is_named_with_its_row():
    numbers = [str(v) for v in range(50, 150)]
    with pytest.raises(ReadError, match="data row 103, column 'c': 'abc' stands among numbers"):
        column(numbers, ["1", "2", "abc"])
    assert column(numbers, ["abc"], told=True, most=200).kind == "category"


def test_identifiers_are_refused_or_warned_of():
    with pytest.raises(ReadError, match=r"more than 9 different values, such as 'n0'; .*drop=\['c'\]"):
        column([f"n{i}" for i in range(5)], [f"n{i}" for i in range(5, 10)])
    with pytest.warns(UserWarning, match=r"numbers the rows.*drop=\['c'\]"):
        column(list(range(7, 17)), list(range(17, 37)))


@pytest.mark.filterwarnings("error")
def test_what_does_not_number_the_rows_is_left_alone():
    column(list(range(5)))
    column(list(range(10)), list(range(11, 30)))
    column([float(i) + 0.5 for i in range(30)])


def test_missing_values_are_counted():
    sketch = Sketch("c", most=9)
    sketch.see(SOURCE, pa.array(["1", "2"]), 0)
    sketch.see(SOURCE, pa.array(["1", None, None]), 2)
    assert (sketch.rows, sketch.missing, sketch.first_missing) == (5, 2, 3)
    sketch = Sketch("c", most=9)
    sketch.see(SOURCE, pa.array([1.0, float("nan"), None]), 0)
    assert (sketch.missing, sketch.first_missing) == (2, 1)


@pytest.mark.parametrize(
    "array",
    [
        pa.array([0], pa.date32()),
        pa.array([0], pa.timestamp("s")),
        pa.array([b"x"]),
        pa.array([[1]]),
        pa.array([{"a": 1}]),
    ],
    ids=lambda array: str(array.type),
)
def test_types_that_are_no_numbers_are_refused_with_the_remedy(array):
    with pytest.raises(ReadError, match=r"numbers, booleans and texts are what can be read.*drop=\['c'\]"):
        find_kind(SOURCE, "c", array)


def test_numbers_come_out_whole():
    number, boolean = Column("c", "number"), Column("c", "boolean")
    assert to_numbers(SOURCE, number, pa.array(["1", "2.5"]), 0).tolist() == [1, 2.5]
    assert to_numbers(SOURCE, number, pa.array([1, 2], pa.decimal128(5, 2)), 0).tolist() == [1, 2]
    assert to_numbers(SOURCE, boolean, pa.array(["True", "false"]), 0).tolist() == [1, 0]
    for array, found in (
        (["1", "x"], "'x' stands where numbers do"),
        ([1.0, None], "missing"),
        (["0", "inf"], "inf is"),
    ):
        with pytest.raises(ReadError, match=f"data row 12, column 'c': .*{found}"):
            to_numbers(SOURCE, number, pa.array(array), 10)
    with pytest.raises(ReadError, match="data row 2, column 'c': '7'"):
        to_numbers(SOURCE, boolean, pa.array(["true", "7"]), 0)
