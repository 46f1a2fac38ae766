"""What exact learners share: rows kept, blocks of prediction, models that survive."""

import pickle

import numpy as np
import pytest
import scipy.sparse

from catalogue import nonnegative
from unkernel import GMM, ExactClassifier, ExactRegressor, InputError, MinMax, load_model, save
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
