"""The min-max probe is the kernel at its landmarks, finds curves, and takes sparse rows."""

import numpy as np
import pytest

from questions import curved, task_of, three
from unkernel import GMM
from unkernel.check.landmark import features
from unkernel.check.minmax import MinmaxProbe


def test_all_rows_as_landmarks_are_the_kernel():
    task, _ = task_of(*curved(60))
    X, V = task.amounts
    F, G = features(task, GMM(), X, V, task.n_rows)
    np.testing.assert_allclose(F @ F.T, GMM()(X), atol=1e-3)
    np.testing.assert_allclose(G @ F.T, GMM()(V, X), atol=1e-2)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("question", [curved, three])
def test_it_finds_a_curve(question, sparse):
    X, y = question(400)
    task, y = task_of(X, y, sparse=sparse)
    trial = MinmaxProbe(128).fit(task)
    assert task.score(y, trial.f) > 0.75
    assert MinmaxProbe().smaller(8).fit(task, C=trial.C).n_components == 8
