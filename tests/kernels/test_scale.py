"""Scales are settled on training rows, once, and used at predict."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from catalogue import nonnegative, signed
from unkernel import RBF, CosineRBF, ExpChi2, FoldedRBF, InputError, MinMax, TaylorRBF
from unkernel.kernels.scale import scale_gamma

SCALED = {"rbf": RBF, "taylor": TaylorRBF, "cosine": CosineRBF, "folded": FoldedRBF, "chi2": ExpChi2}
EACH = pytest.mark.parametrize("make", SCALED.values(), ids=SCALED)


@EACH
def test_median_is_one_over_the_median_distance(make):
    X = nonnegative(0, 30)
    kernel = make(gamma="median").fit(X)
    far = np.triu_indices(30, 1)
    D = {
        RBF: lambda: -np.log(RBF(1.0)(X)),
        TaylorRBF: lambda: -np.log(RBF(1.0)(X)),
        ExpChi2: lambda: -np.log(ExpChi2(1.0)(X)),
    }.get(make, lambda: -np.log(CosineRBF(1.0)(X)))()
    assert kernel.gamma_ == pytest.approx(1 / np.median(D[far]), rel=1e-9)


def test_scale_is_scikit_learns_on_dense_and_sparse():
    X = signed(0)
    for rows in (X, X.astype(np.float32), scipy.sparse.csr_array(X)):
        assert RBF("scale").fit(rows).gamma_ == pytest.approx(1 / (7 * X.var()), rel=1e-6)


@EACH
def test_a_call_settles_on_its_second_argument(make):
    X, Y = nonnegative(0), nonnegative(1, 17) * 3
    kernel = make(gamma="median")
    np.testing.assert_array_equal(kernel(X, Y), make(gamma=clone(kernel).fit(Y).gamma_)(X, Y))
    np.testing.assert_array_equal(kernel(X), make(gamma=clone(kernel).fit(X).gamma_)(X))
    assert not hasattr(kernel, "gamma_"), "a call must leave no trace"


@EACH
def test_fit_settles_every_later_call(make):
    X, Y = nonnegative(0), nonnegative(1, 17) * 3
    kernel = make(gamma="median").fit(X)
    np.testing.assert_array_equal(kernel(Y), make(gamma=kernel.gamma_)(Y))
    product = (MinMax() * make(gamma="median")).fit(X)
    np.testing.assert_allclose(product(Y), MinMax()(Y) * kernel(Y), rtol=1e-12)


@pytest.mark.parametrize("rule", ["scale", "median"])
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_svc_predicts_with_the_training_scale(rule, form):
    X, y = signed(0, 80), np.tile([0, 1], 40)
    T = form(signed(1, 9) * 10)
    number = RBF(rule).fit(X).gamma_
    model, expected = (SVC(kernel=k).fit(form(X), y) for k in (RBF(rule), RBF(number)))
    np.testing.assert_allclose(model.decision_function(T), expected.decision_function(T), rtol=1e-9)
    model = SVC(kernel="rbf", gamma=number).fit(form(X), y)
    np.testing.assert_allclose(model.decision_function(T), expected.decision_function(T), rtol=1e-6)


def test_grid_search_reaches_nested_parameters():
    X, y = nonnegative(0, 60), np.tile([0, 1, 2], 20)
    kernel = MinMax() * CosineRBF(1.0) + RBF("median")
    search = GridSearchCV(SVC(kernel=kernel), {"kernel__left__right__gamma": [0.1, 10.0]}, cv=2).fit(X, y)
    assert search.best_estimator_.kernel.left.right.gamma in (0.1, 10.0)


def test_one_row_settles_nothing():
    with pytest.raises(InputError, match="call fit with the training rows"):
        RBF("scale")([1.0, 2.0], [2.0, 3.0])
    with pytest.raises(InputError, match="a scale cannot be taken from 1 row"):
        RBF("median")([[1.0, 2.0]])
    with pytest.raises(InputError, match="call fit"):
        RBF("scale").of_base(RBF(1.0).base(signed(0)))
    assert RBF("scale").fit(signed(0))([1.0, 2.0], [2.0, 3.0]) < 1


def test_rows_that_do_not_vary_get_one():
    X = np.ones((5, 3))
    assert RBF("scale").fit(X).gamma_ == RBF("median").fit(X).gamma_ == 1.0


def test_duplicates_do_not_hide_the_scale():
    X = np.vstack([np.zeros((30, 2)), [[3.0, 4.0]]])
    assert RBF("median").fit(X).gamma_ == pytest.approx(1 / 25)


def test_another_rule_after_fit_is_settled_anew():
    X = signed(0)
    kernel = RBF("median").fit(X).set_params(gamma="scale")
    np.testing.assert_array_equal(kernel(X), RBF("scale")(X))
    kernel = RBF(2.0).fit(X).set_params(gamma="scale")
    np.testing.assert_array_equal(kernel(X), RBF("scale")(X))


def test_scale_is_the_same_for_sparse_and_dense_rows():
    X = np.random.default_rng(0).normal(size=(20, 2)) + 1.6e9
    assert scale_gamma(scipy.sparse.csr_array(X)) == pytest.approx(scale_gamma(X), rel=1e-6)
    X = np.full((20, 3), 0.1)
    assert scale_gamma(X) == scale_gamma(scipy.sparse.csr_array(X)) == 1.0


def test_gamma_that_overflows_is_refused():
    with pytest.raises(InputError, match="gamma is 1e\\+308; it must be a finite number above 0 and at most 1e\\+300"):
        RBF(1e308)([[1.0], [2.0]])
