"""Each finding: data that show it, and data that do not. Every code is on its page."""

from pathlib import Path

import numpy as np
import pytest

from questions import flat
from unkernel.check.finding import TITLES, of_data
from unkernel.check.rows import open_rows

PAGE = Path(__file__).parent.parent.parent / "docs" / "findings.md"


def codes(X, y, **options):
    return {finding.code for finding in of_data(open_rows(X, y, **options))}


def test_good_data_show_nothing():
    assert codes(*flat(200)) == set()


@pytest.mark.parametrize(
    ("code", "spoil"),
    [
        ("UK111", lambda X, y: (np.hstack([X, np.ones((len(X), 1))]), y)),
        ("UK112", lambda X, y: (np.hstack([X, np.arange(len(X))[:, None] + 7.0]), y)),
        ("UK112", lambda X, y: (np.hstack([X, np.random.default_rng(0).permutation(len(X))[:, None]]), y)),
        ("UK113", lambda X, y: (X, np.where(np.arange(len(y)) == 0, 9, y))),
        ("UK114", lambda X, y: (X, (np.arange(len(y)) % 20 == 0).astype(int))),
        ("UK115", lambda X, y: (X, np.arange(len(y)) % 25)),
        ("UK116", lambda X, y: (np.concatenate([X, X[:40]]), np.concatenate([y, y[:40]]))),
    ],
)
def test_what_is_wrong_is_named(code, spoil):
    X, y = flat(300)
    assert code in codes(*spoil(X, y))


def test_a_number_that_repeats_is_no_identifier():
    X, y = flat(300)
    assert "UK112" not in codes(np.hstack([X, (np.arange(300) % 40)[:, None]]), y)


def test_columns_are_named_as_the_user_names_them():
    pandas = pytest.importorskip("pandas")
    X, y = flat(100)
    frame = pandas.DataFrame(X, columns=list("abcde")).assign(patient=np.arange(100) + 5000)
    found = {f.code: f for f in of_data(open_rows(frame, y))}
    assert "'patient'" in found["UK112"].text
    assert found["UK112"].to_dict()["title"] == TITLES["UK112"]


def test_every_code_is_on_its_page():
    page = PAGE.read_text()
    for code, title in TITLES.items():
        assert f"## {code}: {title}" in page
