"""Finding the format, and the options of `read`."""

import gzip
import io

import numpy as np
import pytest

from unkernel import iter_blocks, read
from unkernel.data.base import ReadError
from unkernel.data.reader import find_format
from unkernel.data.source import Source

SVMLIGHT = b"# made by hand\n\n+1 1:0.5 3:2\n-1 2:1\n"


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("a.svm", b"anything", "svmlight"),
        ("a.libsvm.gz", b"anything", "svmlight"),
        ("a", SVMLIGHT, "svmlight"),
        ("a.t", gzip.compress(SVMLIGHT, mtime=0), "svmlight"),
        ("a.txt", b"1 qid:3 1:2\n", "svmlight"),
        ("a.CSV", b"anything", "csv"),
        ("a.csv.bz2", b"anything", "csv"),
        ("a.data", b"5.1,3.5,setosa\n", "csv"),
        ("a.data", b"a;b\n1;2\n", "csv"),
        ("a.data", b"a\tb\n", "tsv"),
        ("a.tsv", b"anything", "tsv"),
        ("a.csv", b"PAR1....", "parquet"),
        ("a.csv", b"PK\x03\x04", "npz"),
        ("a", b"\x93NUMPY", "npy"),
    ],
)
def test_the_format_is_told_by_content_then_by_name(name, content, format, tmp_path):
    (tmp_path / name).write_bytes(content)
    assert find_format(Source(tmp_path / name)) == format


@pytest.mark.parametrize("content", [b"", b"\0\1\2,\n", b"one two three\n", b"# only a comment\n"])
def test_an_unknown_format_is_refused_with_the_choices(content):
    with pytest.raises(ReadError, match=r"format cannot be told.*'svmlight', 'csv'"):
        read(io.BytesIO(content))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"format": "xls"}, "format is 'xls'; it must be one of 'svmlight'"),
        ({"target": 1.5}, "target is 1.5"),
        ({"target": True}, "target is True"),
        ({"dtype": np.int32}, "dtype is 'int32'"),
        ({"like": "train"}, "like is 'train'"),
        ({"zerobased": True}, "zerobased is not an option of npy files"),
    ],
)
def test_a_wrong_option_is_named(wrong, message):
    file = io.BytesIO()
    np.save(file, np.eye(3))
    file.seek(0)
    with pytest.raises(ValueError, match=message):
        read(file, **wrong)


def test_blocks_have_at_least_a_row():
    with pytest.raises(ValueError, match="rows is 0"):
        iter_blocks(io.BytesIO(SVMLIGHT), rows=0)
