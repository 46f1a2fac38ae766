"""A model that is written out is the same on every form, and its minimum is one."""

import numpy as np
import pytest

import naive
from unkernel import Codes, Dense, Sparse
from unkernel.linear.column import columns_of
from unkernel.linear.penalty import penalty_of
from unkernel.linear.quadratic import WIDEST, crop, minimise

pytestmark = pytest.mark.hot


def features(form):
    codes = Codes.of(np.random.default_rng(0).integers(0, 3, (14, 4)), 3, filled=np.arange(14) != 5)
    X = codes.to_csr(np.float64)
    return {"codes": codes, "sparse": Sparse.of(X), "dense": Dense(X.toarray())}[form]


@pytest.mark.parametrize("bias", [0.0, 0.5])
@pytest.mark.parametrize("form", ["codes", "sparse", "dense"])
def test_products_are_those_of_the_columns(form, bias):
    F, rng = features(form), np.random.default_rng(1)
    penalty = penalty_of("group", F, None if form == "codes" else 3)
    part = crop(columns_of(F), penalty, np.array([1, 3]), 14, bias)
    A = F.to_dense(np.float64)[:, [3, 4, 5, 9, 10, 11]]
    A = np.column_stack([A, np.full(14, bias)]) if bias else A
    h, d = rng.random(14), rng.normal(size=A.shape[1])
    np.testing.assert_allclose(part.gram(h), A.T @ (h[:, None] * A), atol=1e-6)
    np.testing.assert_allclose(part.slopes(h), A.T @ h, atol=1e-6)
    np.testing.assert_allclose(part.change(d), A @ d, atol=1e-6)


@pytest.mark.parametrize("groups", [None, 3])
def test_minima_are_those_of_proximal_gradient(groups):
    F, rng = features("dense"), np.random.default_rng(2)
    y = rng.normal(size=14)
    penalty = penalty_of("l1" if groups is None else "group", F, groups, intercept=0.0)
    part = crop(columns_of(F), penalty, np.arange(penalty.n_units), 14, 1.0)
    c = 5.0  # the squared loss is its own model
    found = minimise(part, part.gram(np.full(14, 2 * c)), part.slopes(-2 * c * y), np.zeros(13), 1e-11)
    labels = None if groups is None else np.arange(12) // groups
    slow = naive.penalised("squared", F.values, y, np.full(14, c), labels, True, 3000)
    np.testing.assert_allclose(F.values @ found[:-1] + found[-1], F.values @ slow[:-1] + slow[-1], atol=1e-6)
    assert np.abs(found[:-1]).sum() <= np.abs(slow[:-1]).sum() + 1e-6


def test_wide_working_sets_are_not_written_out():
    F = Dense(np.zeros((2, WIDEST + 1)))
    assert crop(columns_of(F), penalty_of("l1", F), np.arange(WIDEST + 1), 2, 1.0) is None
