"""The Gram engine: blocks of the matrix over threads, half of them where it is symmetric."""

import os
from collections.abc import Callable

import numpy as np

from .._blocks import Progress, map_tasks, row_blocks
from .._validate import InputError

Block = Callable[[slice, slice], np.ndarray]

BLOCK_ROWS = 512
BLOCK_COLUMNS = 2048  # a multiple of the rows, so that a block holds whole squares of the diagonal
STRIP = 64  # columns that are mirrored at once, so that what is read stays in the cache


def fill(
    block: Block,
    X,
    Y,
    refusal: Callable[[], str],
    out: np.ndarray | None,
    n_jobs: int | None,
    progress: Progress | None,
) -> np.ndarray:
    """Every block of the matrix, written to `out` or to a new array; Y None means symmetric."""
    shape = X.shape[0], (X if Y is None else Y).shape[0]
    dtype = X.dtype if Y is None else np.result_type(X.dtype, Y.dtype)
    if out is None:
        out = _allocate(shape, dtype, refusal)
    elif out.shape != shape or out.dtype.kind != "f" or not out.flags.writeable:
        raise InputError(
            f"out has shape {out.shape} and type {out.dtype}; it must be a writable float array of shape {shape}"
        )
    tasks = _tasks(*shape, symmetric=Y is None)

    def work(task):
        rows, columns = task
        out[rows, columns] = block(rows, columns)
        if Y is None:
            _mirror(out, rows, columns)

    map_tasks(work, tasks, n_jobs=n_jobs, progress=progress)
    return out


def _tasks(n: int, m: int, *, symmetric: bool) -> list[tuple[slice, slice]]:
    """Rows and columns of every block; of a symmetric matrix those that meet the lower half, cut at the diagonal."""
    rows, columns = row_blocks(n, BLOCK_ROWS), row_blocks(m, BLOCK_COLUMNS)
    if not symmetric:
        return [(r, c) for r in rows for c in columns]
    return [(r, slice(c.start, min(c.stop, r.stop))) for r in rows for c in columns if c.start < r.stop]


def _mirror(out: np.ndarray, rows: slice, columns: slice) -> None:
    """Write the part of a block that lies below the diagonal above it, rounded as it is."""
    below = min(columns.stop, rows.start)
    for left in range(columns.start, below, STRIP):
        strip = slice(left, min(left + STRIP, below))
        out[strip, rows] = out[rows, strip].T
    if columns.stop > rows.start:
        square = slice(rows.start, columns.stop)
        K = np.tril(out[square, square])
        out[square, square] = K + np.tril(K, -1).T


def _allocate(shape: tuple[int, int], dtype: np.dtype, refusal: Callable[[], str]) -> np.ndarray:
    """A new matrix, or a refusal that says what it would take and what to do instead."""
    needed, free = shape[0] * shape[1] * dtype.itemsize, free_bytes()
    if needed > free:
        raise InputError(
            f"the Gram matrix of {shape[0]} x {shape[1]} {dtype} values takes {needed / 1e9:.1f} GB and "
            f"{free / 1e9:.1f} GB of memory are free; {refusal()}, or pass out= a numpy.memmap on disk"
        )
    return np.empty(shape, dtype)


def free_bytes() -> int:
    """Memory that can be had without swapping, as far as the system tells."""
    try:
        with open("/proc/meminfo") as lines:
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        pages = os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
        return pages * os.sysconf("SC_PAGE_SIZE") if pages > 0 else 1 << 62
