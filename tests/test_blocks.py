"""Row blocks over threads: ordered, counted, cancellable, and none of it changes an answer."""

import threading
import time

import numpy as np
import pytest

from unkernel import InputError
from unkernel._blocks import block_rows_for, map_blocks, map_tasks, one_blas_thread, row_blocks
from unkernel._validate import count_threads


@pytest.mark.parametrize(("n_rows", "block_rows"), [(0, 3), (1, 3), (3, 3), (10, 3), (10, 100)])
def test_blocks_cover_every_row_once(n_rows, block_rows):
    blocks = row_blocks(n_rows, block_rows)
    assert [i for rows in blocks for i in range(n_rows)[rows]] == list(range(n_rows))
    assert all(rows.stop - rows.start <= block_rows for rows in blocks)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 5, -1])
def test_results_come_in_row_order(n_jobs):
    def work(rows):
        time.sleep(0.002 * (rows.start % 3))
        return rows.start

    assert map_blocks(work, 10, block_rows=2, n_jobs=n_jobs) == [0, 2, 4, 6, 8]


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_progress_rises_to_the_total_on_the_callers_thread(n_jobs):
    seen = []
    map_blocks(
        lambda rows: None,
        11,
        block_rows=2,
        n_jobs=n_jobs,
        progress=lambda done, total: seen.append((done, total, threading.current_thread())),
    )
    done = [d for d, _, _ in seen]
    assert done == sorted(done)
    assert done[-1] == 11
    assert {total for _, total, _ in seen} == {11}
    assert {thread for _, _, thread in seen} == {threading.current_thread()}


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_exception_in_progress_cancels_what_has_not_started(n_jobs, error):
    ran = []

    def stop(done, total):
        raise error

    def work(task):
        ran.append(task)
        time.sleep(0.01)

    with pytest.raises(error):
        map_tasks(work, list(range(200)), n_jobs=n_jobs, progress=stop)
    assert len(ran) < 50
    assert not [t for t in threading.enumerate() if t.name.startswith("unkernel")]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_a_block_raises_reaches_the_caller(n_jobs):
    def work(rows):
        if rows.start == 4:
            raise ZeroDivisionError("block 4")

    with pytest.raises(ZeroDivisionError, match="block 4"):
        map_blocks(work, 10, block_rows=2, n_jobs=n_jobs)


def test_no_tasks_give_no_results():
    assert map_tasks(abs, []) == []


def test_n_jobs_means_what_it_means_in_joblib():
    import joblib

    for n_jobs in (None, 1, 2, 7, -1, -2):
        assert count_threads(n_jobs) == joblib.effective_n_jobs(n_jobs)
    with joblib.parallel_config("threading", n_jobs=3):
        assert count_threads(None) == 3


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two"])
def test_an_n_jobs_that_means_nothing_is_refused(n_jobs):
    with pytest.raises(InputError, match=r"n_jobs is .*-1 for all cores"):
        map_blocks(lambda rows: None, 3, n_jobs=n_jobs)


def test_blas_is_held_to_one_thread_under_ours():
    from threadpoolctl import threadpool_info

    np.ones((2, 2)) @ np.ones((2, 2))
    before = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    with one_blas_thread():
        inside = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    assert set(inside) <= {1}
    assert before == [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_a_block_holds_at_least_a_row_and_leaves_every_thread_some():
    assert block_rows_for(10**12, 1000) == 1
    assert block_rows_for(1, 10**6, n_jobs=2) <= 10**6 // 8
    assert block_rows_for(1, 10) >= 10
    with pytest.raises(InputError, match="row_bytes is 0"):
        block_rows_for(0, 10)
