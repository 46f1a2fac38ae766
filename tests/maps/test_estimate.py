"""Estimates from codes: no bias however few the bits, and errors that say how far off they are."""

import numpy as np
import pytest

from catalogue import signed
from unkernel import Codes, InputError, MinMaxMap
from unkernel.maps.choice import ALGORITHMS
from unkernel.maps.estimate import filled_share_of

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
