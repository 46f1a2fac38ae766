"""The door: what passes is canonical, what does not is told which value, which rule and what to do."""

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator

from unkernel import InputError
from unkernel._validate import (
    check_choice,
    check_class_weight,
    check_classes,
    check_integer,
    check_matrix,
    check_numbers,
    check_real,
    check_rows,
    check_seed,
    check_weights,
    weights_of_classes,
)


class Guest(BaseEstimator):
    """Stands for any estimator at the door."""


ROWS = np.array([[1.0, 0.0, -2.0], [0.0, 3.0, 0.0]])
FLAVOURS = {
    "float64": lambda: ROWS,
    "float32": lambda: ROWS.astype(np.float32),
    "float16": lambda: ROWS.astype(np.float16),
    "integers": lambda: ROWS.astype(np.int16),
    "booleans": lambda: ROWS != 0,
    "list": ROWS.tolist,
    "fortran": lambda: np.asfortranarray(ROWS),
    "strided": lambda: np.repeat(ROWS, 2, axis=1)[:, ::2],
    "big-endian": lambda: ROWS.astype(">f8"),
    "big-endian-32": lambda: ROWS.astype(">f4"),
    "pandas": lambda: pd.DataFrame(ROWS, columns=["a", "b", "c"]),
    "pandas-nullable": lambda: pd.DataFrame(ROWS, columns=["a", "b", "c"]).astype("Float64"),
    "polars": lambda: pl.DataFrame(ROWS, schema=["a", "b", "c"]),
    "object": lambda: ROWS.astype(object),
}


def read_only(X):
    X.flags.writeable = False
    return X


@pytest.mark.parametrize("flavour", FLAVOURS.values(), ids=FLAVOURS)
def test_dense_rows_become_one_kind_of_array(flavour):
    guest, given = Guest(), flavour()
    X = check_rows(guest, given, reset=True)
    assert X.flags.c_contiguous
    assert X.dtype in (np.float32, np.float64)
    assert X.dtype.isnative
    np.testing.assert_array_equal(X, np.asarray(given, dtype=float))
    assert guest.n_features_in_ == 3
    assert (X.dtype == np.float32) == (getattr(given, "dtype", None) == np.float32)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "bsr", "dok"])
@pytest.mark.parametrize("api", ["matrix", "array"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_rows_become_canonical_csr(kind, api, dtype):
    given = getattr(scipy.sparse, f"{kind}_{api}")(ROWS.astype(dtype))
    X = check_rows(Guest(), given, reset=True)
    assert isinstance(X, scipy.sparse.csr_array)
    assert X.dtype == dtype
    assert X.has_canonical_format
    np.testing.assert_array_equal(X.toarray(), ROWS)


def test_duplicates_are_summed_stored_zeros_dropped_and_the_callers_matrix_kept():
    parts = (np.array([1.0, 2.0, 0.0, 5.0]), np.array([2, 2, 1, 0]), np.array([0, 3, 4]))
    given = scipy.sparse.csr_array(parts, shape=(2, 3))
    X = check_rows(Guest(), given, reset=True)
    np.testing.assert_array_equal(X.toarray(), [[0, 0, 3], [5, 0, 0]])
    assert X.nnz == 2
    assert given.nnz == 4
    np.testing.assert_array_equal(given.data, [1, 2, 0, 5])


def test_duplicates_that_cancel_leave_no_stored_zero():
    given = scipy.sparse.csr_array((np.array([1.0, -1.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    assert check_rows(Guest(), given, reset=True).nnz == 0


def test_read_only_rows_pass_without_a_copy(tmp_path):
    X = read_only(ROWS.copy())
    assert np.shares_memory(check_rows(Guest(), X, reset=True), X)
    joblib.dump(ROWS, tmp_path / "rows")
    mapped = joblib.load(tmp_path / "rows", mmap_mode="r")
    assert np.shares_memory(check_rows(Guest(), mapped, reset=True), mapped)
    sparse = scipy.sparse.csr_array(ROWS)
    read_only(sparse.data)
    assert check_rows(Guest(), sparse, reset=True).nnz == 3


def test_64_bit_indices_pass():
    X = scipy.sparse.csr_array(ROWS)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    np.testing.assert_array_equal(check_rows(Guest(), X, reset=True).toarray(), ROWS)


@pytest.mark.parametrize(
    ("value", "found"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")], ids=["nan", "inf", "-inf"]
)
@pytest.mark.parametrize("sparse", [False, True])
def test_a_value_that_is_not_finite_is_named_with_its_place(value, found, sparse):
    X = ROWS.copy()
    X[1, 1] = value
    with pytest.raises(InputError, match=rf"contains {found} at row 1, column 1: finite numbers .*SimpleImputer"):
        check_rows(Guest(), scipy.sparse.csr_array(X) if sparse else X, reset=True)


def test_a_column_is_called_by_its_name_and_the_others_counted():
    frame = pd.DataFrame({"height": [1.0, np.nan, 2.0], "weight": [np.nan, 1.0, 1.0]})
    with pytest.raises(InputError, match=r"NaN at row 0, column 'weight', the first of 2 such values"):
        check_rows(Guest(), frame, reset=True)


def test_large_numbers_are_not_mistaken_for_infinity():
    X = np.full((3, 2), 3e38, dtype=np.float32)
    np.testing.assert_array_equal(check_rows(Guest(), X, reset=True), X)


@pytest.mark.parametrize("sparse", [False, True])
def test_negative_values_are_refused_with_the_remedy(sparse):
    with pytest.raises(InputError, match=r"contains -2 at row 0, column 2: Negative values in data .*; use GMM"):
        check_rows(Guest(), scipy.sparse.csr_array(ROWS) if sparse else ROWS, reset=True, nonnegative="use GMM")


def test_sparse_where_dense_is_needed_says_what_to_do():
    with pytest.raises(InputError, match=r"Guest needs a dense array and X is sparse .*toarray"):
        check_rows(Guest(), scipy.sparse.csr_array(ROWS), sparse=False)


@pytest.mark.parametrize(
    ("X", "says"),
    [
        (np.ones((0, 3)), "0 sample"),
        (np.ones((2, 0)), r"0 feature\(s\)"),
        (np.ones(3), "1D array"),
        (np.ones((2, 2, 2)), "dim 3"),
        (np.array([["a", "b"]]), "could not convert|dtype"),
        (np.array([[1 + 2j]]), "[Cc]omplex"),
        (None, "scalar|None"),
        ("text", "scalar|dtype|convert"),
    ],
    ids=repr,
)
def test_what_is_not_a_table_of_numbers_is_refused(X, says):
    with pytest.raises((ValueError, TypeError), match=says):
        check_rows(Guest(), X, reset=True)


def test_another_width_or_other_names_are_refused_after_fit():
    guest = Guest()
    check_rows(guest, pd.DataFrame(ROWS, columns=["a", "b", "c"]), reset=True)
    with pytest.raises(ValueError, match="2 features, but Guest is expecting 3"):
        check_rows(guest, ROWS[:, :2])
    with pytest.raises(ValueError, match="feature names"):
        check_rows(guest, pd.DataFrame(ROWS, columns=["a", "b", "d"]))


def test_a_functions_rows_follow_the_same_rules():
    assert check_matrix([[1, 2]]).dtype == np.float64
    with pytest.raises(InputError, match="Y contains NaN at row 0, column 1"):
        check_matrix([[1.0, np.nan]], name="Y")
    with pytest.raises(InputError, match="Y has 2 columns and 3 are needed"):
        check_matrix([[1, 2]], name="Y", n_columns=3)


@pytest.mark.parametrize("y", [[1, 0, 1], ["b", "a", "b"], [True, False, True], [2.0, -1.0, 2.0]], ids=repr)
def test_labels_of_any_type_become_an_index(y):
    classes, index = check_classes(y, 3)
    assert index.dtype == np.int32
    np.testing.assert_array_equal(classes[index], y)
    assert len(classes) == 2


@pytest.mark.parametrize(
    ("y", "says"),
    [
        ([1, 1, 1], r"one class, .*1.*at least two"),
        ([1, 2], "y has 2 values and X has 3 rows"),
        ([1.0, np.nan, 2.0], "NaN"),
        ([0.5, 1.2, 3.3], "[Cc]ontinuous|Unknown label type"),
        ([[1, 0], [0, 1], [1, 1]], "1d array|multilabel|shape"),
        ([1, None, 2], "NaN|None|Unknown label|not supported|missing"),
    ],
    ids=repr,
)
def test_labels_that_cannot_be_learnt_are_refused(y, says):
    with pytest.raises((ValueError, TypeError), match=says):
        check_classes(y, 3)


def test_targets_are_finite_numbers():
    assert check_numbers([1, 2, 3], 3).dtype == np.float64
    with pytest.raises(InputError, match="y contains NaN or infinity at row 1"):
        check_numbers([1, np.inf, 3], 3)
    with pytest.raises(InputError, match="y has 3 values and X has 2 rows"):
        check_numbers([1, 2, 3], 2)
    with pytest.raises(InputError, match="y is None; a regressor requires y"):
        check_numbers(None, 2)


def test_weights_are_ones_by_default_and_never_negative():
    np.testing.assert_array_equal(check_weights(None, 3), np.ones(3))
    np.testing.assert_array_equal(check_weights(2, 3), np.full(3, 2.0))
    with pytest.raises(InputError, match=r"shape \(2,\).* 3 rows"):
        check_weights([1, 2], 3)
    with pytest.raises(InputError, match="sample_weight is -1 at row 1"):
        check_weights([1, -1, 2], 3)
    with pytest.raises(InputError, match="zero everywhere"):
        check_weights([0, 0, 0], 3)
    with pytest.raises(ValueError, match="NaN"):
        check_weights([0, np.nan, 1], 3)


@pytest.mark.parametrize("value", [0, -1, 1.0, True, "3", None, np.nan])
def test_whole_numbers_are_whole_and_within_bounds(value):
    with pytest.raises(InputError, match=r"n_components is .*at least 1 and at most 9"):
        check_integer("n_components", value, least=1, most=9)
    assert check_integer("n_components", np.int64(9), least=1, most=9) == 9


@pytest.mark.parametrize("value", [0, -1.0, np.inf, np.nan, "1", None, True, 3])
def test_numbers_are_finite_and_within_bounds(value):
    with pytest.raises(InputError, match=r"gamma is .*finite number above 0 and at most 2"):
        check_real("gamma", value, above=0, most=2)
    assert check_real("gamma", np.float32(2), above=0, most=2) == 2.0


def test_a_choice_is_one_of_a_few():
    assert check_choice("loss", "hinge", ["hinge", None]) == "hinge"
    with pytest.raises(InputError, match=r"loss is 'hing'; it must be one of 'hinge', None"):
        check_choice("loss", "hing", ["hinge", None])
    with pytest.raises(InputError):
        check_choice("t_bits", True, [0, 1])


def test_a_seed_follows_from_an_int_and_advances_a_generator():
    assert check_seed(3) == check_seed(np.int32(3)) != check_seed(4)
    assert 0 <= check_seed(None) < 2**64
    assert check_seed(None) != check_seed(None)
    for maker in (np.random.default_rng, np.random.RandomState):
        one, other = maker(0), maker(0)
        assert check_seed(one) == check_seed(other)
        assert check_seed(one) != check_seed(maker(0))


@pytest.mark.parametrize("value", [-1, 1.5, "seed", True])
def test_a_seed_that_is_none_of_these_is_refused(value):
    with pytest.raises(InputError, match=r"random_state is .*RandomState, a Generator or None"):
        check_seed(value)


@pytest.mark.parametrize(
    ("y", "says"),
    [
        (None, "y is None.*give labels"),
        (np.array(["a", None, "b"], object), "y contains None at row 1.*drop those rows"),
        (np.array(["a", np.nan, "b"], object), "y contains NaN at row 1.*drop those rows"),
        ([0.0, 1.0, np.nan], "y contains NaN at row 2.*drop those rows"),
        (np.array(["a", 1, "b"], object), "types int, str, which have no order; make them one type"),
        (np.zeros(3), "y has one class, 0.0;"),
    ],
)
def test_labels_are_refused_with_a_remedy(y, says):
    with pytest.raises(InputError, match=says):
        check_classes(y, 3)


@pytest.mark.parametrize("weight", ["balanced", [1.0, np.nan, 1.0], [1.0, np.inf, 1.0]])
def test_sample_weights_that_are_no_numbers_are_refused_with_a_remedy(weight):
    with pytest.raises(
        InputError, match=r"sample_weight (is 'balanced'; it must|contains (NaN|infinity) at row 1.*drop)"
    ):
        check_weights(weight, 3)


@pytest.mark.parametrize("value", [-1.0, 0.0, np.nan, np.inf, "a"])
def test_class_weights_out_of_range_are_refused(value):
    with pytest.raises(InputError, match=r"class_weight of 'b' is .*above 0: drop the rows"):
        check_class_weight({"a": 1.0, "b": value})
    with pytest.raises(InputError, match="must be a dict"):
        check_class_weight([1.0, 2.0])
    assert check_class_weight(None) is None


def test_a_label_in_class_weight_that_is_no_class_is_refused_where_a_class_lacks_one():
    classes = np.array(["a", "b"])
    np.testing.assert_array_equal(weights_of_classes({"b": 2.0}, classes), [1, 2])
    np.testing.assert_array_equal(weights_of_classes({"a": 3.0, "b": 2.0, "c": 5.0}, classes), [3, 2])
    with pytest.raises(InputError, match=r"names \['c'\] and The classes, \['a'\]"):
        weights_of_classes({"b": 2.0, "c": 5.0}, classes)


def test_repeated_entries_count_as_their_sum():
    X = scipy.sparse.csr_array((np.array([-1.0, 2.0]), np.array([0, 0]), np.array([0, 2])), shape=(1, 2))
    assert check_matrix(X, nonnegative="use another")[0, 0] == 1.0
    big = scipy.sparse.csr_array((np.array([1.7e308] * 2), np.array([0, 0]), np.array([0, 2])), shape=(1, 2))
    with pytest.raises(InputError, match="X contains infinity at row 0, column 0"):
        check_matrix(big)
