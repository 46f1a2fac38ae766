"""The MultiLinear probe: regions solved together are regions solved apart, and degenerate regions are answered."""

import numpy as np
import pytest

from questions import bent, curved, flat, task_of, three
from unkernel import LinearClassifier
from unkernel.check.multilinear import MultilinearProbe, _answers, lloyd, n_regions, nearest, spread


def test_regions_together_are_regions_apart():
    task, _ = task_of(*curved(400))
    X = task.pool.scaled("unit")
    X, V = X[task.train], X[task.judge]
    at, at_v = ((Z[:, 0] > 0).astype(int) for Z in (X, V))
    C = np.array([0.5, 4.0])
    F, G = spread(X, at, 2), spread(V, at_v, 2)
    together = _answers(task, F, at, G, at_v, C)
    for region in (0, 1):
        alone = LinearClassifier(C=C[region], intercept_scaling=1.0).fit(X[at == region], task.y[at == region])
        np.testing.assert_allclose(together[at_v == region], alone.decision_function(V[at_v == region]), atol=0.05)


def test_lloyd_is_k_means_from_rows():
    rng = np.random.default_rng(0)
    middles = np.array([[0, 0], [10, 0], [0, 10]], dtype=np.float32)
    X = np.concatenate([m + rng.normal(size=(50, 2)) for m in middles]).astype(np.float32)
    centres = lloyd(X, 6, seed=1)
    distance = ((X[:, None] - centres) ** 2).sum(axis=2)
    np.testing.assert_array_equal(nearest(X, centres), distance.argmin(axis=1))
    assert distance.min(axis=1).mean() < 3
    assert len(lloyd(np.zeros((20, 2), np.float32), 5, seed=0)) == 1


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(("spherical", "faithful"), [(False, False), (True, False), (False, True), (True, True)])
def test_pieces_of_planes_make_a_curve(sparse, spherical, faithful):
    task, y = task_of(*curved(400), sparse=sparse)
    trial = MultilinearProbe(2, spherical=spherical, faithful=faithful).fit(task)
    assert task.score(y, trial.f) > 0.8
    assert len(trial.params["f_of_runs"]) == 2


def test_regions_of_one_class_of_few_rows_and_of_none_are_answered():
    X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0]] * 6, dtype=np.float32)
    y = np.array([0, 0, 1, 1, 1] * 6, dtype=np.int32)
    task, _ = task_of(np.tile(X, (2, 1)), np.tile(y, 2))
    X = task.pool.X[task.train]
    at = (X[:, 0] > 3).astype(int)
    asked = np.array([0, 1, 2])
    V = np.array([[0.05], [5.05], [9.0]], dtype=np.float32)
    f = _answers(task, spread(X, at, 3), at, spread(V, asked, 3), asked, np.ones(3))
    assert (f > 0).tolist() == [False, True, True]


@pytest.mark.parametrize("faithful", [False, True])
def test_it_takes_many_classes_and_amounts(faithful):
    task, y = task_of(*three(450))
    assert task.score(y, MultilinearProbe(faithful=faithful).fit(task).f) > 0.75
    task, y = task_of(*bent(400))
    assert task.score(y, MultilinearProbe(faithful=faithful).fit(task).f) > 0.5


def test_the_number_of_regions_is_the_papers():
    assert [n_regions(int(0.75 * n)) for n in (49_990, 581_012, 862)] == [53, 65, 33]
    task, _ = task_of(*flat(60))
    assert "too few" in MultilinearProbe().refusal(task)
