"""Every statistic splits into what each row has alone and what both share."""

import numpy as np
import pytest
import scipy.sparse

from catalogue import nonnegative, signed
from unkernel import RBF, InputError, Linear, Polynomial
from unkernel.kernels.statistic import ChiSquares, Distances, LogCosh, Minima, Products, alone, itself, weight

ALL = [Products(), Minima(), ChiSquares(), Distances(), LogCosh()]
EACH = pytest.mark.parametrize("statistic", ALL, ids=lambda s: type(s).__name__)


def rows_for(statistic, seed):
    return (nonnegative if isinstance(statistic, ChiSquares) else signed)(seed)


@EACH
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_sums_of_one_row_are_sums_with_itself_and_with_zeros(statistic, form):
    X = rows_for(statistic, 0)
    zero = np.zeros_like(X)
    np.testing.assert_allclose(itself(statistic, form(X)), statistic.pair(X, X).sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(alone(statistic, form(X)), statistic.pair(X, zero).sum(axis=1), atol=1e-12)
    assert ((weight(statistic, form(X)) > 0) == X.any(axis=1)).all()


@EACH
def test_nothing_comes_of_zeros(statistic):
    assert statistic.pair(np.zeros(1), np.zeros(1)) == 0


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
@pytest.mark.parametrize("K", [RBF(gamma=1.0), RBF(), Linear(), Polynomial()], ids=repr)
def test_rows_whose_squares_overflow_are_refused_with_a_remedy(K, form):
    with pytest.raises(InputError, match=r"as large as 2e\+200.*overflow.*MaxAbsScaler"):
        K(form(np.array([[1.0, 3.0], [2e200, 1.0]])))
