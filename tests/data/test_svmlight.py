"""svmlight text: the same matrix as scikit-learn reads, the same numbers as Python reads, and faults by line."""

import bz2
import gzip
import io
import lzma
import warnings

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

import naive
from realdata import real
from unkernel import InputError, iter_blocks, read
from unkernel.data import svmlight
from unkernel.data.base import ReadError

TEXT = b"""# two rows, one of them empty
+1 1:0.5 3:-2e-3  # the first

-1
+1\t2:.5 4:7.\r
"""
X = np.array([[0.5, 0, -2e-3, 0], [0, 0, 0, 0], [0, 0.5, 0, 7]])


def text_of(X, y, zero_based=False):
    file = io.BytesIO()
    dump_svmlight_file(X, y, file, zero_based=zero_based)
    return file.getvalue()


def parse(text, **options):
    return read(io.BytesIO(text), format="svmlight", **options)


def same(data, X, y):
    assert data.X.shape == X.shape
    assert data.X.dtype == X.dtype
    for part in ("data", "indices", "indptr"):
        assert_array_equal(getattr(data.X, part), getattr(X, part))
    assert_array_equal(data.y, y)


@pytest.mark.hot
def test_rows_comments_blanks_and_line_ends():
    data = parse(TEXT)
    assert_array_equal(data.X.toarray(), X)
    assert_array_equal(data.y, [1, -1, 1])
    assert data.X.format == "csr"
    assert data.layout.zero_based is False
    for row, line in enumerate([1, 3, 4]):
        label, pairs = naive.svmlight_row(TEXT.splitlines()[line])
        assert label == data.y[row]
        assert pairs == {int(j) + 1: v for j, v in enumerate(X[row]) if v}


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.parametrize("chunk", [50, 4000, 1 << 20])
def test_it_is_the_matrix_that_scikit_learn_reads(pack, n_jobs, chunk, monkeypatch, tmp_path):
    monkeypatch.setattr(svmlight, "CHUNK", chunk)
    rng = np.random.default_rng(0)
    A = scipy.sparse.random_array((60, 300), density=0.1, rng=rng) * 10 ** rng.uniform(-9, 9, (60, 1))
    A = scipy.sparse.csr_array(A)
    text = text_of(A, rng.integers(0, 3, 60))
    (tmp_path / "rows.svm").write_bytes(pack(text))
    seen = []
    data = read(tmp_path / "rows.svm", n_jobs=n_jobs, progress=lambda *at: seen.append(at), n_columns=300)
    same(data, *load_svmlight_file(io.BytesIO(text), n_features=300))
    assert seen[-1][0] == seen[-1][1] == (tmp_path / "rows.svm").stat().st_size


@pytest.mark.parametrize("name", ["a9a", "sector", "mnist"])
def test_real_rows_are_what_scikit_learn_reads(name):
    A, y = real(name, rows=200)
    text = text_of(scipy.sparse.csr_array(A, dtype=np.float64), y)
    same(parse(text, n_columns=A.shape[1]), *load_svmlight_file(io.BytesIO(text), n_features=A.shape[1]))
    single = parse(text, n_columns=A.shape[1], dtype=np.float32).X
    assert single.dtype == np.float32
    assert_array_equal(single.data, parse(text, n_columns=A.shape[1]).X.data.astype(np.float32))


NUMBERS = [
    "0", "-0", "+1", "007", "1.", ".5", "-.5e1", "1e22", "1e23", "9007199254740993", "9007199254740993.0000000001",
    "123456789012345678901234567890", "0.1234567890123456789012345", "5e-324", "2.4703282292062328e-324",
    "2.2250738585072011e-308", "1.7976931348623157e308", "8.988465674311579e307", "1e-400", "0e999999999999999999999",
    "0.000000000000000000000000000000000001", "1e0000000000000000000000002", "12345678", "123456789", "1.00000000",
    "6.02214076E23", "9.5367431640625e-7", "4503599627370497.5", "4503599627370496.5", "1e+2",
]  # fmt: skip


@pytest.mark.hot
@pytest.mark.parametrize("number", NUMBERS)
def test_each_number_is_correctly_rounded(number):
    data = parse(f"{number} 1:{number}".encode())
    assert_array_equal(np.array([data.y[0], data.X.data[0]]).view(np.int64), np.array([float(number)] * 2).view(int))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50), st.integers(1, 30))
def test_written_floats_come_back(values, digits):
    for written in (
        [repr(v) for v in values],
        [f"{v:.{digits}g}" for v in values],
        [f"{v:.{digits}e}" for v in values],
    ):
        want = np.array([float(w) for w in written])
        if np.isfinite(want).all():
            got = parse("\n".join(f"1 1:{w}" for w in written).encode()).X.data
            assert_array_equal(got.view(np.int64), want.view(np.int64))


def test_large_indices_take_64_bits():
    data = parse(b"1 5000000000:2\n")
    assert data.X.shape == (1, 5_000_000_000)
    assert data.X.indices.tolist() == [4_999_999_999]
    assert data.X.indices.dtype == data.X.indptr.dtype == np.int64


def test_the_base_is_detected_or_told():
    assert parse(b"1 0:1 2:1\n").X.shape == (1, 3)
    assert parse(b"1 1:1 2:1\n").X.shape == (1, 2)
    assert parse(b"1 1:1 2:1\n", zero_based=True).X.shape == (1, 3)
    with pytest.raises(ReadError, match=r"line 2: has index 0.*give zero_based=True"):
        parse(b"1 1:1\n1 0:1\n", zero_based=False)


def test_another_file_is_read_alike():
    train = parse(b"1 0:1 3:1\n")
    test = parse(b"1 1:1\n", like=train)
    assert_array_equal(test.X.toarray(), [[0, 1, 0, 0]])
    with pytest.raises(ReadError, match="line 2: holds '4:1', and there are 4 columns") as caught:
        parse(b"1 1:1\n1 3:1 4:1\n", like=train)
    assert caught.value.line == 2
    with pytest.raises(ReadError, match="beyond 3 columns"):
        parse(b"1 0:1 3:1\n", n_columns=3)


def test_labels_can_be_left_out():
    assert parse(TEXT, target=None).y is None
    with pytest.raises(InputError, match="the label that starts each line"):
        parse(TEXT, target="price")


def test_query_numbers_are_ignored_with_one_warning():
    with pytest.warns(UserWarning, match="query numbers") as caught:
        data = parse(b"1 qid:7 2:3\n0 qid:8 1:1 #c\n")
    assert len(caught) == 1
    assert_array_equal(data.X.toarray(), [[0, 3], [1, 0]])


@pytest.mark.hot
@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (b"1 1:1\n\none 1:2\n", 3, "starts with 'one'; each line starts with its label"),
        (b"1:2 3:4\n", 1, "starts with '1:2'"),
        (b"# c\n1,2 1:1\n", 2, "several labels, '1,2'"),
        (b"1 a:2\n", 1, "holds 'a:2', which is not index:value"),
        (b"1 1:2 3\n", 1, "holds '3', which is not index:value"),
        (b"1 -1:2\n", 1, "holds '-1:2', which is not index:value"),
        (b"1 1.0:2\n", 1, "not index:value"),
        (b"1 99999999999999999999:2\n", 1, "not index:value"),
        (b"1 1:2 2:\n1 1:1\n", 1, "holds '2:', whose value is not a decimal number"),
        (b"1 1:2 2:", 1, "holds '2:', whose value"),
        (b"1 1:nan\n", 1, "holds '1:nan', whose value"),
        (b"1 1:1_0\n", 1, "holds '1:1_0', whose value"),
        (b"1 1:1e\n", 1, "holds '1:1e', whose value"),
        (b"1 1:0x1\n", 1, "holds '1:0x1', whose value"),
        (b"1 1:1\n1 1:1e999\n", 2, "holds '1e999', beyond the largest float64"),
        (b"1 2:1 1:1\n", 1, "holds '1:1' after the same or a larger index"),
        (b"1 1:1 1:2\n", 1, "holds '1:2' after the same"),
        (b"1 1:1\n1 \xff\xfe:1\n", 2, "which is not index:value"),
        (b"1 1:1\n\0\0\0\n", 2, "starts with"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text, line, message):
    with pytest.raises(ReadError, match=message) as caught:
        parse(text)
    assert caught.value.line == line
    assert f", line {line}: " in str(caught.value)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_lines_are_counted_across_chunks(n_jobs, monkeypatch):
    monkeypatch.setattr(svmlight, "CHUNK", 64)
    with pytest.raises(ReadError, match="line 301: starts with 'oops'"):
        parse(b"1 1:2\n\n# c\n" * 100 + b"oops\n" + b"1 1:1\n" * 100, n_jobs=n_jobs)
    with pytest.raises(ReadError, match="line 301: holds '1e999'"):
        parse(b"1 1:2\n\n# c\n" * 100 + b"1 1:1e999\n", n_jobs=n_jobs)


def test_files_without_rows_or_columns_are_refused():
    with pytest.raises(ReadError, match="holds no rows"):
        parse(b"# nothing\n\n")
    with pytest.raises(ReadError, match="no line holds an index:value pair"):
        parse(b"1\n2\n")
    assert parse(b"1\n2\n", n_columns=3).X.shape == (2, 3)


@pytest.mark.parametrize("rows", [1, 7, 60, 1000])
def test_blocks_put_together_are_the_file(rows, monkeypatch):
    monkeypatch.setattr(svmlight, "CHUNK", 300)
    rng = np.random.default_rng(1)
    text = text_of(scipy.sparse.random_array((60, 40), density=0.2, rng=rng, format="csr"), np.arange(60))
    whole = parse(text)
    blocks = list(iter_blocks(io.BytesIO(text), rows=rows, format="svmlight"))
    assert [b.X.shape[0] for b in blocks] == [rows] * (60 // rows) + ([60 % rows] if 60 % rows else [])
    assert_array_equal(np.vstack([b.X.toarray() for b in blocks]), whole.X.toarray())
    assert_array_equal(np.concatenate([b.y for b in blocks]), whole.y)
    assert {b.layout for b in blocks} == {whole.layout}


def test_a_stream_gives_blocks_only_when_told_its_columns():
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    with pytest.raises(InputError, match="give like="):
        next(iter_blocks(Pipe(TEXT), rows=1, format="svmlight"))
    blocks = list(iter_blocks(Pipe(TEXT), rows=2, format="svmlight", like=parse(TEXT)))
    assert_array_equal(np.vstack([b.X.toarray() for b in blocks]), X)


def test_no_warning_without_query_numbers():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse(TEXT)
