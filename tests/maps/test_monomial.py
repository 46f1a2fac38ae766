"""Monomials: in order, at one multiplication each, the same in all forms, hashed without bias, refused in time."""

import math

import numpy as np
import pytest
import scipy.sparse
from sklearn.preprocessing import PolynomialFeatures

import naive
from catalogue import signed
from unkernel import Dense, InputError, PolynomialMap, Sparse, TaylorMap

FORMS = {"dense": np.asarray, "sparse": scipy.sparse.csr_array}


@pytest.mark.hot
@pytest.mark.parametrize("output", ["sparse", "dense"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("degree", range(5))
def test_features_equal_their_twin(degree, form, output):
    X = signed(0, 12, 5)
    Z = TaylorMap(degree, gamma=0.3, output=output).fit(FORMS[form](X)).features(FORMS[form](X))
    assert isinstance(Z, Sparse if output == "sparse" else Dense)
    scale = np.exp(-0.3 * np.sum(X**2, axis=1))
    meant = [naive.monomials(math.sqrt(0.6) * x, degree, lambda k: 1.0) for x in X] * scale[:, None]
    np.testing.assert_allclose(Z.to_dense(), meant, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("degree", [2, 3])
def test_columns_are_those_of_scikit_learn(degree):
    X = signed(1)
    ours, theirs = PolynomialMap(degree, output="sparse").fit(X), PolynomialFeatures(degree).fit(X)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    Z, A = ours.transform(X), scipy.sparse.csr_array(theirs.transform(X))
    np.testing.assert_array_equal(Z.indices, A.indices)
    weights = ours.transform(np.ones((1, 7))).toarray()[0]
    np.testing.assert_allclose(Z.toarray(), A.toarray() * weights, rtol=1e-12)


def test_absent_columns_cost_nothing():
    X = scipy.sparse.csr_array(([1.0, 2.0, 3.0], ([0, 0, 2], [5, 99_999, 7])), shape=(3, 100_000))
    phi = TaylorMap(3, gamma=1e-3).fit(X)
    assert phi.cost(X).tolist() == [math.comb(5, 3), 1, 4]
    Z = phi.transform(X)
    assert Z.shape == (3, math.comb(100_003, 3))
    assert Z.indices.dtype == np.int64
    assert np.diff(Z.indptr).tolist() == phi.cost(X).tolist()
    assert Z.has_sorted_indices
    lengths = np.add.reduceat(Z.data**2, Z.indptr[:-1])
    np.testing.assert_allclose(lengths, phi.kernel.diag(X), rtol=1e-12)


def test_the_form_follows_the_rows_of_fit_unless_told():
    assert TaylorMap(gamma=0.1).fit(np.eye(6)).output_ == "sparse"
    assert TaylorMap(gamma=0.1).fit(scipy.sparse.csr_array(np.ones((3, 4)))).output_ == "dense"
    assert PolynomialMap().fit(np.ones((3, 4))).output_ == "dense"
    assert PolynomialMap(output="sparse").fit(np.ones((3, 4))).output_ == "sparse"


@pytest.mark.hot
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("width", [3, 40])
def test_hashed_features_are_unbiased(width):
    X = signed(0, 8, 5)
    maps = [TaylorMap(2, gamma=0.2, n_components=width, random_state=seed).fit(X) for seed in range(150)]
    grams = np.array([(m.transform(X) @ m.transform(X).T).toarray() for m in maps])
    K = maps[0].kernel(X)
    # Of a sketch: (|u|^2 |v|^2 + <u, v>^2 - 2 sum u^2 v^2) / width at most (K_uu K_vv + K_uv^2) / width.
    spread = np.sqrt((np.outer(np.diag(K), np.diag(K)) + K**2) / width / len(maps))
    assert (np.abs(grams.mean(axis=0) - K) < 4.5 * spread + 1e-12).all()


def test_hashed_rows_have_each_column_once_and_stand_alone():
    X = signed(0, 30, 6)
    phi = PolynomialMap(3, n_components=20, random_state=1).fit(X)
    Z = phi.features(X)
    for i in range(len(Z)):
        columns = Z.indices[Z.indptr[i] : Z.indptr[i + 1]]
        assert len(set(columns)) == len(columns)
    one = phi.features(X[7:8])
    np.testing.assert_array_equal(one.to_dense()[0], Z.to_dense()[7])
    assert phi.get_feature_names_out()[3] == "polynomialmap3"
    wide = TaylorMap(4, gamma=1e-3, n_components=2**16, random_state=0)
    R = scipy.sparse.random_array((4, 130_000), density=1e-4, rng=np.random.default_rng(0), format="csr")
    W = wide.fit(R).transform(R)
    np.testing.assert_allclose(np.asarray(W.multiply(W).sum(axis=1)).ravel(), wide.kernel.diag(R), rtol=0.1)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("options", [{"output": "sparse"}, {"output": "dense"}, {"n_components": 50}])
def test_threads_change_no_bit(form, options):
    X = FORMS[form](np.vstack([signed(seed) for seed in range(10)]).astype(np.float32))
    phi = TaylorMap(3, gamma=0.1, random_state=0, **options).fit(X)
    Z = phi.features(X)
    assert Z.dtype == np.float32
    for whole, part in zip(Z, phi.set_params(n_jobs=3).features(X), strict=True):
        np.testing.assert_array_equal(whole, part)


def test_it_refuses_before_it_allocates():
    wide = scipy.sparse.csr_array(np.ones((1, 5000)))
    with pytest.raises(InputError, match=r"GB of monomials.*lower degree"):
        TaylorMap(4, gamma=0.1, output="sparse").fit(wide).transform(wide)
    with pytest.raises(InputError, match=r"GB of monomials.*lower degree"):
        PolynomialMap(3).fit(wide).transform(scipy.sparse.csr_array(np.ones((100, 5000))))
    with pytest.raises(InputError, match=r"too many to number.*2\*\*20"):
        TaylorMap(4, gamma=0.1).fit(scipy.sparse.csr_array((2, 130_000)))
    with pytest.raises(InputError, match="hashed monomials are sparse"):
        TaylorMap(gamma=0.1, output="dense", n_components=5).fit(signed())
    with pytest.raises(InputError, match="degree is -1"):
        TaylorMap(-1).fit(signed())
    with pytest.raises(InputError, match="degree is 0"):
        PolynomialMap(0).fit(signed())
    with pytest.raises(InputError, match="output is 'csr'"):
        PolynomialMap(output="csr").fit(signed())
    with pytest.raises(InputError, match="coef0 is -1"):
        PolynomialMap(coef0=-1).fit(signed())
    with pytest.raises(InputError, match="NaN at row 0"):
        PolynomialMap().fit([[np.nan, 1.0]])
