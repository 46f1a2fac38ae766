"""Every kernel, map and learner gives the same bits after a journey through a file."""

import numpy as np
import pytest

import catalogue
from unkernel import load_model, save


def through(model, tmp_path):
    save(model, tmp_path / "m.unkernel")
    return load_model(tmp_path / "m.unkernel")


@pytest.mark.parametrize("name", catalogue.KERNELS)
def test_kernels_survive(name, tmp_path):
    row = catalogue.KERNELS[name]
    X = row.data(0)
    kernel = row.make().fit(X)
    np.testing.assert_array_equal(through(kernel, tmp_path)(X[:5], X), kernel(X[:5], X))


@pytest.mark.parametrize("name", catalogue.MAPS)
def test_maps_survive(name, tmp_path):
    row = catalogue.MAPS[name]
    X = row.data(0)
    map_ = row.make(32, 0).fit(X)
    for was, now in zip(map_.features(X), through(map_, tmp_path).features(X), strict=True):
        np.testing.assert_array_equal(now, was)


@pytest.mark.parametrize("name", catalogue.LEARNERS)
def test_learners_survive(name, tmp_path):
    X = catalogue.signed(1)
    y = (X[:, 0] > 0) + (X[:, 1] > 0)
    learner = catalogue.LEARNERS[name]().fit(X, y)
    loaded = through(learner, tmp_path)
    np.testing.assert_array_equal(loaded.predict(X), learner.predict(X))
    np.testing.assert_array_equal(loaded.coef_, learner.coef_)
