"""Plain data and words: the recommendation follows the probe, notes follow the curves, numbers become JSON's."""

import numpy as np

from questions import curved, flat, three
from unkernel import check
from unkernel.check.plain import _simple


def test_numbers_become_plain():
    assert _simple({"a": np.float32(0.5), "b": [np.int64(1), np.nan], 3: (np.array([1.0]),)}) == {
        "a": 0.5,
        "b": [1, None],
        "3": [[1.0]],
    }


def test_sampled_data_say_so(monkeypatch):
    monkeypatch.setattr("unkernel.check.run.MOST_TRAIN", 300)
    verdict = check(*curved(1500), random_state=0)
    found = {finding["code"]: finding for finding in verdict.findings}
    assert "300 rows trained and 1,200 judged, of 1,500" in found["UK121"]["text"]


def test_random_labels_are_noticed():
    X, _ = flat(400)
    verdict = check(X, np.random.default_rng(1).integers(0, 2, 400), random_state=0)
    assert "UK122" in {finding["code"] for finding in verdict.findings}


def test_labels_are_the_users():
    X, y = three(200)
    data = check(X, np.array(["red", "green", "blue"])[y], random_state=0).to_dict()
    assert data["confusion"]["labels"] == ["blue", "green", "red"]
    assert {row["truth"] for row in data["disagreement"]["rows"]} <= {"blue", "green", "red"}
