"""Vector registers: the machine code of each verb is its plain-Python meaning, to the bit."""

import numpy as np
import pytest

import naive
from unkernel import _lanes as lanes
from unkernel._jit import kernel
from unkernel._lanes import (
    LANES,
    add,
    anywhere,
    differing,
    div,
    greatest,
    hadamard,
    least,
    load,
    look,
    mul,
    narrow,
    nearest,
    ones,
    pick,
    plane,
    same,
    splat,
    store,
    sub,
    total,
    upper,
)

pytestmark = pytest.mark.hot
DTYPES = [np.float32, np.float64, np.int32, np.uint32, np.int64, np.uint64, np.uint8, np.uint16]


@kernel
def met(u, v):
    return anywhere(load(u, 0), load(v, 0))


def values(dtype, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return rng.normal(size=40).astype(dtype)
    return rng.integers(0, 250, 40).astype(dtype)


@kernel
def sum_lanes(a, b, i, out):
    store(out, 0, add(load(a, i), load(b, i)))


@kernel
def difference(a, b, i, out):
    store(out, 0, sub(load(a, i), load(b, i)))


@kernel
def product(a, b, i, out):
    store(out, 0, mul(load(a, i), load(b, i)))


@kernel
def quotient(a, b, i, out):
    store(out, 0, div(load(a, i), load(b, i)))


@kernel
def smaller(a, b, i, out):
    store(out, 0, least(load(a, i), load(b, i)))


@kernel
def larger(a, b, i, out):
    store(out, 0, greatest(load(a, i), load(b, i)))


@kernel
def floored(a, i, out):
    store(out, 0, lanes.floor(load(a, i)))


@kernel
def picked(a, b, i, out):
    store(out, 0, pick(load(a, i), load(b, i), load(b, i + 1), load(a, i + 1)))


@kernel
def spread(a, b, i, out):
    store(out, 0, splat(a[i]))


@kernel
def rounded(a, b, i, out):
    store(out, 0, nearest(load(a, i)))


@kernel
def summed(a, i):
    return total(load(a, i))


VERBS = [sum_lanes, difference, product, smaller, larger, picked, spread]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("verb", VERBS, ids=lambda v: v.__name__)
def test_the_machine_does_what_the_meaning_says(verb, dtype):
    a, b = values(dtype, 0), values(dtype, 1)
    b[5:9] = a[5:9]  # equal lanes: which one is chosen is part of the meaning
    out, meant = np.zeros(LANES, dtype), np.zeros(LANES, dtype)
    verb(a, b, 3, out)
    getattr(verb, "py_func", verb)(a, b, 3, meant)
    np.testing.assert_array_equal(out, meant)
    assert out.any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: np.dtype(d).name)
def test_quotients_are_rounded_as_usual(dtype):
    test_the_machine_does_what_the_meaning_says(quotient, dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64], ids=lambda d: np.dtype(d).name)
def test_a_total_is_taken_in_its_stated_order(dtype):
    a = values(dtype, 2)
    v = a[7 : 7 + LANES].copy()
    for half in (8, 4, 2, 1):
        v = v[:half] + v[half : 2 * half]
    assert summed(a, 7) == v[0] == lanes.total(a[7 : 7 + LANES])


@pytest.mark.parametrize("dtype", [np.float32, np.int32], ids=lambda d: np.dtype(d).name)
def test_one_lane_is_enough(dtype):
    u = values(dtype)
    assert not met(u, u)
    for lane in (0, 7, 15):
        v = u.copy()
        v[lane] += 1
        assert met(u, v)
        assert not met(v, u)


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: np.dtype(d).name)
def test_floors_are_floors(dtype):
    a, out = 100 * values(dtype, 3), np.zeros(LANES, dtype)
    floored(a, 2, out)
    np.testing.assert_array_equal(out, np.floor(a[2 : 2 + LANES]))


def test_unordered_lanes_fall_to_the_second():
    a, b, out = np.full(16, np.nan, np.float32), np.arange(16, dtype=np.float32), np.empty(16, np.float32)
    smaller(a, b, 0, out)
    np.testing.assert_array_equal(out, b)


@kernel
def transformed(a, b, i, out):
    store(out, 0, hadamard(load(a, i)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: np.dtype(d).name)
def test_hadamard_is_its_matrix(dtype):
    a, out, meant = values(dtype), np.empty(LANES, dtype), np.empty(LANES, dtype)
    transformed(a, a, 3, out)
    getattr(transformed, "py_func", transformed)(a, a, 3, meant)
    np.testing.assert_array_equal(out, meant)
    np.testing.assert_allclose(out, naive.hadamard(LANES) @ a[3 : 3 + LANES], rtol=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=lambda d: np.dtype(d).name)
def test_nearest_rounds_halves_to_even(dtype):
    a = np.r_[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.499, -7.501, 1e30, np.zeros(7)].astype(dtype)
    out = np.empty(LANES, dtype)
    rounded(a, a, 0, out)
    np.testing.assert_array_equal(out, np.rint(a))


@kernel
def looked(a, b, i, out):
    store(out, 0, look(load(a, i), load(b, i)))


@kernel
def looked_upper(a, b, i, out):
    store(out, 0, look(load(a, i), upper(load(b, i))))


@kernel
def equal_lanes(a, b, i, out):
    store(out, 0, same(load(a, i), load(b, i)))


@pytest.mark.parametrize("verb", [looked, looked_upper], ids=lambda v: v.__name__)
def test_a_register_is_a_table_of_sixteen(verb):
    a, b, out = values(np.float32), values(np.uint8, 1), np.empty(LANES, np.float32)
    verb(a, b, 3, out)
    at = b[3:19] & 15 if verb is looked else b[3:19] >> 4
    np.testing.assert_array_equal(out, a[3:19][at])


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16], ids=lambda d: np.dtype(d).name)
def test_equal_lanes_are_ones(dtype):
    a, b, out = values(dtype, 0), values(dtype, 1), np.empty(LANES, dtype)
    b[5:9] = a[5:9]
    equal_lanes(a, b, 3, out)
    np.testing.assert_array_equal(out, a[3:19] == b[3:19])


@kernel
def unlike_bits(a, b, i, out):
    store(out, 0, ones(differing(splat(a[0]), load(a, i), load(b, i))))


@kernel
def narrowed(a, i, out):
    store(out, 0, narrow(load(a, i), out))


@kernel
def bits_of(a, i, b):
    return plane(a, i, b)


def test_bits_are_counted():
    a, b, out = values(np.uint64), values(np.uint64, 1) << np.uint64(40), np.empty(LANES, np.uint64)
    unlike_bits(a, b, 3, out)
    meant = [int(a[0] | (u ^ v)).bit_count() for u, v in zip(a[3:19], b[3:19], strict=True)]
    np.testing.assert_array_equal(out, meant)


def test_narrow_lanes_keep_their_lower_bits():
    a, out = values(np.uint64) + np.uint64(1 << 40 | 1 << 17), np.empty(LANES, np.uint16)
    narrowed(a, 3, out)
    np.testing.assert_array_equal(out, a[3:19] & np.uint64(0xFFFF))


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16], ids=lambda d: np.dtype(d).name)
def test_a_plane_is_one_bit_of_sixty_four_values(dtype):
    a = np.random.default_rng(0).integers(0, 256, 80).astype(dtype)
    for b in (0, 3, 7):
        found = int(bits_of(a, 5, b))
        assert [found >> p & 1 for p in range(64)] == [int(v) >> b & 1 for v in a[5:69]]
