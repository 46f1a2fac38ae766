"""The choice of a sampler: the cheaper one, with as many bits as its samples need."""

import numpy as np
import pytest

from unkernel import InputError
from unkernel.maps.amount import amounts, largest
from unkernel.maps.choice import ALGORITHMS, bits_for, choose, costs_of_sampling, enough_darts
from unkernel.maps.rejection import filled_share
from unkernel.maps.sampler import Settings


def plan(X, algorithm="auto", k=64):
    return choose(algorithm, Settings(k, X.shape[1], 1.0, 0), X)


def test_full_rows_go_to_rejection_and_lean_ones_do_not():
    rng = np.random.default_rng(0)
    assert plan(rng.random((50, 200))).algorithm == "rejection"
    assert plan(rng.random((50, 200)) * (rng.random((50, 200)) < 0.02)).algorithm == "icws"


def test_bits_tell_columns_or_darts_apart():
    assert [bits_for(n, 1) for n in (1, 2, 3, 16, 17, 1000)] == [1, 1, 2, 4, 5, 8]
    X = np.random.default_rng(1).random((50, 200))
    assert plan(X, "icws").bits == 8
    assert plan(X[:, :16], "icws").bits >= 4
    assert plan(X, "rejection").bits >= 4


def test_tables_that_do_not_fit_are_refused_with_a_remedy():
    X = np.ones((1, 10_000))
    with pytest.raises(InputError, match="algorithm='counter'"):
        plan(X, "icws", k=10_000)
    assert plan(X, k=10_000).algorithm != "icws"


def test_the_choice_is_the_cheapest_of_the_model():
    rng = np.random.default_rng(2)
    X = rng.random((80, 3000)) * (rng.random((80, 3000)) < 0.9) * rng.exponential(size=(80, 3000)) ** 4
    settings, block = Settings(64, 3000, 1.0, 0), amounts(X)
    shares = filled_share(block, largest(X), 1.0)
    costs = {**costs_of_sampling(block, settings), "rejection": enough_darts(block, shares, settings, False)[1]}
    assert plan(X).algorithm == min(costs, key=costs.get)
    assert set(costs) == set(ALGORITHMS)
