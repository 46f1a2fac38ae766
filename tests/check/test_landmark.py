"""The landmark probe: with all rows as landmarks it is the exact kernel; it finds curves; text it leaves alone."""

import numpy as np
import pytest
import scipy.sparse

from questions import bent, curved, flat, task_of, three
from unkernel import RBF
from unkernel.check.landmark import LandmarkProbe, _root, _whitened


def test_all_rows_as_landmarks_are_the_kernel():
    X = np.random.default_rng(0).normal(size=(30, 3))
    K = RBF(0.3)(X)
    F = _whitened(K, _root(K))
    np.testing.assert_allclose(F @ F.T, K, atol=1e-3)


@pytest.mark.parametrize("question", [curved, three, bent])
def test_it_finds_a_curve(question):
    task, y = task_of(*question(400))
    trial = LandmarkProbe(64).fit(task)
    assert task.score(y, trial.f) > 0.85
    assert trial.params["gamma"] > 0
    assert LandmarkProbe(64).smaller(8).fit(task, C=trial.C).n_components == 8


def test_it_takes_sparse_rows_but_not_text():
    task, y = task_of(*curved(300), sparse=True)
    assert task.score(y, LandmarkProbe(64).fit(task).f) > 0.8
    task.raw = (scipy.sparse.csr_array((3, 50_000)),) * 2
    assert "equally far apart" in LandmarkProbe().refusal(task)
    assert LandmarkProbe().refusal(task_of(*flat(60))[0]) is None
