"""Tiles hold the same codes: their lookups, additions and likenesses are those of the rows they were made of."""

import numpy as np
import pytest

import naive
from unkernel import Codes
from unkernel.linear.tiles import ROWS, tile, untile
from unkernel.linear.tiles_hot import add_rows, look_up


def codes(n=37, k=7, levels=40, seed=0, used=None):
    """Components with different numbers of levels in use, one row empty."""
    rng = np.random.default_rng(seed)
    used = rng.integers(2, 34, k) if used is None else np.full(k, used)
    values = np.stack([rng.choice(rng.permutation(levels)[:u], n) for u in used], axis=1)
    return Codes.of(values, levels, filled=np.arange(n) != 5)


CASES = {
    "mixed": codes(),
    "few": codes(used=3, levels=4),
    "sixteen": codes(used=16, levels=16, n=60),
    "odd": codes(used=16, levels=16, k=5, n=60),
    "long": codes(n=20, k=1000, levels=16, used=2),
    "wide": codes(levels=3000, used=17),
    "short": codes(n=3, k=1, levels=2, used=2),
}


@pytest.mark.hot
@pytest.mark.parametrize("name", CASES)
def test_lookups_and_additions_are_those_of_the_codes(name):
    F = CASES[name]
    if name == "long" and not hasattr(look_up, "py_func"):
        F = F[:4]
    tiles = tile(F, seed=3)
    assert sorted(tiles.row[: len(F)]) == list(range(len(F)))
    assert not tiles.size[len(F) :].any()
    rng = np.random.default_rng(1)
    W = rng.normal(size=F.shape[1]).astype(np.float32)
    w = np.where(tiles.origin >= 0, W[tiles.origin], 0).astype(np.float32)
    meant = naive.tile_sums(F.codes, F.value, W, F.levels) * F.filled
    out = np.array(
        [take(tiles, t, w) for t in range(len(tiles.alike))], dtype=np.float32
    ).ravel()  # padding looks up row 0
    np.testing.assert_allclose((out * tiles.size)[: len(F)], meant[tiles.row[: len(F)]], atol=1e-5)

    b = np.zeros(len(tiles.row), dtype=np.float32)
    b[: len(F)] = rng.normal(size=len(F))
    gained = np.zeros(len(tiles.origin), dtype=np.float32)
    add_rows(tiles, b, gained)
    by_row = np.zeros(len(F))
    by_row[tiles.row[: len(F)]] = b[: len(F)]
    np.testing.assert_allclose(untile(tiles, gained[:, None], F.shape[1])[:, 0], F.to_dense().T @ by_row, atol=1e-5)


def take(tiles, t, w):
    from unkernel._jit import kernel
    from unkernel._lanes import store

    global _take
    if _take is None:

        @kernel
        def _take(packed, pairs, t, w, out):
            store(out, 0, look_up(packed, pairs, t, w))

    out = np.empty(16, np.float32)
    _take(tiles.packed, tiles.pairs, t, w, out)
    return out


_take = None


@pytest.mark.hot
def test_likeness_is_the_share_of_equal_codes():
    F = CASES["mixed"]
    tiles = tile(F)
    for t in (0, 2):
        for r in range(ROWS):
            for s in range(ROWS):
                i, j = ROWS * t + r, ROWS * t + s
                empty = not (tiles.size[i] and tiles.size[j])
                share = 0 if empty else naive.equal_share(F.codes[tiles.row[i]], F.codes[tiles.row[j]])
                assert tiles.alike[t, r, s] == share


def test_more_equal_codes_than_a_byte_counts():
    F = Codes.of(np.zeros((2, 9000), int), 2)
    assert tile(F).alike[0, :2, :2].tolist() == [[255, 255], [255, 255]]


def test_codes_with_too_many_levels_are_left_alone():
    rng = np.random.default_rng(0)
    assert tile(Codes.of(rng.integers(0, 256, (4000, 4)), 256)) is None


def test_memory_is_about_half_the_codes_when_four_bits_do():
    F = Codes.of(np.random.default_rng(0).integers(0, 16, (5000, 512)), 16)
    assert tile(F).nbytes < 0.6 * F.nbytes


def test_threads_do_not_change_a_bit():
    F = CASES["mixed"]
    for one, three in zip(tile(F), tile(F, n_jobs=3), strict=True):
        np.testing.assert_array_equal(one, three)
