"""Parquet files: typed columns in row groups, read one group after the other."""

import io
from collections.abc import Iterator
from functools import partial
from typing import Any

from . import table
from .base import Dataset, Request
from .delimited import need_arrow
from .source import Source

OPTIONS = table.OPTIONS
BATCH = 1 << 16  # rows decoded at once


def read(source: Source, request: Request) -> Dataset:
    """The whole file; kinds of columns come from its schema."""
    file = _open(source)
    return table.read_table(source, request, partial(_batches, source, file, request), True)


def blocks(source: Source, rows: int, request: Request) -> Iterator[Dataset]:
    """The file in blocks; a first pass collects the vocabularies."""
    file = _open(source)
    return table.table_blocks(source, rows, request, partial(_batches, source, file, request), True)


def _open(source: Source) -> Any:
    """The file with its footer read: from disk where it lies there plainly, else from memory."""
    need_arrow(source)
    import pyarrow.parquet as pq

    if source.plain_size is not None:
        where: Any = str(source.path)
    else:
        with source.open() as file:
            where = io.BytesIO(file.read())
    try:
        return pq.ParquetFile(where, page_checksum_verification=True)
    except Exception as error:
        raise source.error("the footer", f"{_said(error)}; the file is truncated or damaged: write it again") from error


def _batches(source: Source, file: Any, request: Request) -> Iterator[Any]:
    """Record batches, group by group; what is damaged is named by its group."""
    n_groups = file.metadata.num_row_groups
    for group in range(n_groups):
        try:
            rows = 0
            for batch in file.iter_batches(BATCH, row_groups=[group], use_threads=False):
                batch.validate(full=True)
                rows += batch.num_rows
                yield batch
            if rows != file.metadata.row_group(group).num_rows:
                raise ValueError(f"{rows} rows, where the footer promises {file.metadata.row_group(group).num_rows}")
        except Exception as error:
            raise source.error(
                f"row group {group}", f"{_said(error)}; the file is truncated or damaged: write it again"
            ) from error
        if request.progress:
            request.progress(group + 1, n_groups)


def _said(error: Exception) -> str:
    return f"cannot be read ({type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no reason given'})"
