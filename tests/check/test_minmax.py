"""The min-max probe is the kernel at its landmarks, finds curves, and takes sparse rows."""

import numpy as np
import pytest

from questions import curved, task_of, three
from unkernel import GMM
from unkernel.check.minmax import MinmaxProbe


def test_all_rows_as_landmarks_are_the_kernel():
    task, _ = task_of(*curved(60))
    MinmaxProbe(60).fit(task)
    F = task.pool.shared["minmax"]
    np.testing.assert_allclose(F @ F.T, GMM()(task.pool.scaled("amounts")), atol=1e-3)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("question", [curved, three])
def test_it_finds_a_curve(question, sparse):
    X, y = question(400)
    task, y = task_of(X, y, sparse=sparse)
    trial = MinmaxProbe(128).fit(task)
    assert task.score(y, trial.f) > 0.75
    assert MinmaxProbe().resized(8).fit(task, C=trial.C).n_components == 8
