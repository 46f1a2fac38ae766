"""The width of the kernel follows the data's scale, and is settled once for all probes of a turn."""

import numpy as np

from questions import curved, task_of
from unkernel.check.width import choose_width


def test_fine_structure_takes_a_narrow_kernel():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (500, 2))
    narrow = choose_width(task_of(X, (np.sin(9 * X[:, 0]) * np.sin(9 * X[:, 1]) > 0).astype(int))[0])
    wide = choose_width(task_of(X, (X[:, 0] > 0).astype(int))[0])
    assert narrow[1] > wide[1]


def test_columns_whose_spread_matters_keep_it():
    rng = np.random.default_rng(1)
    noise = 1 + 0.01 * rng.normal(size=(500, 60))
    X, y = curved(500)
    scale, _ = choose_width(task_of(np.hstack([X, noise]), y)[0])
    assert scale == "unit"


def test_it_is_settled_once_a_turn():
    task, _ = task_of(*curved(200))
    first = choose_width(task)
    assert task.pool.shared["width", 0] == first
    task.pool.shared["width", 0] = ("unit", 7.0)
    assert choose_width(task) == ("unit", 7.0)
