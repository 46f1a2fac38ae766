"""Parquet: the same table as its CSV, and faults by row group."""

import gzip
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.testing import assert_array_equal

from unkernel import iter_blocks, read
from unkernel.data.base import ReadError

TABLE = pa.table(
    {
        "size": pa.array([1.5, 2.5, 3.5, 4.5], pa.float32()),
        "n": pa.array([1, 2, 3, 4], pa.uint8()),
        "city": pa.array(["rome", "paris", "rome", "oslo"]).dictionary_encode(),
        "ok": [True, False, True, True],
        "y": ["a", "b", "a", "b"],
    }
)


def written(table, **options):
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return file.getvalue()


def test_typed_columns_become_rows(tmp_path):
    (tmp_path / "t.parquet").write_bytes(written(TABLE))
    data = read(tmp_path / "t.parquet")
    assert data.feature_names.tolist() == ["size", "n", "city=oslo", "city=paris", "city=rome", "ok"]
    assert_array_equal(data.X[0], [1.5, 1, 0, 0, 1, 1])
    assert data.y.tolist() == ["a", "b", "a", "b"]
    assert_array_equal(read(io.BytesIO(gzip.compress(written(TABLE)))).X, data.X)
    text = TABLE.to_pandas().to_csv(index=False).encode()
    assert_array_equal(read(io.BytesIO(text), format="csv").X, data.X)
    assert_array_equal(read(io.BytesIO(text), format="csv", like=data).X, data.X)


def test_numbers_can_be_told_to_be_categories():
    data = read(io.BytesIO(written(TABLE)), categorical="n", drop="size")
    assert_array_equal(data.X[:, :4], np.eye(4))
    assert data.categories["n"] == ("1", "2", "3", "4")


@pytest.mark.parametrize("rows", [1, 3, 100])
def test_blocks_put_together_are_the_file(rows):
    file = written(TABLE, row_group_size=2)
    blocks = list(iter_blocks(io.BytesIO(file), rows=rows))
    assert_array_equal(np.vstack([b.X for b in blocks]), read(io.BytesIO(file)).X)
    assert max(len(b.y) for b in blocks) <= rows


def test_progress_counts_row_groups():
    seen = []
    read(io.BytesIO(written(TABLE, row_group_size=2)), progress=lambda *at: seen.append(at))
    assert seen == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([1, None, 2, None]), "data row 2, column 'c': a value is missing .'c' lacks 2 of 4|lacks 2 of 4"),
        (pa.array([1, float("nan"), 2, 3]), "lacks 1 of 4"),
        (pa.array([0, 1, 2, 3], pa.date32()), "column 'c': holds date32.*drop="),
        (pa.array([[1], [2], [3], [4]]), "column 'c': holds list"),
        (pa.array([1, float("inf"), 2, 3]), "data row 2, column 'c': inf is no finite number"),
        (pa.nulls(4), "lacks 4 of 4"),
    ],
)
def test_columns_that_cannot_be_read_are_named(column, message):
    file = written(pa.table({"c": column, "y": [1, 2, 1, 2]}))
    with pytest.raises(ReadError, match=message):
        read(io.BytesIO(file))


def test_a_damaged_row_group_is_named():
    rng = np.random.default_rng(0)
    table = pa.table({"a": rng.normal(size=600), "y": rng.integers(0, 2, 600)})
    whole = written(table, row_group_size=300, write_page_checksum=True, compression="none", use_dictionary=False)
    at = pq.ParquetFile(io.BytesIO(whole)).metadata.row_group(1).column(0).data_page_offset + 500
    with pytest.raises(ReadError, match="row group 1: cannot be read"):
        read(io.BytesIO(whole[:at] + bytes(50) + whole[at + 50 :]))


@pytest.mark.parametrize("keep", [4, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_refused(keep):
    whole = written(TABLE)
    with pytest.raises(ReadError, match="truncated or damaged"):
        read(io.BytesIO(whole[: keep if keep > 1 else int(keep * len(whole))]), format="parquet")


def test_a_file_without_rows_is_refused():
    with pytest.raises(ReadError, match="holds no rows"):
        read(io.BytesIO(written(TABLE.slice(0, 0))))
