"""Column verbs mean products with the columns of a unit, on every form."""

import numpy as np
import pytest
import scipy.sparse

from unkernel import Codes, Dense, Sparse, TaylorMap
from unkernel._jit import kernel
from unkernel.linear.column import columns_of
from unkernel.linear.column_hot import unit_add, unit_bend, unit_dot

pytestmark = pytest.mark.hot


@kernel
def all_verbs(F, columns, r, h, a):
    dots, bends, sums = np.empty(a.shape[0]), np.empty(a.shape[0]), r.copy()
    unit_dot(F, columns, r, dots)
    unit_bend(F, columns, h, bends)
    unit_add(F, columns, a, h, sums)
    return dots, bends, sums


@pytest.mark.parametrize("form", ["codes", "sparse", "dense"])
def test_verbs_are_products_with_the_columns_of_a_unit(form):
    rng = np.random.default_rng(0)
    codes = Codes.of(rng.integers(0, 4, (11, 3)), 4, filled=np.arange(11) != 5)
    X = scipy.sparse.csr_array(codes.to_csr(np.float64) * 2.0)
    F = {"codes": codes, "sparse": Sparse.of(X), "dense": Dense(X.toarray())}[form]
    A = F.to_dense(np.float64)
    unit = np.arange(4, 8) if form == "codes" else np.array([9, 2, 3])
    r, h, a = rng.normal(size=11), rng.random(11), rng.normal(size=len(unit))
    dots, bends, sums = all_verbs(columns_of(F), unit, r, h, a)
    np.testing.assert_allclose(dots, A[:, unit].T @ r, atol=1e-6)
    np.testing.assert_allclose(bends, (A[:, unit] ** 2).T @ h, atol=1e-6)
    np.testing.assert_allclose(sums, r + h * (A[:, unit] @ a), atol=1e-6)


def test_monomials_are_written_out():
    X = np.array([[0.0, 2.0], [1.0, 1.0]])
    F = TaylorMap(2, gamma=0.1, output="sparse").fit(X).implicit(X)
    held = columns_of(F)
    whole = scipy.sparse.csc_array((held.data, held.rows, held.indptr), shape=F.shape)
    np.testing.assert_allclose(whole.toarray(), F.to_dense())
