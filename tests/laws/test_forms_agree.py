"""Law: the forms of features are one matrix. Every row verb gives the same answer on each, compiled or not."""

import numpy as np
import pytest

import naive
from unkernel import Codes, Dense, PolynomialMap, Sparse, TaylorMap
from unkernel._jit import kernel
from unkernel.features_hot import row_add, row_adds, row_dot, row_dots, row_norm

pytestmark = pytest.mark.hot


@kernel
def dots(F, w, out):
    for i in range(out.shape[0]):
        out[i] = row_dot(F, i, w)


@kernel
def norms(F, out):
    for i in range(out.shape[0]):
        out[i] = row_norm(F, i)


@kernel
def add_all(F, a, w):
    for i in range(a.shape[0]):
        row_add(F, i, a[i], w)


@kernel
def block_dots(F, W, out):
    for i in range(out.shape[0]):
        row_dots(F, i, W, out[i])


@kernel
def block_adds(F, A, W):
    for i in range(A.shape[0]):
        row_adds(F, i, A[i], W)


def codes(levels, k=5, n=7, seed=0):
    rng = np.random.default_rng(seed)
    filled = np.arange(n) != 2
    return Codes.of(rng.integers(0, levels, (n, k)), levels, filled=filled)


FORMS = {
    "codes-2": lambda: codes(2),
    "codes-16": lambda: codes(16, k=33),
    "codes-300": lambda: codes(300),
    "no-rows": lambda: codes(4)[:0],
}


def trio(made, dtype):
    """The same matrix in three forms."""
    A = made.to_dense(dtype)
    return {"codes": made, "sparse": Sparse.of(made.to_csr(dtype)), "dense": Dense(A)}, A


@pytest.mark.parametrize("made", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weights", [np.float32, np.float64])
def test_vector_verbs_agree(made, dtype, weights):
    forms, A = trio(made(), dtype)
    rng = np.random.default_rng(1)
    n, d = A.shape
    w0, a = rng.normal(size=d).astype(weights), rng.normal(size=n).astype(weights)
    close = {"rtol": 2e-5, "atol": 1e-5} if np.float32 in (dtype, weights) else {"rtol": 1e-7, "atol": 1e-7}
    for name, F in forms.items():
        out, squares, w = np.empty(n, weights), np.empty(n), w0.copy()
        dots(F, w0, out)
        norms(F, squares)
        add_all(F, a, w)
        np.testing.assert_allclose(out, A.astype(np.float64) @ w0, err_msg=name, **close)
        np.testing.assert_allclose(squares, (A.astype(np.float64) ** 2).sum(axis=1), err_msg=name, rtol=1e-6)
        np.testing.assert_allclose(w, w0 + A.T.astype(np.float64) @ a, err_msg=name, **close)
        assert w.dtype == weights


@pytest.mark.parametrize("made", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("columns", [1, 3, 16, 37])
@pytest.mark.parametrize("weights", [np.float32, np.float64])
def test_block_verbs_agree(made, columns, weights):
    forms, A = trio(made(), weights)
    rng = np.random.default_rng(2)
    n, d = A.shape
    W0, a = rng.normal(size=(d, columns)).astype(weights), rng.normal(size=(n, columns)).astype(weights)
    close = {"rtol": 2e-5, "atol": 1e-5} if weights is np.float32 else {"rtol": 1e-7, "atol": 1e-7}
    for name, F in forms.items():
        out, W = np.full((n, columns), np.nan, weights), W0.copy()
        block_dots(F, W0, out)
        block_adds(F, a, W)
        for i in range(n):
            np.testing.assert_allclose(out[i], naive.row_dots(A, i, W0), err_msg=name, **close)
        np.testing.assert_allclose(W, W0 + A.T @ a, err_msg=name, **close)


@pytest.mark.parametrize("made", FORMS.values(), ids=FORMS)
def test_the_machine_does_what_the_specification_says(made):
    from unkernel import features

    forms, A = trio(made(), np.float64)
    rng = np.random.default_rng(3)
    w, W = rng.normal(size=A.shape[1]), rng.normal(size=(A.shape[1], 4))
    for F in forms.values():
        for i in range(len(F)):
            out, meant = np.empty(4), np.empty(4)
            block_dots(F[i : i + 1], W, out[None])
            features.row_dots(F, i, W, meant)
            np.testing.assert_allclose(out, meant, rtol=1e-12, atol=1e-12)
            single = np.empty(1)
            dots(F[i], w, single)
            np.testing.assert_allclose(single[0], features.row_dot(F, i, w), rtol=1e-12, atol=1e-12)


def test_an_empty_row_of_codes_is_the_zero_row():
    F = codes(16)
    assert not F.to_dense()[2].any()
    assert F.to_csr()[[2]].nnz == 0
    w = np.ones(F.shape[1])
    before = w.copy()
    out = np.empty(7)
    dots(F, w, out)
    assert out[2] == 0
    add_all(F[2], np.ones(1), w)
    np.testing.assert_array_equal(w, before)


@pytest.mark.parametrize("degree", range(4))
@pytest.mark.parametrize("make", [TaylorMap, PolynomialMap])
def test_monomials_made_as_they_are_used_are_those_kept(make, degree):
    X = np.random.default_rng(0).normal(size=(6, 4)) * (np.random.default_rng(1).random((6, 4)) < 0.6)
    phi = make(degree or int(make is PolynomialMap), gamma=0.3, output="sparse").fit(X)
    kept, implicit = phi.features(X), phi.implicit(X)
    assert kept.shape == implicit.shape
    rng = np.random.default_rng(2)
    w0, a = rng.normal(size=kept.shape[1]), rng.normal(size=len(kept))
    W0, A = rng.normal(size=(kept.shape[1], 3)), rng.normal(size=(len(kept), 3))
    answers = []
    for F in (kept, implicit):
        out, squares, w = np.empty(len(F)), np.empty(len(F)), w0.copy()
        outs, W = np.empty((len(F), 3)), W0.copy()
        dots(F, w, out)
        norms(F, squares)
        add_all(F, a, w)
        block_dots(F, W, outs)
        block_adds(F, A, W)
        answers.append((out, squares, w, outs, W, F.to_dense()))
    for one, other in zip(*answers, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)
