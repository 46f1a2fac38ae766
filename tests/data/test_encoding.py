"""Columns of words become indicators in both kinds of frame; what cannot be used is refused by its name."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

from unkernel import InputError, UnkernelClassifier
from unkernel.data.encoding import Encoder, has_words

ROWS = {"size": [1.0, 2.5, 3.0, 4.0], "color": ["red", "blue", None, "red"]}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_words_become_indicators_and_missing_is_a_word(make):
    frame = make(ROWS)
    assert has_words(frame)
    assert not has_words(frame[["size"]])
    encoder = Encoder().fit(frame)
    assert encoder.words_ == {"color": ["(missing)", "blue", "red"]}
    found = encoder.transform(frame)
    np.testing.assert_array_equal(found, [[1, 0, 0, 1], [2.5, 0, 1, 0], [3, 1, 0, 0], [4, 0, 0, 1]])
    new = encoder.transform(make({"size": [5.0], "color": ["green"]}))
    np.testing.assert_array_equal(new, [[5, 0, 0, 0]])


def test_categories_of_numbers_are_words_and_nullable_numbers_are_numbers():
    frame = pd.DataFrame({"zip": pd.Categorical([10, 20, 10]), "n": pd.array([1, None, 3], dtype="Int64")})
    encoder = Encoder().fit(frame)
    assert encoder.words_ == {"zip": ["10", "20"]}
    np.testing.assert_array_equal(encoder.transform(frame)[:, 2], [1, np.nan, 3])


def test_a_column_of_identifiers_is_left_out_with_a_warning():
    frame = pd.DataFrame({"id": [f"row {i}" for i in range(100)], "x": np.arange(100.0)})
    with pytest.warns(UserWarning, match="column 'id' has 100 different words in 100 rows and is left out"):
        encoder = Encoder().fit(frame)
    assert encoder.transform(frame).shape == (100, 1)


def test_dates_twins_and_arrays_are_refused():
    dates = pd.DataFrame({"when": pd.to_datetime(["2020-01-01", "2021-01-01"])})
    with pytest.raises(InputError, match="column 'when' holds dates"):
        Encoder().fit(dates)
    twins = pd.DataFrame([["a", "b"]], columns=["x", "x"])
    with pytest.raises(InputError, match="two columns of X are called 'x'"):
        Encoder().fit(twins)
    encoder = Encoder().fit(pd.DataFrame(ROWS))
    with pytest.raises(InputError, match="give a frame with the columns of training"):
        encoder.transform(np.zeros((2, 2)))
    with pytest.raises(InputError, match="column 'size' held numbers in training"):
        encoder.transform(pd.DataFrame({"size": ["big"], "color": ["red"]}))
    with (
        pytest.warns(UserWarning, match="is left out"),
        pytest.raises(InputError, match="every column of X is left out"),
    ):
        Encoder().fit(pd.DataFrame({"id": [str(i) for i in range(50)]}))


def test_many_words_stay_sparse_and_say_the_same():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=600), "town": [f"t{i % 150:03d}" for i in rng.permutation(600)]})
    encoder = Encoder().fit(frame)
    wide = encoder.transform(frame.assign(town=frame["town"].where(frame.index != 3, "new")))
    assert scipy.sparse.issparse(wide)
    assert wide.shape == (600, 151)
    np.testing.assert_array_equal(wide[:, [0]].toarray().ravel(), frame["x"])
    towns = np.array(encoder.words_["town"])
    assert (towns[wide[[0]].toarray().ravel()[1:].argmax()]) == frame["town"][0]
    assert wide[[3]].toarray().ravel()[1:].sum() == 0
    y = (frame["town"] > "t075") ^ (frame["x"] > 1)
    model = UnkernelClassifier("linear").fit(frame, y)
    assert model.score(frame, y) > 0.8
