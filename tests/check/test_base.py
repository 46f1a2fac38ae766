"""A task: what judges is never seen, by any probe; scales and features are shared by all turns."""

import numpy as np
import pytest

from questions import bent, curved, flat, task_of, three
from unkernel.check.base import Pool, Task
from unkernel.check.run import probes
from unkernel.check.sample import EXTRA, LONE


@pytest.mark.parametrize("question", [curved, bent, three])
@pytest.mark.parametrize("probe", probes(), ids=lambda probe: probe.name)
def test_targets_of_rows_that_judge_change_nothing(probe, question):
    task, _ = task_of(*question(160))
    other = Task(Pool(task.pool.X, task.pool.y.copy(), task.pool.fold, n_classes=task.n_classes, score=task.score,
                      seed=0, n_jobs=None))  # fmt: skip
    other.pool.y[other.judge] = other.pool.y[other.judge][::-1].copy()
    ours, theirs = probe.fit(task), probe.fit(other)
    assert ours.C == theirs.C
    np.testing.assert_allclose(ours.f, theirs.f, rtol=1e-4, atol=1e-5)


def test_parts_take_turns():
    task, _ = task_of(*flat(80))
    turns = [Task(task.pool, turn) for turn in range(4)]
    assert sorted(np.concatenate([turn.judge for turn in turns])) == list(range(80))
    for turn in turns:
        assert not set(turn.train) & set(turn.judge)
        assert set(task.pool.fold[turn.train[turn.held]]) == {(turn.turn + 1) % 4}


def test_lonely_rows_train_and_extra_rows_judge():
    X, y = flat(60)
    fold = np.r_[np.full(2, LONE), np.arange(50) % 4, np.full(8, EXTRA)]
    pool = Pool(X, y.astype(np.int32), fold, n_classes=2, score=None, seed=0, n_jobs=None)
    for turn in range(4):
        task = Task(pool, turn)
        assert {0, 1} <= set(task.train)
        assert set(range(52, 60)) <= set(task.judge)
    assert pool.n_turning == 52
    np.testing.assert_allclose(pool.scaled("standard")[:52].mean(axis=0), 0, atol=1e-6)
    assert pool.scaled("standard") is pool.scaled("standard")
