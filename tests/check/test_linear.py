"""The linear probe finds planes and nothing else."""

import pytest

from questions import curved, flat, task_of
from unkernel.check.linear import LinearProbe


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("scale", ["standard", "unit"])
def test_it_finds_a_plane(scale, sparse):
    task, y = task_of(*flat(240), sparse=sparse)
    trial = LinearProbe(scale).fit(task)
    assert task.score(y, trial.f) > 0.85
    assert trial.n_components == 5


def test_it_does_not_find_a_curve():
    task, y = task_of(*curved(240))
    assert task.score(y, LinearProbe(intercept=False).fit(task).f) < 0.7
