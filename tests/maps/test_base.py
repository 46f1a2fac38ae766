"""The contract of maps: codes pass scikit-learn's containers untouched, arrays take the container asked for."""

import pandas as pd
import pytest

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


def test_sparse_output_in_pandas_is_refused_by_scikit_learn():
    with pytest.raises(ValueError, match="sparse"):
        SignGaussianMap(5).set_output(transform="pandas").fit_transform(X)
