"""The degree-2 probe: its features are the kernel's, it finds products, and it says when rows are too wide."""

import numpy as np
import pytest

from questions import bent, curved, flat, task_of
from unkernel import Polynomial
from unkernel.check.degree2 import Degree2Probe, expand, n_features


@pytest.mark.parametrize("r", [0.5, 1.0, 3.0])
def test_features_are_those_of_the_kernel(r):
    X = np.random.default_rng(0).normal(size=(12, 5))
    F = expand(X, r)
    assert F.shape == (12, n_features(5))
    np.testing.assert_allclose(F @ F.T, Polynomial(2, coef0=r)(X), rtol=1e-10)


@pytest.mark.parametrize("sparse", [False, True])
def test_it_finds_a_product(sparse):
    task, y = task_of(*curved(300), sparse=sparse)
    assert task.score(y, Degree2Probe().fit(task).f) > 0.9


def test_it_finds_a_square():
    task, y = task_of(*bent(200))
    assert task.score(y, Degree2Probe().fit(task).f) > 0.9


def test_wide_rows_are_not_expanded():
    task, _ = task_of(*flat(80, d=100))
    assert Degree2Probe().refusal(task) == "100 columns make 5,151 products of two"
    assert Degree2Probe(most_columns=6000).refusal(task) is None
