"""The Fourier probe finds curves, with the width that landmarks settled, and leaves text alone."""

import pytest
import scipy.sparse

from questions import bent, curved, task_of, three
from unkernel.check.fourier import FourierProbe


@pytest.mark.parametrize("question", [curved, three, bent])
def test_it_finds_a_curve(question):
    task, y = task_of(*question(400))
    trial = FourierProbe(128).fit(task)
    assert task.score(y, trial.f) > 0.8
    assert (trial.params["scale"], trial.params["gamma"]) == task.pool.shared["width", 0]
    assert trial.n_components == FourierProbe().resized(129).n_components == 128


def test_it_takes_sparse_rows_but_not_text():
    task, y = task_of(*curved(300), sparse=True)
    assert task.score(y, FourierProbe(128).fit(task).f) > 0.8
    task.pool.X = scipy.sparse.csr_array((3, 50_000))
    assert "equally far apart" in FourierProbe().refusal(task)
