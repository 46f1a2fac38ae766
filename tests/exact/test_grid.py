"""The settings a search tries: words, members and arrays as values, and refusals before any work."""

import numpy as np
import pytest

from catalogue import nonnegative, signed
from unkernel import GMM, RBF, Acos, ExactRegressor, InputError, MinMax
from unkernel.exact.grid import GAMMAS, POWERS, grid_of, setting


def test_gammas_of_the_paper_are_58():
    assert len(GAMMAS) == 58
    assert list(GAMMAS) == sorted(set(GAMMAS))
    assert (GAMMAS[0], GAMMAS[-1]) == (0.001, 1000.0)


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
        ({"gamma": "best"}, 'give a list of values, or "published"'),
        ({"gamma": [1.0, 2.0, -1.0]}, "gamma is -1"),
        ({"gamma": RBF()}, "give a list of values"),
    ],
)
def test_grids_that_mean_nothing_are_refused(grid, message):
    with pytest.raises(InputError, match=message):
        grid_of(RBF(1.0), grid, nonnegative(0))


def test_the_published_gammas_have_a_word():
    assert grid_of(RBF(), {"gamma": "published"}, nonnegative(0)) == {"gamma": list(GAMMAS)}
    assert len(grid_of(MinMax() * RBF(), {"right__gamma": "published"}, nonnegative(0))["right__gamma"]) == 58
    with pytest.raises(InputError, match="grid gives 'published' for 'p'"):
        grid_of(MinMax(), {"p": "published"}, nonnegative(0))


def test_arrays_may_be_values():
    X = signed(0, 20)
    center = X.mean(axis=0)
    assert len(grid_of(GMM(), {"center": [None, center]}, X)["center"]) == 2
    model = ExactRegressor(GMM(), grid={"center": [None, center]}).fit(X, X[:, 0])
    assert len(model.trials_) == 2
    with pytest.raises(InputError, match="center has 3 columns"):
        grid_of(GMM(), {"center": [None, np.ones(3)]}, X)


@pytest.mark.parametrize(
    ("kernel", "grid", "message"),
    [
        (GMM(), {"p": [1.0, 8.0]}, "underflows"),
        (GMM() * Acos(), {"left": [GMM(), MinMax()]}, "use GMM"),
        (GMM() * Acos(), {"left": [GMM(), 3]}, "left is 3"),
        (GMM() * Acos(), {"left": [GMM(), RBF()], "left__p": [1.0]}, "name only parameters that all members"),
    ],
)
def test_the_last_value_is_met_before_the_first_is_tried(kernel, grid, message, monkeypatch):
    X = signed(0, 20)
    X[7] = 1e-60
    for kind in (GMM, Acos):
        monkeypatch.setattr(kind, "_formula", lambda *a: pytest.fail("a Gram matrix was made"))
    with pytest.raises(InputError, match=message):
        ExactRegressor(kernel, grid=grid).fit(X, X[:, 0])


def test_the_automatic_grid_leaves_out_powers_that_the_rows_do_not_survive():
    X = nonnegative(0)
    X[3] = 1e-60
    assert grid_of(MinMax() * RBF(), "auto", X)["left__p"] == [p for p in POWERS if p < 8]


def test_members_of_a_grid_are_left_as_they_are():
    member = MinMax()
    made = setting(GMM() * Acos(), {"left": member, "left__p": 2.0})
    assert (made.left.p, member.p) == (2.0, 1.0)
