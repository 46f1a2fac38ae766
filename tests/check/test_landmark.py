"""The landmark probe finds curves, and leaves text alone."""

import pytest
import scipy.sparse

from questions import bent, curved, flat, task_of, three
from unkernel.check.landmark import LandmarkProbe


@pytest.mark.parametrize("question", [curved, three, bent])
def test_it_finds_a_curve(question):
    task, y = task_of(*question(400))
    trial = LandmarkProbe(64).fit(task)
    assert task.score(y, trial.f) > 0.85
    assert trial.params["gamma"] > 0
    assert LandmarkProbe(64).resized(8).fit(task, C=trial.C).n_components == 8


def test_it_takes_sparse_rows_but_not_text():
    task, y = task_of(*curved(300), sparse=True)
    assert task.score(y, LandmarkProbe(64).fit(task).f) > 0.8
    task.pool.X = scipy.sparse.csr_array((3, 50_000))
    assert "equally far apart" in LandmarkProbe().refusal(task)
    assert LandmarkProbe().refusal(task_of(*flat(60))[0]) is None
