"""The choice is made on nested samples, finds what the data was made with, and does not depend on threads."""

import numpy as np

from unkernel import RBF, Linear
from unkernel.estimators.candidates import Candidate, candidates
from unkernel.estimators.selection import Target, Trial, order, select

RNG = np.random.default_rng(0)


def classes(y):
    index = np.unique(y, return_inverse=True)[1]
    k = index.max() + 1
    Y = np.where(index[:, None] == np.arange(k), 1.0, -1.0)
    return Target(Y[:, 1:] if k == 2 else Y, np.ones(len(y)), index)


def test_every_prefix_of_the_order_holds_the_classes_in_proportion():
    target = classes(np.repeat([0, 1, 2], [100, 30, 2]))
    rows = order(target, 5)
    assert sorted(rows) == list(range(132))
    assert set(target.index[rows[:3]]) == {0, 1, 2}
    counts = np.bincount(target.index[rows[:66]])
    assert abs(counts[0] - 50) <= 2
    assert abs(counts[1] - 15) <= 2


def test_a_line_is_called_linear_and_a_ring_is_not():
    X = RNG.normal(size=(150, 2))
    field = [Candidate("standard", Linear()), Candidate("standard", RBF(0.5))]
    line = select(field, X, Target((X[:, :1] - X[:, 1:]), np.ones(150), None))[-1][0]
    assert line.candidate.is_linear
    ring = select(field, X, classes((X**2).sum(axis=1) > 1.4))[-1][0]
    assert not ring.candidate.is_linear
    assert ring.loss < 0.1


def test_losses_are_wrong_rows_or_squared_errors():
    target = classes(np.array([0, 1, 1]))
    np.testing.assert_array_equal(target.losses(np.array([[-2.0], [-1.0], [3.0]])), [0, 1, 0])
    numbers = Target(np.array([[1.0], [2.0]]), np.ones(2), None)
    np.testing.assert_array_equal(numbers.losses(np.array([[0.0], [2.0]])), [1, 0])
    np.testing.assert_array_equal(numbers.blurred(np.array([[0.0], [2.0]])), [1, 0])
    three = classes(np.array([0, 1, 2]))
    np.testing.assert_array_equal(three.losses(np.eye(3)), [0, 0, 0])
    assert three.blurred(np.eye(3)).max() > 0


def test_rungs_narrow_and_grow_and_threads_do_not_matter():
    X = RNG.normal(size=(400, 3))
    target = classes(X[:, 0] * X[:, 1] > 0)
    rungs = ((100, 3), (200, 2), (300, 1))
    one = select(candidates("auto", X), X, target, rungs=rungs)
    assert [r[0].rows for r in one] == [100, 200, 300]
    assert [sum(not t.candidate.is_linear for t in r) for r in one[1:]] == [3, 2]
    assert all(any(t.candidate.is_linear for t in rung) for rung in one)
    two = select(candidates("auto", X), X, target, rungs=rungs, n_jobs=2)
    for a, b in zip(one, two, strict=True):
        assert [(str(t.candidate), t.loss, t.ridge) for t in a] == [(str(t.candidate), t.loss, t.ridge) for t in b]
    assert isinstance(one[0][0], Trial)
    assert len(select(candidates("rbf", X), X[:50], target.of(slice(50)), rungs=rungs)) == 1


def test_columns_that_do_not_matter_lose_their_weight():
    X = RNG.normal(size=(900, 12))
    target = classes(X[:, 0] * X[:, 1] > 0)
    trials = select(candidates("auto", X), X, target, rungs=((200, 3), (600, 2)))
    best = trials[-1][0]
    assert best.candidate.weights is not None
    assert "weighted columns" in str(best.candidate)
    assert best.candidate.weights[:2].min() > 3 * best.candidate.weights[2:].max()
    plain = select(candidates("auto", X), X, target, rungs=((200, 3), (600, 2)), weigh=False)
    assert best.loss < plain[-1][0].loss


def test_the_race_ends_when_one_is_left():
    X = RNG.normal(size=(700, 2))
    target = classes(X[:, 0] * X[:, 1] > 0)
    field = [Candidate("standard", Linear()), Candidate("standard", RBF(0.5))]
    trials = select(field, X, target, rungs=((200, 2), (500, 2), (600, 1)), weigh=False)
    assert len(trials) == 1
    assert trials[0][0].scores.shape == (200, 1)
    assert min(min(t.ridge for t in rung) for rung in trials) >= 1e-4
