"""Choice on rows left out: what is shared, what is tried, what is refused."""

import numpy as np
import pytest

from catalogue import nonnegative
from unkernel import GMM, RBF, Acos, CosineRBF, InputError, Linear, MinMax
from unkernel.exact.search import GAMMAS, Trial, best_of, grid_of, trials


def test_gammas_of_the_paper_are_58():
    assert len(GAMMAS) == 58
    assert list(GAMMAS) == sorted(set(GAMMAS))
    assert (GAMMAS[0], GAMMAS[-1]) == (0.001, 1000.0)


@pytest.mark.parametrize(
    ("kernel", "grid"),
    [
        (GMM(), {"p": [0.5, 2.0]}),
        (CosineRBF(), {"gamma": [1.0, 10.0]}),
        (MinMax() * CosineRBF(), {"left__p": [1.0, 3.0], "right__gamma": [1.0, 10.0]}),
        (RBF("scale") + Acos(), {"left__gamma": ["scale", 0.5]}),
    ],
)
def test_every_setting_has_its_own_gram(kernel, grid):
    X = nonnegative(0)
    seen = 0
    for params, K in trials(kernel, grid, X, None):
        np.testing.assert_allclose(K, kernel.set_params(**params)(X), rtol=1e-9, atol=1e-12)
        seen += 1
    assert seen == np.prod([len(values) for values in grid.values()])


def test_settings_of_one_formula_share_their_base(monkeypatch):
    calls = []
    base = CosineRBF.base
    monkeypatch.setattr(CosineRBF, "base", lambda self, *a, **k: calls.append(1) or base(self, *a, **k))
    list(trials(CosineRBF(), {"gamma": [1.0, 2.0, 3.0]}, nonnegative(0), None))
    assert len(calls) == 1


def test_the_automatic_grid_knows_powers_and_scales():
    X = nonnegative(0)
    grid = grid_of(MinMax() * RBF(0.1), "auto", X)
    assert set(grid) == {"left__p", "right__gamma"}
    assert RBF("median").fit(X).gamma_ in grid["right__gamma"]
    with pytest.raises(InputError, match="neither p nor gamma"):
        grid_of(Acos(), "auto", X)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"q": [1]}, r"grid names 'q'; .* has the parameters gamma"),
        ({"gamma": 3}, "grid gives 3 for 'gamma'; give a list"),
        ({"gamma": []}, "give a list of values"),
        ("all", 'must be None, "auto", or a dict'),
        ([1], 'must be None, "auto", or a dict'),
    ],
)
def test_grids_that_mean_nothing_are_refused(grid, message):
    with pytest.raises(InputError, match=message):
        grid_of(RBF(1.0), grid, nonnegative(0))


def test_of_equal_scores_the_first_setting_and_the_smallest_C_win():
    C, none = np.array([1.0, 10.0]), np.zeros(2)
    found = [Trial({"p": p}, C, np.array(s), none) for p, s in ((1, [0.5, 0.6]), (2, [0.7, 0.7]), (4, [0.7, 0.6]))]
    trial, best = best_of(found)
    assert (trial.params, best) == ({"p": 2}, 1.0)


def test_no_grid_is_one_setting():
    assert grid_of(Linear(), None, nonnegative(0)) == {}
    assert len(list(trials(Linear(), {}, nonnegative(0), None))) == 1
