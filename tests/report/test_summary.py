"""The shape of a summary."""

import json
import math

import pytest

from samples import summary
from unkernel import InputError
from unkernel.report.summary import completed


def test_a_whole_summary_stays_as_it_is():
    given, whole = json.loads(json.dumps(summary())), completed(summary())
    assert {**whole, "components_curve": given["components_curve"]} == given
    assert [entry["low"] for entry in whole["components_curve"]] == [None] * 6
    assert completed(whole) == whole


def test_the_least_summary_gets_every_part():
    least = completed({})
    assert set(least) >= {"title", "data", "answer", "candidates", "findings", "reproduce"}
    assert least["candidates"] == []
    assert least["confusion"] is None
    assert least["answer"]["worth"] == "undecided"


def test_entries_get_every_field():
    candidate = completed({"candidates": [{"name": "linear", "score": 0.5}]})["candidates"][0]
    assert candidate["name"] == "linear"
    assert candidate["C_path"] == []
    assert candidate["full_seconds"] is None


def test_what_is_no_number_is_nothing():
    assert completed({"answer": {"gap": math.nan, "interval": [-math.inf, 1]}})["answer"]["gap"] is None


def test_completing_does_not_leak_between_summaries():
    completed({})["how"].append("mine")
    completed({})["data"]["rows"] = 3
    assert completed({})["how"] == []
    assert completed({})["data"]["rows"] is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (3, "not int"),
        ({"answer": {"worth": "perhaps"}}, "one of yes, no, undecided"),
        ({"candidates": {}}, "'candidates' of a summary is a list"),
        ({"candidates": [1]}, "list of dicts, not of int"),
        ({"how": {1, 2}}, "what JSON holds"),
        ({"title": 3}, "'title' of a summary is a str"),
    ],
)
def test_other_shapes_are_refused(given, said):
    with pytest.raises(InputError, match=said):
        completed(given)
