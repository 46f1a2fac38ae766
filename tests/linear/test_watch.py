"""Callbacks hear how far a fit is, on every solver, and can end it; whatever they raise leaves nothing broken."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from unkernel import (
    Codes,
    InputError,
    LassoClassifier,
    LassoRegressor,
    LinearClassifier,
    LinearRegressor,
    load_model,
    save,
)
from unkernel.linear import block_cd
from unkernel.linear.base import Status


def rows(n=400, classes=3):
    codes = np.random.default_rng(0).integers(0, 8, (n, 20))
    y = (codes[:, :5].sum(axis=1) + np.random.default_rng(1).integers(-9, 9, n)).clip(0, 35) * classes // 36
    return Codes.of(codes, 8), y


def heard(step):
    """A callback that a pickle can hold."""


MODELS = [LinearClassifier(), LassoClassifier("logistic"), LinearRegressor("huber"), LassoRegressor()]


@pytest.mark.parametrize("form", ["codes", "array"])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_fit_tells_how_far_it_is(model, form):
    F, y = rows()
    X, steps = F if form == "codes" else F.to_dense(np.float64), []
    model = clone(model).set_params(callbacks=lambda step: steps.append(step), n_jobs=2).fit(X, y)
    assert {step.stage for step in steps} == {"fit"}
    assert steps[-1].done == steps[-1].total == len(model.gap_)
    assert min(step.gap for step in steps) <= model.tol
    quiet = clone(model).set_params(callbacks=None).fit(X, y)
    np.testing.assert_array_equal(quiet.coef_, model.coef_)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_search_tells_every_c(model):
    F, y = rows()
    steps = []
    model = clone(model).set_params(C="auto", callbacks=[lambda step: steps.append(step)]).fit(F, y)
    tried = [step.C for step in steps if step.stage == "search" and step.passes == 0 and np.isnan(step.gap)]
    np.testing.assert_array_equal(tried, model.C_path_["C"])
    assert steps[0].stage == "search"
    assert steps[-1].stage == "fit"
    ends = [step.done for step in steps if step.stage == "search"]
    assert ends[-1] == len(tried) <= steps[len(ends) - 1].total


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_an_answer_of_true_ends_a_fit_with_what_there_is(loss):
    F, y = rows(classes=2)
    with pytest.warns(ConvergenceWarning, match="a callback wanted an end"):
        model = LinearClassifier(loss, C=1e4, callbacks=lambda step: step.passes >= 5).fit(F, y)
    assert 5 <= model.n_iter_[0] < 100
    assert model.status_ == [Status.OUT_OF_EPOCHS]
    assert model.score(F, y) > 0.5
    short = LinearClassifier(loss, C="auto", callbacks=lambda step: step.stage == "search" and step.done == 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the last weights of the search may do
        short.fit(F, y)
    assert len(short.C_path_["C"]) == 3


def test_codes_in_a_file_tell_too(tmp_path, monkeypatch):
    monkeypatch.setattr(block_cd, "BLOCK_BYTES", 1000)
    F, y = rows()
    F.save(tmp_path / "rows.codes")
    steps = []
    LinearClassifier(callbacks=lambda step: steps.append(step)).fit(Codes.open(tmp_path / "rows.codes"), y)
    assert steps[-1].done == 3


def test_an_exception_reaches_the_caller_and_leaves_a_fitted_model_as_it_was():
    F, y = rows()
    model = LinearClassifier().fit(F, y)
    before = model.decision_function(F)

    def interrupt(step):
        raise KeyboardInterrupt

    for n_jobs in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            model.set_params(callbacks=interrupt, n_jobs=n_jobs).fit(F.to_csr(), np.where(y > 0, "up", "down"))
        np.testing.assert_array_equal(model.decision_function(F), before)


def test_callbacks_survive_copies_but_not_files(tmp_path):
    F, y = rows()
    model = LinearClassifier(callbacks=heard).fit(F, y)
    assert clone(model).callbacks is heard
    assert pickle.loads(pickle.dumps(model)).callbacks is heard
    save(model, tmp_path / "model")
    assert load_model(tmp_path / "model").callbacks is None


def test_what_cannot_be_called_is_refused():
    for wrong in (3, [heard, "print"], int):
        with pytest.raises(InputError, match="give functions that take one Step"):
            LinearClassifier(callbacks=wrong).fit(*rows())
