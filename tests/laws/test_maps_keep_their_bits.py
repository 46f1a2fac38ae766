"""Law: a row's features are a function of the row and the seed, whatever the block, thread, form or journey."""

import pickle

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.utils import estimator_checks

from catalogue import MAPS
from unkernel import Codes
from unkernel.features import concatenate

K = 34
EACH = pytest.mark.parametrize("row", MAPS.values(), ids=MAPS)
TAKES_SPARSE = {name: row for name, row in MAPS.items() if row.make(8, 0)._takes_sparse}


def equal(row, A, B):
    """The same features: to the bit, or to rounding where the row says so."""
    assert type(A) is type(B)
    if not row.same_bits:
        np.testing.assert_allclose(A.to_dense(), B.to_dense(), rtol=1e-6, atol=1e-6)
        return
    for a, b in zip(A, B, strict=True):
        np.testing.assert_array_equal(a, b)


@EACH
def test_the_seed_decides(row):
    X = row.data(0)
    first = row.make(K, 3).fit(X).features(X)
    equal(row, row.make(K, 3).fit(X).features(X), first)
    equal(row, clone(row.make(K, 3)).fit(X).features(X), first)
    if getattr(row.make(K, 3), "random_state", None) is not None:
        assert np.any(row.make(K, 4).fit(X).features(X).to_dense() != first.to_dense())


@EACH
def test_blocks_do_not_matter(row):
    X = np.vstack([row.data(seed) for seed in range(3)])
    map_ = row.make(K, 1).fit(X)
    whole = map_.features(X)
    equal(row, concatenate([map_.features(X[i : i + 7]) for i in range(0, len(X), 7)]), whole)
    assert len(map_.features(X[:1])) == 1


@EACH
def test_threads_do_not_matter(row):
    X = np.vstack([row.data(seed) for seed in range(8)])
    map_ = row.make(K, 1).fit(X)
    one = map_.features(X)
    if hasattr(map_, "n_jobs"):
        told = []
        equal(row, map_.set_params(n_jobs=3).features(X, progress=lambda *n: told.append(n)), one)
        assert told[-1] == (len(X), len(X))


@pytest.mark.parametrize("row", TAKES_SPARSE.values(), ids=TAKES_SPARSE)
@pytest.mark.parametrize("form", [scipy.sparse.csr_array, scipy.sparse.csr_matrix, scipy.sparse.csc_array])
def test_sparse_rows_are_dense_rows(row, form):
    X = row.data(2)
    dense = row.make(K, 1).fit(X)
    equal(row, dense.features(form(X)), dense.features(X))
    equal(row, row.make(K, 1).fit(form(X)).features(X), dense.features(X))


@EACH
def test_pickles_come_back_whole(row):
    X = row.data(0)
    map_ = row.make(K, 2).fit(X)
    equal(row, pickle.loads(pickle.dumps(map_)).features(X), map_.features(X))


@EACH
def test_narrow_floats_stay_narrow(row):
    X = row.data(0)
    wide, narrow = row.make(K, 2).fit(X), row.make(K, 2).fit(X.astype(np.float32))
    A, B = wide.features(X), narrow.features(X.astype(np.float32))
    if isinstance(A, Codes):
        assert np.mean(A.codes == B.codes) > 0.99
    else:
        assert (A.dtype, B.dtype) == (np.float64, np.float32)
        np.testing.assert_allclose(A.to_dense(), B.to_dense(), atol=1e-4 * np.abs(A.to_dense()).max())
    assert wide.transform(X.astype(np.float32)).dtype == np.float32


@EACH
def test_transform_gives_the_same_numbers(row):
    X = row.data(0)
    map_ = row.make(K, 2).fit(X)
    Z = map_.transform(X)
    Z = Z.toarray() if scipy.sparse.issparse(Z) else Z
    np.testing.assert_array_equal(Z, map_.features(X).to_dense(Z.dtype))
    assert Z.shape == (len(X), len(map_.get_feature_names_out()))


@EACH
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_is_refused(row, bad):
    X = row.data(0)
    X[2, 1] = bad
    with pytest.raises(ValueError, match="row 2, column 1"):
        row.make(K, 0).fit(X)


@pytest.mark.filterwarnings("ignore")
@EACH
def test_scikit_learn_accepts_it(row):
    map_ = row.make(8, 0)
    estimator_checks.check_estimator(map_)
    estimator_checks.check_transformer_get_feature_names_out(type(map_).__name__, map_)
    estimator_checks.check_get_feature_names_out_error(type(map_).__name__, map_)
