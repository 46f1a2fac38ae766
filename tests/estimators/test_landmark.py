"""Landmarks solve the least squares they say they solve, a block at a time, at the ridge that held rows ask for."""

import numpy as np
import pytest

from unkernel import GMM, RBF
from unkernel.estimators import landmark as module
from unkernel.estimators import machine
from unkernel.estimators.landmark import LandmarkMachine, add_products, landmarks_for, solved
from unkernel.estimators.scaling import Scale
from unkernel.estimators.selection import Target

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 3))
INDEX = (X[:, 0] * X[:, 1] > 0).astype(int)
TARGET = Target(np.where(INDEX[:, None] == 1, 1.0, -1.0), RNG.integers(1, 4, 400).astype(float), INDEX)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(machine, "HOLD_FROM", 100)
    monkeypatch.setattr(module, "BLOCK_ROWS", 90)
    monkeypatch.setattr(module, "PANEL", 17)


@pytest.mark.parametrize("kernel", [RBF(0.5), GMM()])
def test_the_dual_weights_are_those_of_the_whole_problem(kernel):
    fitted = LandmarkMachine(Scale("standard"), kernel, 0.1, 60).fit(X, TARGET)
    Z = fitted.scale_.transform(X).astype(np.float32)
    K, H = (kernel(A, fitted.basis_).astype(float) + fitted.unit_ for A in (fitted.basis_, Z))
    W = TARGET.weight[:, None]
    direct = np.linalg.lstsq(H.T @ (W * H) + fitted.ridge * fitted.unit_ * K, H.T @ (W * TARGET.Y), rcond=1e-12)[0]
    np.testing.assert_allclose(fitted.scores(X), H @ direct, atol=5e-3)


def test_it_learns_tells_and_does_not_depend_on_threads():
    told = []
    one = LandmarkMachine(Scale("standard"), RBF(0.5), 1.0, 60)
    one.fit(X, TARGET, tell=lambda share, text: told.append((share, text)))
    assert told[-1][0] == 1
    assert "60 landmarks, 380 rows, about" in told[0][1]
    assert np.mean((one.left_out_ > 0) == (TARGET.Y[one.held_] > 0)) > 0.8
    assert np.mean((one.scores(X) > 0) == (TARGET.Y > 0)) > 0.9
    two = LandmarkMachine(Scale("standard"), RBF(0.5), 1.0, 60).fit(X, TARGET, n_jobs=2)
    np.testing.assert_array_equal(one.dual_, two.dual_)
    assert len(one.basis_) == 60


def test_products_by_panels_and_solutions():
    A, B = RNG.normal(size=(2, 30, 40))
    G = np.zeros((40, 40))
    add_products(G, A, B, 2)
    np.testing.assert_allclose(np.triu(G), np.triu(A.T @ B))
    K = RBF(0.5)(RNG.normal(size=(20, 3)))
    np.testing.assert_allclose((2 * K + np.eye(20)) @ solved(K, np.eye(20), K, 2.0), K, atol=1e-6)


def test_more_rows_mean_fewer_landmarks_in_the_end():
    sizes = [landmarks_for(n) for n in (10**4, 10**5, 10**6, 10**8)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == module.MOST
    assert sizes[-1] == module.LEAST
