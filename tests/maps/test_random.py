"""Randomness as a function of (seed, i, j): twins agree to the bit, draws have the distributions they claim."""

import numpy as np
import pytest
from scipy import stats

from unkernel.maps import random, random_hot

I, J = np.meshgrid(np.arange(40), np.arange(30), indexing="ij")


def scalar_bits(seed, i, j):
    """splitmix64 twice over a counter, on Python's whole numbers."""
    mask = 2**64 - 1

    def mix(z):
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
        return z ^ (z >> 31)

    golden = 0x9E3779B97F4A7C15
    return mix((mix((seed + golden * (i + 1)) & mask) + golden * (j + 1)) & mask)


@pytest.mark.hot
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_three_ways_to_the_same_bits(seed):
    table = random.bits(seed, I, J)
    for i, j in [(0, 0), (3, 7), (39, 29)]:
        assert table[i, j] == scalar_bits(seed, i, j) == random_hot.bits(np.uint64(seed), i, j)
        assert random.uniforms(seed, i, j) == random_hot.uniform(np.uint64(seed), i, j)


def test_an_entry_does_not_depend_on_its_neighbours():
    assert random.bits(5, 17, 23) == random.bits(5, I, J)[17, 23]


def test_no_two_entries_are_equal_and_no_seed_repeats_another():
    tables = [random.bits(seed, I, J).ravel() for seed in range(20)]
    assert len(np.unique(np.concatenate(tables))) == 20 * I.size


def test_streams_are_seeds_of_their_own():
    seeds = {random.stream(seed, name) for seed in range(50) for name in range(20)}
    assert len(seeds) == 1000


@pytest.mark.parametrize(
    ("draw", "law"),
    [(random.uniforms, "uniform"), (random.normals, "norm"), (random.cauchys, "cauchy")],
    ids=["uniform", "normal", "cauchy"],
)
def test_draws_follow_their_law_along_rows_columns_and_seeds(draw, law):
    samples = [draw(1, np.arange(20_000), 0), draw(1, 0, np.arange(20_000))]
    samples.append(np.array([float(draw(seed, 0, 0)) for seed in range(4_000)]))
    for sample in samples:
        assert stats.kstest(sample, law).pvalue > 1e-3


def test_signs_are_fair_and_neighbours_uncorrelated():
    s = random.signs(3, np.arange(300)[:, None], np.arange(300)[None, :])
    n = s.size
    assert set(np.unique(s)) == {-1.0, 1.0}
    assert abs(s.sum()) < 4 * np.sqrt(n)
    assert abs((s[1:] * s[:-1]).sum()) < 4 * np.sqrt(n)
    assert abs((s[:, 1:] * s[:, :-1]).sum()) < 4 * np.sqrt(n)


def test_uniforms_stay_inside_the_open_interval():
    u = random.uniforms(0, np.arange(100_000), 1)
    assert 0 < u.min()
    assert u.max() < 1
