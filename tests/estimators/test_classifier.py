"""The classifier chooses well, agrees with itself, and takes what SVC and LinearSVC take."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_circles
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from realdata import real
from unkernel import RBF, InputError, UnkernelClassifier, UnkernelRegressor, load_model, save
from unkernel.estimators import base


def test_it_is_a_scikit_learn_classifier():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(UnkernelClassifier())


def rings(n=200):
    return make_circles(n, factor=0.5, noise=0.1, random_state=0)


def test_defaults_are_as_good_as_a_scaled_svc():
    for X, y in (load_iris(return_X_y=True), load_breast_cancer(return_X_y=True), rings()):
        X, Xt, y, yt = train_test_split(X, y, random_state=0, stratify=y)
        svc = make_pipeline(StandardScaler(), SVC()).fit(X, y)
        model = UnkernelClassifier().fit(X, y)
        assert model.score(Xt, yt) >= svc.score(Xt, yt) - 0.03
        assert abs(model.chosen_.loss - (1 - model.score(Xt, yt))) < 0.08


@pytest.mark.parametrize("name", ["ann_thyroid", "vowel"])
def test_real_sets_are_learned(name):
    X, y = real(name, rows=600)
    Xt, yt = real(name, "test")
    assert UnkernelClassifier().fit(X, y).score(Xt, yt) >= {"ann_thyroid": 0.96, "vowel": 0.5}[name]


def test_a_line_stays_linear_and_says_so():
    X = np.random.default_rng(0).normal(size=(300, 5))
    y = np.where(X @ [1, 2, -1, 0, 1] > 0, "up", "down")
    model = UnkernelClassifier(kernel="linear").fit(X, y)
    assert model.chosen_.candidate.is_linear
    assert "Linear() on columns scaled by 'standard'" in model.explain()
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize("classes", [2, 3])
def test_predictions_scores_and_probabilities_agree(classes):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < classes], np.array(["a", "b", "c"])[y[y < classes]]
    model = UnkernelClassifier().fit(X, y)
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    z = model.decision_function(X)
    assert z.shape == ((len(X),) if classes == 2 else (len(X), 3))


@pytest.mark.parametrize("n_components", ["exact", 512])
@pytest.mark.parametrize("kernel", [RBF(2.0), "minmax", "polynomial"])
def test_maps_and_exact_kernels_learn_the_same_rings(kernel, n_components):
    X, y = rings()
    model = UnkernelClassifier(kernel, n_components=n_components).fit(X, y)
    assert model.score(X, y) > 0.9
    assert "ridge" in model.explain()


@pytest.mark.parametrize(("kernel", "machine"), [("rbf", "LandmarkMachine"), ("minmax", "FeatureMachine")])
def test_large_data_goes_through_landmarks_or_codes(kernel, machine, monkeypatch, tmp_path):
    monkeypatch.setattr(base, "EXACT_ROWS", 100)
    X, y = rings()
    model = UnkernelClassifier(kernel).fit(X, y)
    assert type(model.machine_).__name__ == machine
    assert model.score(X, y) > 0.9
    save(model, tmp_path / "m")
    np.testing.assert_array_equal(load_model(tmp_path / "m").predict_proba(X), model.predict_proba(X))


def test_sparse_rows_give_what_their_dense_twins_give():
    X, y = rings()
    X = np.maximum(X, 0)
    sparse = UnkernelClassifier(RBF(1.0), scaling="none").fit(scipy.sparse.csr_matrix(X), y)
    dense = UnkernelClassifier(RBF(1.0), scaling="none").fit(X, y)
    np.testing.assert_allclose(sparse.predict_proba(scipy.sparse.csr_array(X)), dense.predict_proba(X), atol=1e-6)
    with pytest.raises(InputError, match="scaling is 'rank' and X is sparse"):
        UnkernelClassifier(scaling="rank").fit(scipy.sparse.csr_matrix(X), y)
    assert UnkernelClassifier().fit(scipy.sparse.csr_matrix(X), y).score(X, y) > 0.7


def test_columns_of_words_are_used_and_kept():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=200), "color": rng.choice(["red", "blue"], 200)})
    y = (frame["x"] > 0) ^ (frame["color"] == "red")
    model = UnkernelClassifier().fit(frame, y)
    assert model.score(frame, y) > 0.9
    assert model.n_features_in_ == 2
    assert list(model.feature_names_in_) == ["x", "color"]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["color", "x"]])
    with pytest.raises(InputError, match=r"NaN at row 3, column 'x'|NaN at row 3, column 0"):
        UnkernelClassifier().fit(frame.assign(x=frame["x"].where(frame.index != 3)), y)


def test_it_stands_in_pipelines_and_cross_validation_and_repeats_itself():
    X, y = load_iris(return_X_y=True)
    pipe = make_pipeline(StandardScaler(), UnkernelClassifier())
    assert cross_val_score(pipe, X, y, cv=3).mean() > 0.93
    model = UnkernelClassifier(n_jobs=2).fit(X, y)
    again = clone(model).set_params(n_jobs=None).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))


@pytest.mark.parametrize("options", [{}, *({"n_components": 64, "kernel": name} for name in ("rbf", "minmax"))])
def test_a_file_brings_back_the_same_bits(options, tmp_path):
    X, y = rings()
    model = UnkernelClassifier(**options).fit(X, y)
    save(model, tmp_path / "m")
    loaded = load_model(tmp_path / "m")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.explain() == model.explain()


def test_copies_of_rows_do_not_tell_their_own_answer():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    copied = UnkernelClassifier().fit(np.repeat(X, 3, axis=0), np.repeat(y, 3))
    assert copied.chosen_.loss > 0.3  # labels are coins; with copies left in, the loss would be near 0
    S = scipy.sparse.csr_array(X)
    for rows in (X, S):
        once, labels, weight = base.merged(rows[np.repeat(np.arange(60), 3)], np.repeat(y, 3), np.ones(180))
        assert once.shape == (60, 3)
        np.testing.assert_array_equal(weight, 3)
        assert len(labels) == 60


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kernel": "gauss"}, "kernel is 'gauss'"),
        ({"scaling": "log"}, "scaling is 'log'; it must be one of"),
        ({"n_components": 0}, "n_components is 0"),
        ({"n_components": "many"}, "n_components is 'many'"),
        ({"class_weight": "even"}, "class_weight is 'even'"),
        ({"random_state": -1}, "random_state is -1"),
    ],
)
def test_settings_out_of_range_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        UnkernelClassifier(**options).fit(*rings(40))


def test_columns_that_never_change_are_said():
    with pytest.warns(UserWarning, match="every column of X holds one value"):
        model = UnkernelClassifier().fit(np.ones((30, 2)), np.arange(30) % 3 == 0)
    assert set(model.predict(np.ones((4, 2)))) == {False}


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_sizes_that_cannot_be_scaled_are_refused(scale):
    X, y = rings(40)
    with pytest.raises(InputError, match="X has values up to"):
        UnkernelClassifier().fit(X * scale, y)
    with pytest.raises(InputError, match="sample_weight has values up to"):
        UnkernelClassifier().fit(X, y, sample_weight=np.full(40, scale))
    with pytest.raises(InputError, match="y has values up to"):
        UnkernelRegressor().fit(X, X[:, 0] * scale)
