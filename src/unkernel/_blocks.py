"""Row blocks over threads: the only place that makes threads.

Compiled loops are serial and release the GIL, so a block of rows is the unit of parallel work. Results come back in
row order, so no answer depends on the number of threads.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from ._validate import InputError, count_threads

Progress = Callable[[int, int], Any]


def row_blocks(n_rows: int, block_rows: int) -> list[slice]:
    """Slices that cut n_rows into blocks of block_rows, the last one shorter."""
    return [slice(start, min(start + block_rows, n_rows)) for start in range(0, n_rows, block_rows)]


def map_blocks(
    work: Callable[[slice], Any],
    n_rows: int,
    *,
    block_rows: int = 1024,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> list[Any]:
    """`work` of every block of rows, in row order.

    Parameters
    ----------
    work : callable
        Takes a slice of rows. Runs on several threads at once when `n_jobs` says so.
    n_rows, block_rows : int
        What to cut, and into what.
    n_jobs : int or None
        As in joblib: None is one thread, -1 all cores, -2 all but one.
    progress : callable or None
        Called on the caller's thread with (rows done, rows in all). An exception it raises cancels what has not
        started and reaches the caller, as Ctrl-C does.
    """
    return map_tasks(
        work,
        row_blocks(n_rows, block_rows),
        n_jobs=n_jobs,
        progress=progress,
        sizes=[min(block_rows, n_rows - s) for s in range(0, n_rows, block_rows)],
    )


def map_tasks(
    work: Callable[[Any], Any],
    tasks: list[Any],
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    sizes: list[int] | None = None,
) -> list[Any]:
    """`work` of every task, in their order; progress counts `sizes`, or tasks."""
    sizes = sizes or [1] * len(tasks)
    n_threads = min(count_threads(n_jobs), max(1, len(tasks)))
    tell = progress or (lambda done, total: None)
    if n_threads == 1:
        results, done = [], 0
        for task, size in zip(tasks, sizes, strict=True):
            results.append(work(task))
            done += size
            tell(done, sum(sizes))
        return results
    with one_blas_thread(), ThreadPoolExecutor(n_threads, thread_name_prefix="unkernel") as pool:
        futures = [pool.submit(work, task) for task in tasks]
        try:
            _watch(futures, sizes, tell)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return [future.result() for future in futures]


def _watch(futures: list[Future], sizes: list[int], tell: Progress) -> None:
    """Report blocks as they end; raise what the first failed one raised."""
    size_of = dict(zip(futures, sizes, strict=True))
    pending, done = set(futures), 0
    while pending:
        ended, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
        for future in ended:
            future.result()
            done += size_of[future]
        if ended:
            tell(done, sum(sizes))


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS from starting threads of its own under ours."""
    with _thread_pools().limit(limits=1, user_api="blas"):
        yield


@cache
def _thread_pools():
    """The BLAS libraries of NumPy and SciPy, found once: looking takes milliseconds."""
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def block_rows_for(row_bytes: int, n_rows: int, *, n_jobs: int | None = None, budget: int = 1 << 22) -> int:
    """Rows a block should hold so that its working set stays near `budget` bytes and every thread gets some."""
    if row_bytes < 1:
        raise InputError(f"row_bytes is {row_bytes}; a row takes at least one byte")
    threads = count_threads(n_jobs)
    share = n_rows if threads == 1 else -(-n_rows // (4 * threads))
    return int(np.clip(budget // row_bytes, 1, max(share, 64)))
