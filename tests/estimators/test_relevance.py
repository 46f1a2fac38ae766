"""The gradient is the gradient, and weights find the columns that matter."""

import numpy as np

import naive
from unkernel import RBF
from unkernel.estimators.relevance import left_out_gradient, relevance

RNG = np.random.default_rng(0)


def test_the_gradient_is_that_of_the_left_out_error():
    X = RNG.normal(size=(25, 3))
    Y = np.column_stack([np.sign(X[:, 0]), X[:, 1]])
    K = RBF(0.3)(X)
    value, G = left_out_gradient(K.copy(), Y, 0.1)
    direct = np.sum((Y - naive.left_out(K, Y, np.ones(25), 0.1)) ** 2)
    np.testing.assert_allclose(value, direct, rtol=1e-8)
    for i, j in ((3, 7), (0, 1), (4, 4)):
        step = np.zeros((25, 25))
        step[i, j] = step[j, i] = 1e-6
        up, _ = left_out_gradient(K + step, Y, 0.1)
        down, _ = left_out_gradient(K - step, Y, 0.1)
        np.testing.assert_allclose((up - down) / 2e-6, np.sum(G * (step > 0)), rtol=1e-4)


def test_columns_that_matter_get_the_weight():
    X = RNG.normal(size=(200, 8))
    weights = relevance(X, np.sign(X[:, :1] * X[:, 3:4]), 0.1, 0.1)
    assert set(np.argsort(weights)[-2:]) == {0, 3}
    assert weights.shape == (8,)
    assert np.isfinite(relevance(np.zeros((5, 2)), np.ones((5, 1)), 0.1, 0.1)).all()
