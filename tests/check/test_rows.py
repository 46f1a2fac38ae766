"""The door of the check: labels and amounts are told apart, and what cannot be used is refused with a remedy."""

import numpy as np
import pytest
import scipy.sparse

import unkernel
from questions import flat
from unkernel import InputError
from unkernel.check.rows import looks_continuous, open_rows


@pytest.mark.parametrize(
    ("y", "amount"),
    [
        (["a", "b"] * 20, False),
        ([True, False] * 20, False),
        ([1, 2, 3, 4] * 10, False),
        ([1.0, 2.0] * 20, False),
        (np.arange(40) * 10, True),
        (np.linspace(0, 1, 40), True),
    ],
)
def test_labels_and_amounts(y, amount):
    assert looks_continuous(np.asarray(y)) == amount
    rows = open_rows(np.arange(80.0).reshape(40, 2), y)
    assert rows.task == ("regression" if amount else "classification")


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.full((40, 2), np.nan), [0, 1] * 20, "NaN at row 0, column 0.*impute or drop"),
        (np.eye(40), None, "y is None"),
        (np.eye(40), [0] * 40, "one class"),
        (np.eye(40), [0, 1] * 10, "y has 20 values and X has 40 rows"),
        (np.eye(10), [0, 1] * 5, "at least 20"),
        (np.eye(40), np.eye(40), "one target at a time"),
        (np.eye(40), [0] * 39 + [1], "single row"),
        (np.array([["x", 1.0]] * 40, dtype=object), [0, 1] * 20, "not numbers: column 0; give a pandas"),
        (np.eye(40) * 1e300, [0, 1] * 20, "column 0 has values up to 1e.300 .* divide it by a power of ten"),
        (np.eye(40) * 1e-300, [0, 1] * 20, "column 0 has values up to 1e-300 .* multiply it"),
        (np.eye(40, dtype=np.float32) * 1e30, [0, 1] * 20, "column 0 has values up to 1e.30 .* 1e-18 and 2e.18"),
        (scipy.sparse.csr_array(np.eye(40) * -1e200), [0, 1] * 20, "column 0 has values up to 1e.200"),
        (np.eye(40), np.linspace(0, 1e300, 40), "y has values up to 1e.300 .* divide"),
    ],
)
def test_what_cannot_be_used_is_refused(X, y, message):
    with pytest.raises((InputError, ValueError), match=message):
        open_rows(X, y)


def test_columns_of_words_are_encoded_as_in_a_file(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": np.arange(40.0) ** 2, "town": ["x", "y", "z", "y"] * 10})
    rows = open_rows(frame, [0, 1] * 20)
    frame.assign(y=[0, 1] * 20).to_csv(tmp_path / "rows.csv", index=False)
    read = unkernel.read(tmp_path / "rows.csv")
    assert rows.names == read.feature_names.tolist() == ["age", "town=x", "town=y", "town=z"]
    np.testing.assert_array_equal(rows.X, read.X)
    assert rows.encoded
    assert not open_rows(frame[["age"]], [0, 1] * 20).encoded


def test_missing_values_are_found_by_the_name_of_their_column():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": range(40), "wage": [np.nan] + [1.0] * 39})
    with pytest.raises(InputError, match="NaN at row 0, column 'wage': finite numbers are needed; impute"):
        open_rows(frame, [0, 1] * 20)


def test_the_task_can_be_said():
    X, y = flat(60)
    assert open_rows(X, y, "regression").classes is None
    assert open_rows(scipy.sparse.csr_array(X), y).n_classes == 2
