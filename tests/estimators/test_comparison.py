"""Kernels side by side: the same rows judge all, prices are measured, and a page can be made of it."""

import json

import numpy as np
import pytest

from unkernel import RBF, InputError
from unkernel.estimators.comparison import compare_kernels
from unkernel.report.html import page

RNG = np.random.default_rng(0)
X = RNG.normal(size=(320, 2))


def test_a_ring_is_worth_a_kernel_and_every_candidate_has_its_price():
    told = []
    y = np.where((X**2).sum(axis=1) > 1.4, "out", "in")
    found = compare_kernels(X, y, kernels=["rbf"], progress=lambda share, text: told.append(text))
    assert found["answer"]["worth"] == "yes"
    assert [c["name"] for c in found["candidates"]] == ["linear", "rbf", "auto"]
    for one in found["candidates"]:
        assert one["low"] <= one["score"] <= one["high"]
        assert min(one["seconds"], one["predict_seconds"], one["full_bytes"]) > 0
    assert np.sum(found["confusion"]["counts"]) == found["data"]["judged"] == 80
    assert len(found["lines"]) == 5
    assert told[0] == "linear on 240 rows"
    json.dumps(found)
    assert "Kernels side by side" in page(found)


def test_amounts_and_given_rows_to_judge_on():
    y = X[:, 0] + 0.1 * X[:, 1]
    found = compare_kernels(X[:200], y[:200], kernels=[RBF(0.5)], test=(X[200:], y[200:]))
    assert found["answer"]["worth"] == "no"
    assert found["answer"]["scoring"] == "r2"
    assert found["candidates"][1]["name"] == "RBF(gamma=0.5)"
    assert found["data"]["judged"] == 120
    assert found["confusion"] is None


def test_a_class_of_one_row_is_no_fault_and_too_few_rows_are():
    y = np.where(X[:, 0] > 0, "a", "b").astype(object)
    y[3] = "once"
    found = compare_kernels(X, y.astype(str), kernels=[])
    assert found["answer"]["worth"] != "yes"
    assert found["candidates"][0]["score"] > 0.95
    with pytest.raises(InputError, match="5 rows are too few"):
        compare_kernels(X[:5], X[:5, 0] > 0)
