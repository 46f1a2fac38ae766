"""Estimates from codes: no bias however few the bits, and errors that say how far off they are."""

import numpy as np
import pytest

from catalogue import signed
from unkernel import Codes, InputError, MinMaxMap
from unkernel.maps.choice import ALGORITHMS
from unkernel.maps.estimate import column_chance, filled_share_of

X = signed(11, n=120, d=12)


@pytest.mark.parametrize("bits", [2, 8])
@pytest.mark.parametrize("algorithm", ["rejection", "dart"])
def test_few_bits_bring_no_bias(algorithm, bits):
    z = []
    for seed in range(40):
        map_ = MinMaxMap(2048, algorithm=algorithm, bits=bits, stratified=False, random_state=seed).fit(X)
        pair = X[[2 * seed, 2 * seed + 1]]
        F = map_.features(pair)
        value, error = map_.estimate(F[:1], F[1:])
        if error[0] > 0:
            z.append((value[0] - map_.kernel(pair)[0, 1]) / error[0])
    assert abs(np.sum(z)) < 3.5 * np.sqrt(len(z))
    assert 0.5 < np.mean(np.square(z)) < 2


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_equal_rows_are_sure_and_empty_rows_share_nothing(algorithm):
    map_ = MinMaxMap(64, algorithm=algorithm, random_state=0).fit(X)
    F = map_.features(np.vstack([X[3], X[3], X[5]]))
    value, error = map_.estimate(F[[0, 0]], F[[1, 2]])
    assert value.tolist() == [1, 0]
    assert error.tolist() == [0, 0]


def test_filled_shares_are_read_from_codes():
    rng = np.random.default_rng(0)
    for share in (0.02, 0.3, 0.9):
        codes = Codes.of((rng.geometric(share, (1, 100_000)) - 1) % 16, levels=16)
        assert abs(filled_share_of(codes)[0] / share - 1) < 0.1


def test_what_is_not_a_pair_of_codes_is_refused():
    map_ = MinMaxMap(8, random_state=0).fit(X)
    F = map_.features(X)
    with pytest.raises(InputError, match=r"use map.features"):
        map_.estimate(X, F)
    with pytest.raises(InputError, match="the same number of rows"):
        map_.estimate(F[:2], F)


def test_rows_of_one_value_meet_others_by_chance_alone():
    rows = np.diag([1e-3, 1e-3, 1.0, 1.0])  # the first two miss every dart, and each has few samples
    for seed in range(5):
        map_ = MinMaxMap(2048, algorithm="rejection", bits=4, random_state=seed).fit(np.vstack([rows, 50 * rows]))
        F = map_.features(rows)
        assert np.mean(F.codes[0] == F.codes[1]) < 0.1


@pytest.mark.parametrize("d", [12, 50, 64])
@pytest.mark.parametrize("algorithm", ["icws", "counter"])
def test_no_chance_is_taken_out_of_codes_that_tell_all_columns_apart(algorithm, d):
    rng = np.random.default_rng(d)
    rows = rng.random((200, d)) ** 4 * (rng.random((200, d)) < 0.6)
    map_ = MinMaxMap(4096, algorithm=algorithm, random_state=1).fit(rows)
    A, B = rows[:100], rows[100:]
    value, _ = map_.estimate(map_.features(A), map_.features(B))
    exact = np.array([map_.kernel(a, b) for a, b in zip(A, B, strict=True)])
    assert abs(np.mean(value - exact)) < 0.004


def test_chance_of_columns_is_that_of_counting_pairs():
    for n_columns, levels in ((1, 4), (3, 4), (4, 4), (5, 4), (50, 16), (64, 16)):
        low = np.arange(n_columns) % levels
        pairs = [low[i] == low[j] for i in range(n_columns) for j in range(n_columns) if i != j]
        assert column_chance(n_columns, levels) == pytest.approx(np.mean(pairs) if pairs else 0)
