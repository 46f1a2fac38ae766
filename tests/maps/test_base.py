"""The contract of maps: codes pass scikit-learn's containers untouched, arrays take the container asked for."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context

from unkernel import Codes, FourierMap, SignGaussianMap

X = [[0.0, 1.0], [1.0, -1.0], [2.0, 0.5]]


def test_codes_are_given_whole():
    map_ = SignGaussianMap(5, output="codes")
    assert isinstance(map_.fit_transform(X), Codes)
    assert isinstance(map_.transform(X), Codes)
    assert isinstance(map_.set_output(transform="pandas").transform(X), Codes)


def test_arrays_come_in_the_container_asked_for():
    frame = FourierMap(4).set_output(transform="pandas").fit_transform(pd.DataFrame(X, columns=["a", "b"]))
    assert list(frame.columns) == [f"fouriermap{j}" for j in range(4)]


def test_sparse_output_becomes_a_frame_of_sparse_columns():
    rows = pd.DataFrame(X, columns=["a", "b"], index=[7, 8, 9])
    map_ = SignGaussianMap(5, random_state=0)
    frame = map_.set_output(transform="pandas").fit_transform(rows)
    assert list(frame.columns) == map_.get_feature_names_out().tolist()
    assert list(frame.index) == [7, 8, 9]
    plain = map_.set_output(transform="default").transform(rows)
    np.testing.assert_array_equal(frame.sparse.to_coo().toarray(), plain.toarray())
    with config_context(transform_output="pandas"):
        assert SignGaussianMap(5).fit_transform(X).shape == plain.shape


def test_polars_has_no_sparse_columns_and_scikit_learn_says_so():
    with pytest.raises(ValueError, match="sparse"):
        SignGaussianMap(5).set_output(transform="polars").fit_transform(X)
