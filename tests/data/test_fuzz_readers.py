"""Whatever the bytes, a reader gives a sound data set or a ReadError with a place: no crash, no hang, nothing else."""

import bz2
import csv
import gzip
import io
import lzma
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from unkernel import iter_blocks, read
from unkernel.data.base import ReadError

fuzz = settings(max_examples=120, deadline=20_000, suppress_health_check=list(HealthCheck), derandomize=True)
FORMATS = ["svmlight", "csv", "tsv", "parquet", "npz", "npy"]


def parquet_file():
    file = io.BytesIO()
    table = pa.table({"a": [1.5, 2.5, 3.5, -1.0] * 5, "c": ["x", "y", "x", "z"] * 5, "y": [0, 1, 1, 0] * 5})
    pq.write_table(table, file, row_group_size=7, write_page_checksum=True)
    return file.getvalue()


def numpy_file(save):
    file = io.BytesIO()
    save(file)
    return file.getvalue()


A = np.arange(24.0).reshape(8, 3)
WHOLE = {
    "svmlight": b"+1 1:0.5 3:2e-3 # c\n-1 2:1\n1 qid:2 1:3\n" * 3,
    "csv": b'a,b,y\n1,"x, y",0\n2.5,z,1\n-3e1,z,1\n' * 1,
    "tsv": b"a\tb\ty\n1\tx\t0\n2\ty\t1\n",
    "parquet": parquet_file(),
    "npz": numpy_file(lambda f: np.savez(f, X=A, y=np.arange(8), feature_names=["a", "b", "c"])),
    "npz, packed": numpy_file(
        lambda f: np.savez_compressed(f, X_train=A, X_test=A[:2], y_train=A[:, 0], y_test=A[:2, 0])
    ),
    "npz, sparse": numpy_file(lambda f: scipy.sparse.save_npz(f, scipy.sparse.csr_array(A))),
    "npy": numpy_file(lambda f: np.save(f, A)),
}
PACKERS = [bytes, gzip.compress, bz2.compress, lzma.compress]


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compile before the clock of the first example runs: a hang is what the deadline is for."""
    read(io.BytesIO(b"1 1:1\n"), format="svmlight")


def most(text):
    """The separator that the first line has most of."""
    first = next(line for line in text.splitlines() if line.strip())
    return max(",;\t", key=first.count)


def sound(data):
    """What every data set holds to: a matrix of finite-or-stored floats, a target as long, names as many."""
    n, d = data.X.shape
    assert d >= 1
    assert data.X.dtype in (np.float32, np.float64)
    assert data.layout.n_columns == d
    assert data.y is None or data.y.shape == (n,)
    assert data.feature_names is None or data.feature_names.shape == (d,)
    if scipy.sparse.issparse(data.X):
        data.X.check_format(full_check=True)
    if data.X_test is not None:
        assert data.X_test.shape[1] == d
    return n


def survives(content, format=None):
    """Read in one go and in blocks; both give the same rows, or both refuse."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            n = sound(read(io.BytesIO(content), format=format))
        except ReadError as error:
            n, told = None, (error.path, error.reason)
        try:
            blocks = sum(sound(block) for block in iter_blocks(io.BytesIO(content), rows=3, format=format))
        except ReadError:
            blocks = None
    assert blocks == n
    assert n is not None or (told[0] == "stream" and told[1])
    return n


@fuzz
@given(st.binary(max_size=300), st.sampled_from([None, *FORMATS]))
@example(b"", "csv")
@example(b"\n\n", "svmlight")
def test_any_bytes(content, format):
    survives(content, format)


TOKENS = st.sampled_from(
    ["1", "-1", "+1", "0", "1:2", "2:0.5", "3:-1e5", "7:", ":7", "1:2:3", "qid:1", "#", "a:b", "nan", "1:nan",
     "1:1e999", " ", "\t", "\n", "\r\n", ",", "1,2", "9" * 25, "5000000000:1", "1:.", "1:" + "3" * 40, "é", "\0"]
)  # fmt: skip


@fuzz
@given(st.lists(TOKENS, max_size=40), st.sampled_from([" ", "", "\n"]))
def test_any_words_of_svmlight(tokens, glue):
    text = glue.join(tokens)
    n = survives(text.encode(), "svmlight")
    lines = [line.partition("#")[0].strip(" \t\r") for line in text.split("\n")]
    assert n is None or n == sum(map(bool, lines))


CELLS = st.sampled_from(
    [
        "1",
        "-2.5",
        "x",
        "true",
        "",
        "?",
        "NA",
        "nan",
        "inf",
        '"',
        '""',
        '"a,b"',
        '"open',
        "é",
        "1e999",
        " 3 ",
        "\\",
        "2020-01-01",
    ]
)


@fuzz
@given(
    st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=8),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
)
def test_any_cells_of_a_table(rows, separator, end):
    text = end.join(separator.join(row) for row in rows)
    n = survives(text.encode(), "csv")
    if n is not None:
        found = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=most(text)) if row]
        assert n in (len(found), len(found) - 1)  # with a header


@pytest.mark.parametrize("kind", WHOLE)
@fuzz
@given(st.data())
def test_files_cut_short_or_overwritten(kind, data):
    content = WHOLE[kind]
    how = data.draw(st.sampled_from(["cut", "flip", "insert", "repeat"]))
    at = data.draw(st.integers(0, len(content) - 1))
    if how == "cut":
        content = content[:at]
    elif how == "flip":
        content = content[:at] + data.draw(st.binary(min_size=1, max_size=4)) + content[at + 1 :]
    elif how == "insert":
        content = content[:at] + data.draw(st.binary(min_size=1, max_size=8)) + content[at:]
    else:
        content = content[:at] + content[at // 2 :]
    pack = data.draw(st.sampled_from(PACKERS))
    survives(pack(content), kind.split(",")[0])


@pytest.mark.parametrize("pack", PACKERS[1:], ids=["gz", "bz2", "xz"])
@fuzz
@given(st.data())
def test_packed_files_cut_short_or_overwritten(pack, data):
    content = pack(WHOLE["svmlight"])
    at = data.draw(st.integers(0, len(content) - 1))
    survives(
        content[:at] + data.draw(st.binary(max_size=3)) + content[at + 1 :],
        data.draw(st.sampled_from([None, "svmlight"])),
    )


@pytest.mark.filterwarnings("ignore:.*query numbers")
def test_whole_files_are_read():
    for kind, content in WHOLE.items():
        assert sound(read(io.BytesIO(content), format=kind.split(",")[0]))
