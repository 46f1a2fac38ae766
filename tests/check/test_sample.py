"""The split: by class in proportion, a function of the seed, and a sample that states its error."""

import numpy as np
import pytest

from unkernel.check.sample import half_width, plan, rows_for, stratified_order


def test_every_row_judges_once_and_trains_thrice():
    y = np.repeat([0, 1, 2], [40, 21, 5])
    p = plan(y, epsilon=0.02, seed=3, most_train=9000)
    judged = np.concatenate([p.split(turn)[1] for turn in range(4)])
    assert sorted(judged) == list(range(66))
    for turn in range(4):
        T, V = p.split(turn)
        assert len(T) + len(V) == 66
        assert not set(T) & set(V)
        assert set(y[T]) == {0, 1, 2}
        assert np.bincount(y[V], minlength=3).min() >= 1


def test_every_beginning_is_in_proportion():
    y = np.random.default_rng(0).permutation(np.repeat([0, 1], [900, 100]))
    order, _ = stratified_order(y, 5)
    for n in (50, 200, 500):
        assert abs(y[order[:n]].mean() - 0.1) < 0.02


def test_a_class_of_one_row_trains_and_never_judges():
    y = np.array([0] * 30 + [1] * 30 + [2])
    p = plan(y, epsilon=0.02, seed=0, most_train=9000)
    assert all(60 in p.split(turn)[0] for turn in range(4))


def test_large_data_are_sampled_with_a_stated_error():
    p = plan(np.zeros(100_000, dtype=int), epsilon=0.02, seed=1, most_train=3000)
    T, V = p.split(0)
    assert len(T) == 3000
    assert len(V) == rows_for(0.01)
    assert p.half_width == pytest.approx(0.01, rel=0.01)
    assert p.half_width == half_width(len(V))
    again = plan(np.zeros(100_000, dtype=int), epsilon=0.02, seed=1, most_train=3000)
    np.testing.assert_array_equal(p.used, again.used)
    other = plan(np.zeros(100_000, dtype=int), epsilon=0.02, seed=2, most_train=3000)
    assert not np.array_equal(p.used, other.used)
