"""Penalties count units as their formulas say, and groups that make no sense are refused with a remedy."""

import numpy as np
import pytest

from unkernel import Codes, Dense, InputError
from unkernel.linear.penalty import penalty_of
from unkernel.linear.proximal_hot import miss

F = Dense(np.zeros((3, 6)))


@pytest.mark.hot
@pytest.mark.parametrize(("name", "groups"), [("l1", None), ("group", [0, 1, 1, 0, 2, 2]), ("group", 3)])
def test_units_count_as_the_formulas_say(name, groups):
    rng = np.random.default_rng(0)
    w, g = rng.normal(size=6) * [1, 1, 1, 0, 0, 0], 2 * rng.normal(size=6)
    penalty = penalty_of(name, F, groups)
    for u in range(penalty.n_units):
        unit = penalty.columns[penalty.starts[u] : penalty.starts[u + 1]]
        assert penalty.size[u] == pytest.approx(np.sqrt(len(unit)))
        length = np.linalg.norm(w[unit])
        assert penalty.lengths(w)[u] == pytest.approx(length)
        assert penalty.heights(g)[u] == pytest.approx(np.linalg.norm(g[unit]) / np.sqrt(len(unit)))
        if length:
            off = np.linalg.norm(g[unit] + penalty.size[u] * w[unit] / length)
        else:
            off = max(0, np.linalg.norm(g[unit]) - penalty.size[u])
        assert penalty.misses(w, g)[u] == pytest.approx(off)
        assert miss(penalty.lone, penalty.size[u], g[unit], w[unit]) == pytest.approx(off)


def test_components_are_the_units_of_codes():
    codes = Codes.of(np.zeros((2, 3), int), 4)
    groups, lone = penalty_of("group", codes), penalty_of("l1", codes)
    assert groups.starts.tolist() == lone.starts.tolist() == [0, 4, 8, 12]
    assert groups.size.tolist() == [2, 2, 2]
    assert lone.size.tolist() == [1, 1, 1]
    w = np.array([0, -1, 2, 0] + 8 * [0.0])
    assert lone.lengths(w).tolist() == [3, 0, 0]


@pytest.mark.parametrize(
    ("name", "features", "groups", "message"),
    [
        ("l2", F, None, "penalty is 'l2'; it must be one of 'l1', 'group'"),
        ("l1", F, 2, 'groups are given and penalty is "l1"'),
        ("group", F, None, "give the group of every column"),
        ("group", F, 4, "groups is 4; it must be a whole number that divides the 6 columns"),
        ("group", F, 0, "groups is 0"),
        ("group", F, [0, 1], r"groups has shape \(2,\) and X has 6 columns"),
        ("group", F, np.linspace(0, 1, 6), "name groups by whole numbers or words"),
        ("group", Codes.of(np.zeros((2, 3), int), 4), 2, "groups are their components"),
    ],
)
def test_groups_that_make_no_sense_are_refused(name, features, groups, message):
    with pytest.raises(InputError, match=message):
        penalty_of(name, features, groups)
