"""Each scale does what its name says, on arrays and on sparse rows."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler, normalize

from unkernel import InputError
from unkernel.estimators.scaling import SCALES, Scale

RNG = np.random.default_rng(0)
X = RNG.normal(3, 2, (50, 4)) * (RNG.random((50, 4)) < 0.7)
X[:, 3] = 7.0
S = scipy.sparse.csr_array(X)


def scaled(rule, X, new=None):
    return Scale(rule).fit(X).transform(X if new is None else new)


def test_scales_are_those_of_scikit_learn():
    np.testing.assert_allclose(scaled("standard", X)[:, :3], StandardScaler().fit_transform(X)[:, :3])
    np.testing.assert_allclose(scaled("range", X)[:, :3], MinMaxScaler().fit_transform(X)[:, :3])
    np.testing.assert_allclose(scaled("unit", X), normalize(X))
    np.testing.assert_allclose(scaled("unit", S).toarray(), normalize(X))
    np.testing.assert_allclose(scaled("range", S).toarray(), MaxAbsScaler().fit_transform(X))
    np.testing.assert_allclose(scaled("standard", S).toarray()[:, :3], X[:, :3] / X[:, :3].std(axis=0))
    assert scaled("none", S) is not None


def test_a_constant_column_becomes_zero():
    assert not scaled("standard", X)[:, 3].any()
    assert not scaled("range", X)[:, 3].any()


def test_ranks_are_shares_of_training_values_whatever_the_unit():
    ranks = scaled("rank", X)
    np.testing.assert_allclose(ranks, scaled("rank", np.exp(X)), atol=1e-12)
    assert ranks.min() >= 0
    assert ranks.max() <= 1
    assert (np.argsort(ranks[:, 0], kind="stable") == np.argsort(X[:, 0], kind="stable")).all()
    np.testing.assert_allclose(ranks[:, 3], 0.5)
    far = scaled("rank", X, np.array([[-99.0] * 4, [99.0] * 4]))
    np.testing.assert_allclose(far[:, :2], [[0, 0], [1, 1]], atol=0.5)


@pytest.mark.parametrize("rule", SCALES)
def test_new_rows_are_scaled_by_what_training_rows_said(rule):
    whole = scaled(rule, X)
    np.testing.assert_array_equal(scaled(rule, X, X[:5]), whole[:5])
    assert scaled(rule, X.astype(np.float32)).dtype == np.float64


def test_a_rule_that_is_not_there_is_refused():
    with pytest.raises(InputError, match="rule is 'max'; it must be one of"):
        Scale("max").fit(X)


@pytest.mark.parametrize("rule", SCALES)
def test_rows_in_the_other_form_are_scaled_as_those_it_was_learned_from(rule):
    dense = Scale(rule).fit(X)
    np.testing.assert_allclose(_filled(dense.transform(S)), dense.transform(X))
    if rule != "rank":
        sparse = Scale(rule).fit(S)
        np.testing.assert_allclose(_filled(sparse.transform(X)), _filled(sparse.transform(S)))


def test_weights_of_dense_rows_hold_for_sparse_ones():
    weighted = Scale("none", np.arange(4.0)).fit(X)
    np.testing.assert_allclose(_filled(weighted.transform(S)), X * np.arange(4.0))


def _filled(X):
    return X.toarray() if scipy.sparse.issparse(X) else X
