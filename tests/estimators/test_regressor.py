"""The regressor chooses well and takes what SVR takes."""

import warnings

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from realdata import real
from unkernel import UnkernelRegressor, load_model, save


def test_it_is_a_scikit_learn_regressor():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(UnkernelRegressor())


def wave(n=150):
    X = np.random.default_rng(0).uniform(-3, 3, (n, 2))
    return X, 100 + 5 * np.sin(2 * X[:, 0]) + X[:, 1]


def test_a_wave_is_learned_and_a_plane_is_called_linear():
    X, y = wave()
    model = UnkernelRegressor().fit(X[:100], y[:100])
    assert model.score(X[100:], y[100:]) > 0.95
    plane = UnkernelRegressor().fit(X, X @ [1.0, -2.0])
    assert plane.score(X, X @ [1.0, -2.0]) > 0.999


def test_units_of_the_target_do_not_matter():
    X, y = wave()
    a, b = UnkernelRegressor().fit(X, y), UnkernelRegressor().fit(X, 1e6 * y - 3)
    np.testing.assert_allclose(b.predict(X), 1e6 * a.predict(X) - 3, rtol=1e-6)


def test_many_targets_files_and_maps(tmp_path):
    X, y = wave()
    both = UnkernelRegressor("rbf", n_components=128).fit(X, np.column_stack([y, -y]))
    assert both.predict(X).shape == (150, 2)
    save(both, tmp_path / "m")
    np.testing.assert_array_equal(load_model(tmp_path / "m").predict(X), both.predict(X))


@pytest.mark.parametrize("name", ["reg_abalone", "reg_cpusmall"])
def test_real_targets_are_explained(name):
    X, y = real(name, rows=1200)
    model = UnkernelRegressor().fit(X[:700], y[:700])
    assert model.score(X[700:], y[700:]) > {"reg_abalone": 0.5, "reg_cpusmall": 0.95}[name]
