"""What exact learners share: rows kept, blocks of prediction, models that survive."""

import pickle

import numpy as np
import pytest
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning

from catalogue import nonnegative
from unkernel import GMM, RBF, ExactClassifier, ExactRegressor, InputError, MinMax, load_model, save
from unkernel.exact import machine
from unkernel.kernels import gram

X = nonnegative(0, 60, 5)
MODELS = [
    ExactClassifier(MinMax(), C="auto", cv=3).fit(X, np.arange(60) % 3),
    ExactRegressor(GMM(p=0.5), C="auto").fit(scipy.sparse.csr_array(X), X[:, 0]),
]


@pytest.mark.parametrize("model", MODELS, ids=["classifier", "regressor"])
def test_models_survive(model, tmp_path):
    save(model, tmp_path / "model")
    for other in (load_model(tmp_path / "model"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.predict(X), model.predict(X))


@pytest.mark.parametrize("model", MODELS, ids=["classifier", "regressor"])
def test_blocks_of_prediction_change_nothing(model, monkeypatch):
    whole = model._values(X)
    monkeypatch.setattr(machine, "BLOCK", 100)
    np.testing.assert_allclose(model._values(X), whole, rtol=1e-9, atol=1e-12)


def test_only_rows_that_count_are_kept():
    model = MODELS[0]
    assert model.X_fit_.shape[0] == len(model.support_) == len(model.dual_coef_) <= 60
    np.testing.assert_array_equal(model.X_fit_, X[model.support_])


def test_a_gram_that_does_not_fit_names_the_map(monkeypatch):
    monkeypatch.setattr(gram, "free_bytes", lambda: 1000)
    with pytest.raises(InputError, match="use MinMaxMap"):
        ExactClassifier(MinMax()).fit(X, np.arange(60) % 2)


def test_narrow_rows_are_kept_narrow():
    model = ExactRegressor(MinMax()).fit(X.astype(np.float32), X[:, 0])
    assert model.X_fit_.dtype == np.float32


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_forms_agree(form):
    model = ExactRegressor(MinMax()).fit(form(X), X[:, 0])
    np.testing.assert_allclose(model.predict(form(X)), ExactRegressor(MinMax()).fit(X, X[:, 0]).predict(X), rtol=1e-9)


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_narrow_rows_have_wide_gram_matrices(form):
    narrow = X.astype(np.float32)
    kernel, C, y = RBF(0.1), [1.0, 1e6], np.sin(X[:, 0])
    one, two = (ExactRegressor(kernel, C=C).fit(form(rows), y) for rows in (narrow, narrow.astype(np.float64)))
    np.testing.assert_allclose(one.C_path_["score"], two.C_path_["score"], rtol=1e-6)
    one, two = (
        ExactRegressor(kernel, C=1e6).fit(form(rows), y).predict(form(rows))
        for rows in (narrow, narrow.astype(np.float64))
    )
    np.testing.assert_allclose(one, two, atol=1e-6)


@pytest.mark.parametrize(("loss", "C"), [("squared_hinge", 1e300), ("squared", 1e300), ("squared_hinge", 1e15)])
def test_a_machine_far_from_the_best_says_so(loss, C):
    twice, y = np.vstack([X[:20], X[:20]]), np.arange(40) // 20  # every row in both classes
    with pytest.warns(ConvergenceWarning, match="duality gap is .* give a smaller C"):
        model = ExactClassifier(MinMax(), loss=loss, C=C).fit(twice, y)
    assert not model.gap_.max() <= machine.LOOSE


def test_a_machine_near_the_best_is_silent(recwarn):
    ExactClassifier(MinMax(), C=100.0).fit(X, np.arange(60) % 3)
    ExactRegressor(MinMax(), C=100.0).fit(X, np.full(60, 1e3))
    assert not recwarn.list


def test_a_C_at_the_end_of_those_tried_is_told():
    with pytest.warns(UserWarning, match="The best C, 1, is the largest that was tried"):
        model = ExactRegressor(MinMax(), C=[1e-6, 1.0]).fit(X, X[:, 0])
    assert model.hit_bound_
    assert not ExactRegressor(MinMax(), C=[1.0, 1e9]).fit(X, np.arange(60) % 7).hit_bound_
