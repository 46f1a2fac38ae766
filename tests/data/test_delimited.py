"""CSV and TSV: headers, separators, quotes, packing; and faults by line."""

import bz2
import gzip
import io

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from unkernel import InputError, iter_blocks, read
from unkernel.data import delimited
from unkernel.data.base import ReadError

TEXT = b"size,city,price\n1,rome,10\n2.5,paris,20\n-3e1, rome ,30\n"


def parse(text, **options):
    return read(io.BytesIO(text), **{"format": "csv", **options})


def test_numbers_categories_and_target():
    data = parse(TEXT)
    assert data.feature_names.tolist() == ["size", "city=paris", "city=rome"]
    assert_array_equal(data.X, [[1, 0, 1], [2.5, 1, 0], [-30, 0, 1]])
    assert data.categories == {"city": ("paris", "rome")}
    assert_array_equal(data.y, [10, 20, 30])
    assert data.y.dtype == np.int64
    assert parse(TEXT, dtype=np.float32).X.dtype == np.float32


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (TEXT, "csv"),
        (TEXT.replace(b",", b";"), "csv"),
        (TEXT.replace(b",", b"\t"), "tsv"),
        (TEXT.replace(b"\n", b"\r\n"), "csv"),
        (b"\xef\xbb\xbf" + TEXT, "csv"),
        (b"\n\n" + TEXT.replace(b"\n", b"\n\n"), "csv"),
        (TEXT.replace(b"1,rome", b'1,"rome"'), "csv"),
        (TEXT[:-1], "csv"),
        (gzip.compress(TEXT), "csv"),
        (bz2.compress(TEXT), "csv"),
    ],
    ids=["commas", "semicolons", "tabs", "crlf", "mark", "blank lines", "quotes", "no last newline", "gz", "bz2"],
)
def test_the_same_table_in_other_clothes(text, format):
    assert_array_equal(parse(text, format=format).X, parse(TEXT).X)


def test_a_cell_may_hold_separators_quotes_and_newlines():
    data = parse(b'a,b,y\n"x, y",1,0\n"he said ""no""",2,1\n"two\nlines",3,0\n')
    assert data.categories == {"a": ('he said "no"', "two\nlines", "x, y")}


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        (["a", "b"], ["1", "2"], True),
        (["a", "b"], ["x", "y"], True),
        (["a", "a"], ["x", "y"], False),
        (["5.1", "3.5", "setosa"], ["4", "2", "setosa"], False),
        (["id", "2019"], ["7", "1.5"], True),
        (["0", "1", "2"], ["5", "5", "5"], True),
        (["1", "2", "3", "label"], ["5", "5", "5", "x"], True),
        (["7", "2"], ["1", "3"], False),
        (["?", "2"], ["1", "3"], False),
    ],
)
def test_a_header_is_told_from_the_rows(first, second, named):
    assert delimited.is_header(first, second) is named


def test_a_header_can_be_told():
    text = b"a,b\nc,d\na,d\n"
    assert parse(text).X.shape == (2, 2)
    data = parse(text, header=False)
    assert data.X.shape == (3, 2)
    assert data.feature_names is None
    assert data.y.tolist() == ["b", "d", "d"]


def test_a_column_without_a_name_can_be_dropped():
    text = b",a,y\n0,5,1\n1,6,0\n"
    for drop in (0, -3, "column 1", ["column 1"]):
        data = parse(text, drop=drop)
        assert data.feature_names.tolist() == ["a"]
    assert_array_equal(parse(text, like=data).X, data.X)


def test_what_stands_for_missing_can_be_told():
    text = b"a,y\nNA,1\nb,2\n"
    with pytest.raises(ReadError, match="data row 1, column 'a': a value is missing"):
        parse(text)
    assert parse(text, missing="").categories == {"a": ("NA", "b")}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (b"a,b,y\n1,2,3\n1,2\n", 3, "got 2 cells \\(3 in the first row"),
        (b"a,b,y\n1,2,3\n1,2,3,4\n", 3, "got 4 cells"),
        (b'a,b\n"x\ny",2\n1\n', 4, "got 1 cells"),
        (b'a,b\n1,2\n1,"2\n3,4\n', 3, "a quote is opened here and never closed"),
        (b"a,b\n1,2\n1,caf\xe9\n", 3, "not UTF-8"),
        (b"a,a\n1,2\n", 1, "two columns are called 'a'"),
        (b",a,y\n0,1,2\n", 1, "the column has no name"),
        (b"a,b\n", None, "holds no rows"),
        (b"", None, "is empty"),
        (b"\n \n", None, "is empty"),
        ("a,b\n1,2\n".encode("utf-16"), None, "not UTF-8"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text, line, message):
    with pytest.raises(ReadError, match=message) as caught:
        parse(text)
    assert caught.value.line == line


def test_wrong_options_are_named():
    with pytest.raises(InputError, match="separator is '::'"):
        parse(TEXT, separator="::")
    with pytest.raises(InputError, match="header is 1"):
        parse(TEXT, header=1)


def test_a_truncated_packed_table_is_refused():
    packed = gzip.compress(TEXT * 1000)
    with pytest.raises(ReadError, match="truncated or damaged"):
        parse(packed[: len(packed) // 2])


@pytest.mark.parametrize("rows", [1, 2, 7, 5000])
def test_blocks_put_together_are_the_file(rows, monkeypatch, tmp_path):
    monkeypatch.setattr(delimited, "BLOCK", 4096)
    rng = np.random.default_rng(0)
    lines = [
        f"{a:.3f},{c},{y}"
        for a, c, y in zip(rng.normal(size=900), rng.choice(list("pqrs"), 900), range(900), strict=True)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["a,c,y", *lines]))
    whole = read(tmp_path / "t.csv")
    blocks = list(iter_blocks(tmp_path / "t.csv", rows=rows))
    assert [len(b.y) for b in blocks] == [min(rows, 900 - s) for s in range(0, 900, rows)]
    assert_array_equal(np.vstack([b.X for b in blocks]), whole.X)
    assert_array_equal(np.concatenate([b.y for b in blocks]), whole.y)


def test_a_row_longer_than_a_block_is_read(monkeypatch):
    monkeypatch.setattr(delimited, "BLOCK", 64)
    wide = ",".join(str(v) for v in range(100, 1100)).encode()
    assert parse(wide + b"\n" + wide).X.shape == (2, 999)
