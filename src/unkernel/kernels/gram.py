"""The Gram engine: blocks of the matrix over threads, half of them where it is symmetric."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from .._blocks import Progress, map_tasks, row_blocks
from .._validate import FLOATS, InputError

Block = Callable[[slice, slice], np.ndarray]

BLOCK_ROWS = 512
BLOCK_COLUMNS = 2048  # a multiple of the rows, so that a block holds whole squares of the diagonal
CONTROL_GROUP = Path("/sys/fs/cgroup")
STRIP = 64  # columns that are mirrored at once, so that what is read stays in the cache


def room(X, Y, refusal: Callable[[], str], *, out: np.ndarray | None = None) -> np.ndarray:
    """Where the matrix of rows X and Y goes, None meaning X: `out` if it serves, else a new array if it fits."""
    shape, dtype = _shape(X, Y)
    if out is None:
        refuse(X, Y, refusal)
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype not in FLOATS or not out.flags.writeable:
        raise InputError(
            f"out has shape {np.shape(out)} and type {getattr(out, 'dtype', type(out).__name__)}; it must be a "
            f"writable float32 or float64 array of shape {shape}"
        )
    if any(isinstance(rows, np.ndarray) and np.may_share_memory(out, rows) for rows in (X, Y)):
        raise InputError("out shares its memory with the rows, which would be overwritten; give an array of its own")
    return out


def refuse(X, Y, refusal: Callable[[], str], *, count: int = 1) -> None:
    """Refuse matrices that would not fit in memory, and say what to do instead."""
    shape, dtype = _shape(X, Y)
    needed, free = count * shape[0] * shape[1] * dtype.itemsize, free_bytes()
    if needed > free:
        what = "the Gram matrix" if count == 1 else f"{count} Gram matrices"
        raise InputError(
            f"{what} of {shape[0]} x {shape[1]} {dtype} values take{'s' * (count == 1)} {needed / 1e9:.1f} GB and "
            f"{free / 1e9:.1f} GB of memory are free; {refusal()}, or pass out= a numpy.memmap on disk"
        )


def fill(
    block: Block,
    out: np.ndarray,
    *,
    symmetric: bool,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> np.ndarray:
    """Every block of the matrix, written to `out`."""
    tasks = _tasks(*out.shape, symmetric=symmetric)

    def work(task):
        rows, columns = task
        out[rows, columns] = block(rows, columns)
        if symmetric:
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


def _shape(X, Y) -> tuple[tuple[int, int], np.dtype]:
    """Shape and type of the matrix."""
    Y = X if Y is None else Y
    return (X.shape[0], Y.shape[0]), np.result_type(X.dtype, Y.dtype)


def free_bytes() -> int:
    """Memory that can be had without swapping, as far as the system and the limit of a container tell."""
    return min(_free_of_machine(), _free_of_container())


def _free_of_machine() -> int:
    try:
        with open("/proc/meminfo") as lines:
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        pages = os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
        return pages * os.sysconf("SC_PAGE_SIZE") if pages > 0 else 1 << 62


def _free_of_container() -> int:
    """What a control group leaves; the pages of files that it holds could be given back, so they count as free."""
    try:
        limit, used = (int((CONTROL_GROUP / name).read_text()) for name in ("memory.max", "memory.current"))
        stat = dict(line.split() for line in (CONTROL_GROUP / "memory.stat").read_text().splitlines())
        return max(limit - used + int(stat.get("inactive_file", 0)), 0)
    except (OSError, ValueError):  # no such files, or "max"
        return 1 << 62
