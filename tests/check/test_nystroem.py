"""Nystroem features: all rows as landmarks are the exact kernel, the first columns those of the first landmarks."""

import numpy as np

from questions import curved, task_of
from unkernel import RBF
from unkernel.check.nystroem import features, whitened


def test_all_rows_as_landmarks_are_the_kernel():
    K = RBF(0.3)(np.random.default_rng(0).normal(size=(30, 3)))
    F = whitened(K, K)
    np.testing.assert_allclose(F @ F.T, K, atol=1e-3)


def test_the_first_columns_are_those_of_the_first_landmarks():
    pool = task_of(*curved(80))[0].pool
    few = features(pool, "few", RBF(0.3), "standard", 8)
    many = features(pool, "many", RBF(0.3), "standard", 20)
    np.testing.assert_allclose(many[:, :8], few, atol=1e-4)


def test_the_pool_keeps_the_longest():
    pool = task_of(*curved(80))[0].pool
    many = features(pool, "key", RBF(0.3), "standard", 20)
    assert features(pool, "key", RBF(0.3), "standard", 8) is many
    assert features(pool, "key", RBF(0.3), "standard", 30).shape == (80, 30)
