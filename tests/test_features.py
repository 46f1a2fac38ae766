"""The waist: what a form holds, how it is cut, converted and put together."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from unkernel import Codes, Dense, InputError, Sparse
from unkernel.features import Gathering, as_features, concatenate


def forms(n=9, seed=0):
    rng = np.random.default_rng(seed)
    made = Codes.of(rng.integers(0, 4, (n, 3)), 4, filled=rng.random(n) < 0.7)
    return [made, Sparse.of(made.to_csr()), Dense(made.to_dense())]


@pytest.mark.parametrize("F", forms(), ids=lambda F: type(F).__name__)
@pytest.mark.parametrize(
    "rows",
    [slice(None), slice(2, 6), slice(6, 2), slice(0, 0), slice(None, None, 2), slice(None, None, -1), slice(-3, None)]
    + [3, -1, np.int64(2), np.array([4, 4, 0]), np.array([], dtype=int), np.arange(9) % 2 == 0],
    ids=repr,
)
def test_rows_are_cut_as_numpy_cuts_them(F, rows):
    chosen = F.to_dense()[[int(rows)] if isinstance(rows, int | np.integer) else rows]
    cut = F[rows]
    assert type(cut) is type(F)
    assert cut.shape == chosen.shape
    assert len(cut) == len(chosen)
    np.testing.assert_array_equal(cut.to_dense(), chosen)


@pytest.mark.parametrize("F", forms(), ids=lambda F: type(F).__name__)
def test_conversions_keep_the_numbers_and_give_the_type_asked_for(F):
    for dtype in (np.float32, np.float64):
        assert F.to_dense(dtype).dtype == F.to_csr(dtype).dtype == dtype
        np.testing.assert_array_equal(F.to_csr(dtype).toarray(), F.to_dense(dtype))
    assert F.to_dense().dtype == F.dtype
    assert F.nbytes > 0


@pytest.mark.parametrize("k", range(3), ids=["Codes", "Sparse", "Dense"])
def test_blocks_concatenate_and_gather_to_the_whole(k):
    F = forms()[k]
    cuts = [slice(0, 2), slice(2, 2), slice(2, 9)]
    np.testing.assert_array_equal(concatenate([F[c] for c in cuts]).to_dense(), F.to_dense())
    gathering = Gathering(len(F))
    for c in reversed(cuts):
        gathering.put(c, F[c])
    np.testing.assert_array_equal(gathering.result().to_dense(), F.to_dense())
    assert type(gathering.result()) is type(F)


def test_blocks_of_different_maps_do_not_concatenate():
    with pytest.raises(InputError, match="one fitted map"):
        concatenate([Codes.of(np.zeros((1, 2), int), 4), Codes.of(np.zeros((1, 2), int), 8)])
    with pytest.raises(InputError, match="one fitted map"):
        concatenate([Dense(np.zeros((1, 2))), Dense(np.zeros((1, 3)))])


def test_one_code_is_one_byte_and_two_past_256_levels():
    codes = np.array([[0, 255]])
    assert Codes.of(codes, 256).codes.dtype == np.uint8
    assert Codes.of(codes, 257).codes.dtype == np.uint16
    F = Codes.of(np.zeros((1000, 64), int), 256)
    assert F.nbytes == 1000 * 64 + 1000
    assert F.to_csr().data.nbytes + F.to_csr().indices.nbytes == 8 * 1000 * 64


@pytest.mark.parametrize(
    ("codes", "levels", "says"),
    [
        (np.array([[0, 4]]), 4, "codes range from 0 to 4; with 4 levels"),
        (np.array([[-1, 0]]), 4, "codes range from -1 to 0"),
        (np.array([[0.5]]), 4, "float64; a .* array of whole numbers"),
        (np.array([0, 1]), 4, "1 axes"),
        (np.array([[0]]), 0, "levels is 0"),
        (np.array([[0]]), 65_537, "levels is 65537"),
    ],
)
def test_codes_that_could_point_outside_are_refused(codes, levels, says):
    with pytest.raises(InputError, match=says):
        Codes.of(codes, levels)


def test_row_pointers_are_64_bit_and_numbers_are_shared():
    X = scipy.sparse.random_array((5, 6), density=0.5, format="csr", rng=np.random.default_rng(0))
    X.indptr = X.indptr.astype(np.int32)
    F = Sparse.of(X)
    assert F.indptr.dtype == np.int64
    assert F.data is X.data
    assert F.indices is X.indices


def test_a_form_is_itself_and_arrays_find_theirs():
    F = forms()[0]
    assert as_features(F) is F
    assert isinstance(as_features(np.ones((2, 2))), Dense)
    assert isinstance(as_features(scipy.sparse.csr_array(np.eye(2))), Sparse)


def test_csr_indices_are_32_bit_while_they_fit():
    narrow = Codes(np.zeros((1, 2), np.uint16), np.ones(1, bool), 65_536, 1.0)
    wide = Codes(np.zeros((1, 40_000), np.uint16), np.ones(1, bool), 65_536, 1.0)
    assert narrow.to_csr().indices.dtype == np.int32
    assert wide.to_csr().indices.dtype == np.int64
    assert wide.to_csr().indices[-1] == 39_999 * 65_536


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_any_codes_are_their_one_hot_matrix(data):
    n, k, levels = (data.draw(st.integers(1, 6)) for _ in range(3))
    made = np.array(
        data.draw(st.lists(st.lists(st.integers(0, levels - 1), min_size=k, max_size=k), min_size=n, max_size=n))
    )
    filled = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    A = Codes.of(made, levels, filled=filled, value=1.0).to_dense()
    for i in range(n):
        for j in range(k):
            for c in range(levels):
                assert A[i, j * levels + c] == (filled[i] and made[i, j] == c)
