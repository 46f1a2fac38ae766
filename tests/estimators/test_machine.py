"""Machines score block by block what they would score at once."""

import numpy as np
import pytest

from unkernel import RBF, FourierMap, LinearClassifier, LinearRegressor
from unkernel.estimators import machine as module
from unkernel.estimators.machine import ExactMachine, FeatureMachine
from unkernel.estimators.scaling import Scale
from unkernel.estimators.selection import Target

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
INDEX = (X[:, 0] * X[:, 1] > 0).astype(int)
TARGET = Target(np.where(INDEX[:, None] == 1, 1.0, -1.0), np.ones(120), INDEX)


def machines():
    yield ExactMachine(Scale("standard"), RBF(0.5), 1e-2).fit(X, TARGET)
    yield FeatureMachine(Scale("standard"), None, LinearClassifier()).fit(X, TARGET)
    map_ = FourierMap(64, gamma=0.5, random_state=0)
    yield FeatureMachine(Scale("standard"), map_, LinearClassifier()).fit(X, TARGET)
    yield FeatureMachine(Scale("range"), map_, LinearRegressor()).fit(X, TARGET._replace(index=None))


@pytest.mark.parametrize("i", range(4))
def test_blocks_and_threads_do_not_matter(i, monkeypatch):
    machine = [*machines()][i]
    whole = machine.scores(X)
    assert whole.shape == (120, 1)
    np.testing.assert_array_equal(machine.scores(X, n_jobs=2), whole)
    monkeypatch.setattr(module, "BLOCK_BYTES", 1)
    np.testing.assert_allclose(machine.scores(X[:9]), whole[:9], atol=1e-12)


def test_left_out_scores_are_less_sure_than_scores():
    machine = next(machines())
    assert np.mean(TARGET.Y * machine.left_out_) < np.mean(TARGET.Y * machine.scores(X))
    assert np.mean((machine.left_out_ > 0) == (TARGET.Y > 0)) > 0.8


def test_many_rows_spare_some_to_judge_and_few_spare_none(monkeypatch):
    taught, held = module.apart(TARGET, 0)
    assert len(taught) == 120
    assert not len(held)
    crossed = FeatureMachine(Scale("standard"), None, LinearClassifier()).fit(X, TARGET)
    assert len(crossed.held_) == 118  # all but the first row of each class
    assert not np.allclose(crossed.left_out_, crossed.scores(X[crossed.held_]))
    monkeypatch.setattr(module, "HOLD_FROM", 100)
    taught, held = module.apart(TARGET, 0)
    assert len(held) == 6
    assert sorted([*taught, *held]) == list(range(120))
    machine = FeatureMachine(Scale("standard"), None, LinearClassifier()).fit(X, TARGET)
    np.testing.assert_allclose(machine.left_out_, machine.scores(X[machine.held_]))


def test_the_price_is_told_before_it_is_paid(monkeypatch):
    told = []
    monkeypatch.setattr(module, "PILOT_ROWS", 40)
    for machine in list(machines())[:3]:
        machine.fit(X, TARGET, tell=lambda share, text: told.append(text))
    prices = [text.split(", about")[0] for text in told if "about" in text]
    assert prices == ["the exact kernel of 120 rows", "a linear model on 120 rows", "64 components on 120 rows"]


def test_passes_are_told_and_no_callback_stays(monkeypatch):
    told = []
    monkeypatch.setattr(module, "PILOT_ROWS", 40)
    machine = FeatureMachine(Scale("standard"), None, LinearClassifier(n_jobs=1))
    machine.fit(X, TARGET, tell=lambda share, text: told.append((share, text)))
    assert "so far, gap" in told[-1][1]
    assert max(share for share, _ in told) < 1
    assert machine.learner_.callbacks is None
