"""Min-max kernels: powers, centers and what is refused."""

import numpy as np
import pytest
import scipy.sparse

import unkernel
from catalogue import CENTER, nonnegative, signed
from unkernel import GMM, InputError, MinMax


def test_gmm_is_minmax_of_positive_and_negative_parts():
    X = signed(0)
    parts = np.hstack([np.maximum(X, 0), np.maximum(-X, 0)])
    np.testing.assert_allclose(GMM(p=1.7)(X), MinMax(p=1.7)(parts), rtol=1e-12)


def test_gmm_equals_minmax_where_nothing_is_negative():
    X = nonnegative(0)
    np.testing.assert_array_equal(GMM()(X), MinMax()(X))


def test_center_shifts_rows():
    X = signed(1)
    np.testing.assert_allclose(GMM(center=CENTER)(X), GMM()(X - CENTER), rtol=1e-12)


def test_power_is_the_power_of_the_values():
    X = nonnegative(2)
    np.testing.assert_allclose(MinMax(p=3)(X), MinMax()(X**3), rtol=1e-12)
    np.testing.assert_allclose(MinMax(p=3)(scipy.sparse.csr_array(X)), MinMax()(X**3), rtol=1e-12)


def test_great_powers_of_narrow_values_do_not_overflow():
    X = (nonnegative(3) * 100).astype(np.float32)
    np.testing.assert_allclose(MinMax(p=30)(X), MinMax(p=30)(X.astype(float)), rtol=1e-5, atol=1e-30)


def test_power_that_overflows_is_refused_with_a_remedy():
    with pytest.raises(InputError, match="divide all rows by one number"):
        MinMax(p=400)([[100.0, 1.0]])


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_powers_of_small_float32_values_are_kept_and_those_that_vanish_refused(form):
    X = np.array([[0.001, 0.002], [0.002, 0.002], [0.0, 0.0]], np.float32)
    np.testing.assert_allclose(GMM(p=20)(form(X)), GMM(p=20)(form(X * 500)), rtol=1e-4)
    with pytest.raises(InputError, match=r"row 0 is 0.002: its power underflows; multiply all rows"):
        GMM(p=400)(form(X))


def test_negative_values_name_gmm():
    with pytest.raises(InputError, match=r"-1 at row 0, column 1.*use GMM"):
        MinMax()([[1.0, -1.0]])


def test_center_needs_dense_rows_of_its_width():
    with pytest.raises(InputError, match="toarray"):
        GMM(center=CENTER)(scipy.sparse.csr_array(signed(0)))
    with pytest.raises(InputError, match="center has 7 columns and 2 are needed"):
        GMM(center=CENTER)([[1.0, 2.0]])


@pytest.mark.parametrize("p", [0, -1, "1", np.inf])
def test_p_is_above_zero(p):
    for kernel in (MinMax(p=p), GMM(p=p)):
        with pytest.raises(InputError, match=r"p is .* above 0"):
            kernel([[1.0]])


def test_rows_of_zeros_give_nothing():
    K = unkernel.MinMax()(np.array([[0.0, 0.0], [1.0, 2.0]]))
    np.testing.assert_array_equal(K, [[0, 0], [0, 1]])
