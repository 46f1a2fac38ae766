"""What learning takes: the figure asked for covers the peak, and what does not fit is refused before any work."""

import tracemalloc

import numpy as np
import pytest

from catalogue import nonnegative
from unkernel import GMM, RBF, Acos, CosineRBF, ExactClassifier, ExactRegressor, InputError, MinMax
from unkernel.exact import memory
from unkernel.exact.base import Targets
from unkernel.exact.folds import splits_of
from unkernel.exact.grid import grid_of
from unkernel.kernels import gram

N = 256
X = nonnegative(0, N, 3)
FOLDS = splits_of(np.zeros(N), 3, np.arange(N), N, classifies=False, seed=0)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(gram, "BLOCK_ROWS", 32)
    monkeypatch.setattr(gram, "BLOCK_COLUMNS", 128)


def targets(loss, q=1):
    return Targets(loss, np.ones((N, q)), np.ones(N), np.ones((N, q), bool))


def most(model, y) -> float:
    """Gram matrices at the peak of a fit, once what it imports is there."""
    model.fit(X[::8], y[::8])
    tracemalloc.start()
    model.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / (8 * N**2)


@pytest.mark.parametrize(
    ("kernel", "grid", "loss"),
    [
        (MinMax(), None, "squared"),
        (MinMax(), {"p": [0.5, 1.0]}, "squared"),
        (CosineRBF(), {"gamma": [1.0, 2.0]}, "squared"),
        (MinMax() * CosineRBF(), {"right__gamma": [1.0, 2.0]}, "squared"),
        (Acos(), None, "hinge"),
        (MinMax() + RBF(), {"right__gamma": [1.0, 2.0]}, "hinge"),
        (CosineRBF(), {"gamma": [1.0, 2.0]}, "squared_hinge"),
    ],
    ids=str,
)
def test_a_search_takes_no_more_than_it_asks_for(kernel, grid, loss):
    y = X[:, 0] > X[:, 1]
    model = ExactClassifier(kernel, C=[1.0, 2.0], grid=grid, loss=loss, cv=3)
    asked = memory.of_search(kernel, grid_of(kernel, grid, X), targets(loss), FOLDS if loss != "squared" else [], None)
    taken = most(model, y)
    assert taken <= asked + 0.3, f"{taken:.2f} > {asked:.2f}"  # rows and small arrays are large beside so few rows
    assert asked < taken + 1.6, f"{asked:.2f} for {taken:.2f}"


@pytest.mark.parametrize("loss", ["squared", "epsilon_insensitive"])
def test_one_C_takes_no_more_than_it_asks_for(loss):
    taken = most(ExactRegressor(MinMax(), loss=loss), X[:, 0])
    assert taken <= memory.of_fit(targets(loss), None) + 0.3


def test_machines_at_once_are_counted():
    one, four = (memory.of_fit(targets("squared_hinge", q=4), n_jobs) for n_jobs in (1, 4))
    assert (one, four) == (2.5, 7.0)


@pytest.mark.parametrize(("C", "grams"), [(1.0, 1.9), ("auto", 2.9)])
def test_what_does_not_fit_is_refused_though_the_matrix_would(C, grams, monkeypatch):
    monkeypatch.setattr(gram, "free_bytes", lambda: int(grams * 60**2 * 8))
    with pytest.raises(InputError, match=r"learning from 60 rows takes .* Gram matrices .*; use MinMaxMap"):
        ExactRegressor(GMM(), C=C).fit(X[:60], X[:60, 0])
