"""Sampling without tables: the same samples to the bit, in any number of columns."""

import numpy as np
import pytest
import scipy.sparse

from catalogue import signed
from unkernel import MinMaxMap
from unkernel.maps.amount import amounts
from unkernel.maps.counter import Counter, numbered
from unkernel.maps.icws import Icws
from unkernel.maps.sampler import Settings


@pytest.mark.hot
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_samples_are_those_of_the_tables():
    settings, block = Settings(40, 3, 1.3, 8), amounts(signed(4, n=6, d=3))
    for one, other in zip(Counter(settings).samples(block), Icws(settings).samples(block), strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(Counter(settings).codes(block, 2, 1), Icws(settings).codes(block, 2, 1))


def test_columns_in_use_are_numbered():
    columns = np.array([7, 3, 7, 900, 3])
    for n_columns in (1000, 1 << 30):
        in_use, places = numbered(columns, n_columns)
        np.testing.assert_array_equal(in_use[places], columns)
        assert sorted(in_use) == [3, 7, 900]


def test_many_millions_of_columns_take_no_memory():
    rng = np.random.default_rng(0)
    columns = np.sort(rng.integers(0, 1 << 28, (20, 30)))
    X = scipy.sparse.csr_array((rng.random(600), columns.ravel(), np.arange(0, 601, 30)), shape=(20, 1 << 28))
    X = scipy.sparse.vstack([X, 2 * X[:3]], format="csr")
    map_ = MinMaxMap(512, random_state=0).fit(X)
    assert map_.algorithm_ in ("counter", "dart")
    map_ = MinMaxMap(512, algorithm="counter", random_state=0).fit(X)
    value, error = map_.estimate(map_.features(X[:3]), map_.features(X[20:]))
    # A row and its double: the kernel is 1/2.
    assert (np.abs(value - 0.5) < 5 * error + 0.05).all()
