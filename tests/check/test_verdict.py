"""The verdict is data: JSON can hold it, the words read from it, and it survives pickling."""

import json
import pickle

import pytest

from questions import curved
from unkernel import check

KEYS = {
    "title",
    "data",
    "answer",
    "candidates",
    "curve",
    "components_curve",
    "confusion",
    "disagreement",
    "findings",
    "how",
    "reproduce",
}


@pytest.fixture(scope="module")
def verdict():
    return check(*curved(400), random_state=0)


def test_the_dictionary_has_its_agreed_shape(verdict):
    data = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
    assert set(data) >= KEYS
    assert set(data["data"]) >= {"rows", "columns", "classes", "task", "source"}
    assert set(data["answer"]) == {"worth", "sentence", "gap", "interval", "epsilon", "scoring", "test", "p_value"}
    for candidate in data["candidates"]:
        assert set(candidate) == {
            "name",
            "family",
            "score",
            "low",
            "high",
            "seconds",
            "full_seconds",
            "full_bytes",
            "C",
            "C_path",
            "n_components",
            "chosen",
            "params",
        }
        assert all(set(at) == {"C", "score", "error"} for at in candidate["C_path"])
    assert [c["chosen"] for c in data["candidates"]].count(True) == 1
    assert all(set(point) == {"name", "rows", "score", "low", "high"} for point in data["curve"])
    assert sum(map(sum, data["confusion"]["counts"])) == data["data"]["judged"]
    seen = data["disagreement"]
    assert sum(seen[k] for k in ("both_right", "only_a", "only_b", "both_wrong")) == data["data"]["judged"]
    assert all(set(row) == {"row", "truth", "a", "b"} for row in seen["rows"])
    assert all(set(found) == {"code", "title", "text", "do"} for found in data["findings"])


def test_ten_plain_lines(verdict):
    lines = str(verdict).splitlines()
    assert len(lines) <= 10
    assert lines[0] == verdict.to_dict()["answer"]["sentence"]
    assert "verdict.recommended.make()" in str(verdict)
    assert lines[0] in verdict._repr_html_()
    assert repr(verdict).startswith("Verdict(worth='yes', gap=")


def test_what_is_handed_out_is_a_copy(verdict):
    verdict.to_dict()["answer"]["worth"] = "no"
    verdict.findings.clear()
    assert verdict.worth == "yes"
    assert verdict.findings


def test_it_survives_pickling(verdict):
    again = pickle.loads(pickle.dumps(verdict))
    assert again.to_dict() == verdict.to_dict()
    assert again.recommended == verdict.recommended
