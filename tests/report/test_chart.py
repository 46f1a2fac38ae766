"""The charts say what the summary says."""

import copy
import json

import pytest

from samples import NASTY, summary
from unkernel.report.chart import charts
from unkernel.report.summary import completed


def drawn(**changes) -> dict:
    return {figure.name: figure for figure in charts(completed({**summary(), **changes}))}


def test_every_part_has_its_chart_in_order():
    assert list(drawn()) == ["gap", "cost", "learning", "components", "paths", "confusion"]


@pytest.mark.parametrize(
    ("part", "gone"),
    [("candidates", {"cost", "paths"}), ("curve", {"learning"}), ("components_curve", {"components"}),
     ("confusion", {"confusion"}), ("answer", {"gap"})],
)  # fmt: skip
def test_a_part_without_data_has_no_chart(part, gone):
    assert set(drawn()) - set(drawn(**{part: None})) == gone


def test_every_chart_tells_its_numbers():
    for figure in drawn().values():
        assert figure.rows
        assert all(len(row) == len(figure.head) for row in figure.rows), figure.name
        assert figure.spec["data"]["values"] or figure.name == "gap"


def test_cost_carries_each_candidate_and_marks_the_chosen():
    values = drawn()["cost"].spec["data"]["values"]
    assert [v["kind"] for v in values] == ["linear", "candidate", "chosen", "candidate"]
    assert values[2]["score"] == 0.983
    assert drawn()["cost"].rows[2] == ["min-max", "98.3 %", "97.1 %", "99.4 %", "350 ms"]


def test_candidates_of_unknown_price_are_left_out():
    given = copy.deepcopy(summary()["candidates"])
    given[1]["full_seconds"] = None
    assert [row[0] for row in drawn(candidates=given)["cost"].rows] == ["linear", "min-max", "Fourier"]


def test_the_gap_says_its_interval():
    assert drawn()["gap"].rows == [["+2.8 points", "+2.1 points", "+3.5 points", "+2.0 points"]]


def test_paths_have_bands_of_one_standard_error():
    step = drawn()["paths"].spec["data"]["values"][0]
    assert step["score"] - step["low"] == pytest.approx(0.006)
    assert step["high"] - step["score"] == pytest.approx(0.006)


def test_confusion_lists_the_worst_mistakes_first_and_only_mistakes():
    rows = drawn()["confusion"].rows
    assert all(truth != taken for truth, taken, *_ in rows)
    counts = [int(row[2]) for row in rows]
    assert counts == sorted(counts, reverse=True)
    assert NASTY in drawn()["confusion"].spec["layer"][0]["encoding"]["x"]["sort"]


def test_many_classes_are_drawn_without_counts():
    labels = list(range(40))
    many = drawn(confusion={"labels": labels, "counts": [[1] * 40] * 40})["confusion"]
    assert len(many.spec["layer"]) == 1
    assert len(many.rows) == 30


def test_prices_are_called_what_they_are():
    assert "seconds of training, predicted" in json.dumps(drawn()["cost"].spec)
    assert "seconds of training, measured" in json.dumps(drawn(measured=True)["cost"].spec)
