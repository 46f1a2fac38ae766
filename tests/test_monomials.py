"""The implicit form: rows selected as in other forms, features only where they are read, models that train on it."""

import numpy as np
import pytest
import scipy.sparse

from catalogue import signed
from unkernel import InputError, LinearClassifier, LinearRegressor, Monomials, PolynomialMap, TaylorMap
from unkernel.features import as_features, row, row_norm


def made(dtype=np.float64, n=60):
    X = scipy.sparse.csr_array(signed(0, n).astype(dtype))
    return X, TaylorMap(3, gamma=0.1, output="sparse").fit(X)


@pytest.mark.parametrize("rows", [slice(3, 9), slice(None, None, 7), [4, 2, 2], 5, np.arange(60) % 3 == 0])
def test_rows_are_selected_as_in_other_forms(rows):
    X, phi = made()
    F, kept = phi.implicit(X), phi.features(X)
    assert as_features(F) is F
    part = F[rows]
    assert isinstance(part, Monomials)
    assert len(part) == len(kept[rows])
    np.testing.assert_array_equal(part.to_dense(), kept[rows].to_dense())
    assert row_norm(F, 4) == pytest.approx(row_norm(kept, 4))
    np.testing.assert_array_equal(row(F, 4)[0], row(kept, 4)[0])


def test_it_holds_the_rows_and_not_their_features():
    X = scipy.sparse.random_array((200, 500), density=0.04, rng=np.random.default_rng(0), format="csr")
    phi = PolynomialMap(3, output="sparse").fit(X)
    assert phi.implicit(X).nbytes < phi.features(X).nbytes / 20
    assert phi.implicit(X)[:0].to_csr().shape == (0, phi.features(X).shape[1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_models_train_on_it_as_on_the_features(dtype):
    X, phi = made(dtype)
    y = np.asarray(X.sum(axis=1)).ravel() > np.asarray(X.multiply(X).sum(axis=1)).ravel() / 3
    one, other = (LinearClassifier(C=1.0, tol=1e-4).fit(F, y) for F in (phi.features(X), phi.implicit(X)))
    np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-3)
    assert other.gap_[0] <= 1e-4
    assert (one.predict(phi.features(X)) == other.predict(phi.implicit(X))).all()
    t = np.asarray(X.sum(axis=1)).ravel() ** 2
    a, b = (LinearRegressor(C=1.0).fit(F, t).predict(F) for F in (phi.features(X), phi.implicit(X)))
    np.testing.assert_allclose(a, b, atol=1e-2 * t.std())


def test_hashed_monomials_must_be_kept():
    X, _ = made()
    with pytest.raises(InputError, match=r"use features\(X\), or drop n_components"):
        TaylorMap(gamma=0.1, n_components=50).fit(X).implicit(X)
