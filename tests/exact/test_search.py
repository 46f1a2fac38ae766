"""Choice on rows left out: what is shared, what is tried, what is refused."""

import numpy as np
import pytest

from catalogue import nonnegative
from unkernel import GMM, RBF, Acos, CosineRBF, ExactRegressor, InputError, Linear, MinMax
from unkernel.exact.base import Targets
from unkernel.exact.grid import grid_of, setting
from unkernel.exact.search import Trial, best_of, left_out, scored, trials


@pytest.mark.parametrize(
    ("kernel", "grid"),
    [
        (GMM(), {"p": [0.5, 2.0]}),
        (CosineRBF(), {"gamma": [1.0, 10.0]}),
        (MinMax() * CosineRBF(), {"left__p": [1.0, 3.0], "right__gamma": [1.0, 10.0]}),
        (RBF("scale") + Acos(), {"left__gamma": ["scale", 0.5]}),
        (MinMax() * Acos(), {"left": [MinMax(), RBF(1.0), Linear()]}),
        (Acos() + RBF(1.0), {"right__gamma": [0.1, 1.0], "left": [MinMax(), GMM(p=2.0)], "left__p": [0.5, 1.0]}),
    ],
)
def test_every_setting_has_its_own_gram(kernel, grid):
    X = nonnegative(0)
    seen = 0
    for params, K in trials(kernel, grid, X, None):
        np.testing.assert_allclose(K, setting(kernel, params)(X), rtol=1e-9, atol=1e-12)
        seen += 1
    assert seen == np.prod([len(values) for values in grid.values()])


def test_settings_of_one_formula_share_their_base(monkeypatch):
    calls = []
    base = CosineRBF.base
    monkeypatch.setattr(CosineRBF, "base", lambda self, *a, **k: calls.append(1) or base(self, *a, **k))
    list(trials(CosineRBF(), {"gamma": [1.0, 2.0, 3.0]}, nonnegative(0), None))
    assert len(calls) == 1


def test_of_equal_scores_the_first_setting_and_the_smallest_C_win():
    C, none = np.array([1.0, 10.0]), np.zeros(2)
    found = [Trial({"p": p}, C, np.array(s), none) for p, s in ((1, [0.5, 0.6]), (2, [0.7, 0.7]), (4, [0.7, 0.6]))]
    trial, best = best_of(found)
    assert (trial.params, best) == ({"p": 2}, 1.0)


def test_no_grid_is_one_setting():
    assert grid_of(Linear(), None, nonnegative(0)) == {}
    assert len(list(trials(Linear(), {}, nonnegative(0), None))) == 1


def test_the_error_of_one_score_over_all_rows_is_the_jackknifes():
    rng = np.random.default_rng(0)
    y = rng.normal(size=(40, 1))
    targets = Targets("squared", y, np.ones(40), np.ones((40, 1), bool))
    _, error = left_out(np.eye(40), targets, np.array([1.0]), lambda f, at: float(-np.mean((f[:, 0] - y[at, 0]) ** 2)))
    assert 0.3 < error[0] / (np.std(y**2) / np.sqrt(40)) < 3
    few = Targets("squared", y[:3], np.ones(3), np.ones((3, 1), bool))
    assert np.isnan(left_out(np.eye(3), few, np.array([1.0]), lambda f, at: 0.0)[1]).all()


def test_a_score_that_is_none_is_refused_with_a_remedy():
    with pytest.raises(InputError, match=r"the score of 1 rows .* is NaN; give fewer folds"):
        scored(lambda f, at: np.nan, np.zeros((1, 1)), np.arange(1))


def test_folds_of_one_row_are_refused_without_further_noise(recwarn):
    X = nonnegative(0, 7)
    with pytest.raises(InputError, match="is NaN; give fewer folds"):
        ExactRegressor(loss="epsilon_insensitive", C="auto").fit(X, X[:, 0])
    assert not recwarn.list
