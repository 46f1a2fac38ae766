"""The verdict says what the choice knows, and a page can be made of it."""

import json

import numpy as np
import pytest

from unkernel import UnkernelClassifier, UnkernelRegressor, load_model, save

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 2))


def test_a_ring_is_worth_a_kernel_and_a_line_is_not():
    ring = UnkernelClassifier().fit(X, (X**2).sum(axis=1) > 1.4).verdict_
    assert ring.worth == "yes"
    assert ring.interval[0] < ring.gap < ring.interval[1]
    line = UnkernelClassifier().fit(X, X[:, 0] > X[:, 1]).verdict_
    assert line.worth == "no"
    assert "linear" in line.findings[0]["do"]


def test_amounts_have_a_verdict_too():
    wave = UnkernelRegressor().fit(X, np.sin(3 * X[:, 0])).verdict_
    assert wave.worth == "yes"
    assert wave.to_dict()["answer"]["test"] == "bootstrap"
    assert UnkernelRegressor().fit(X, X[:, 0]).verdict_.worth == "no"


def test_it_is_data_a_page_and_a_model_to_make(tmp_path):
    y = (X**2).sum(axis=1) > 1.4
    model = UnkernelClassifier().fit(X, y)
    whole = model.verdict_.to_dict()
    json.dumps(whole)
    assert sum(c["chosen"] for c in whole["candidates"]) == 1
    model.verdict_.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 1000
    assert str(model.verdict_).startswith("A kernel is worth it")
    made = model.verdict_.recommended.make()
    assert made.fit(X, y).score(X, y) > 0.9
    save(model, tmp_path / "m")
    loaded = load_model(tmp_path / "m").verdict_
    assert loaded.to_dict() == whole
    assert str(loaded.recommended) == str(model.verdict_.recommended)


def test_progress_is_told_and_a_given_kernel_has_no_verdict():
    told = []
    y = X[:, 0] > 0
    model = UnkernelClassifier("rbf").fit(X, y, progress=lambda share, text: told.append((share, text)))
    assert told[0][0] == 0
    assert "candidates on 300 rows" in told[0][1]
    assert "all 300 rows" in told[-2][1]
    assert "exact kernel of 300 rows, about" in told[-1][1]
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    with pytest.raises(AttributeError, match="verdict_ needs kernel='auto'"):
        model.verdict_  # noqa: B018
