"""Remarks about models: rises that chance explains are not reported, real ones are."""

import numpy as np
import pytest

from questions import flat
from unkernel import check
from unkernel.check.remark import LEVEL, rises


def codes(X, y, **options):
    return {finding["code"] for finding in check(X, y, random_state=0, **options).findings}


@pytest.mark.parametrize("seed", range(4))
def test_noise_is_not_told_to_bring_more_rows(seed):
    rng = np.random.default_rng(seed)
    assert not codes(rng.normal(size=(300, 4)), rng.integers(0, 2, 300)) & {"UK131", "UK132"}


def test_a_curve_that_rows_make_clearer_is():
    X = np.random.default_rng(0).uniform(-1, 1, (800, 2))
    assert "UK131" in codes(X, (np.sin(12 * X[:, 0]) * np.sin(12 * X[:, 1]) > 0).astype(int))


def test_a_model_that_knows_everything_is_doubted():
    X, y = flat(400)
    assert "UK123" in codes(np.column_stack([X, 10 * y]), y)


def test_rises_are_of_one_model_where_it_is_named():
    rise = {"name": "linear", "gap": 2 * LEVEL, "low": LEVEL, "high": 3 * LEVEL}
    curves = {"rises": {"rows": [rise, rise | {"low": -LEVEL}], "components": []}}
    assert rises(curves, "rows") == rises(curves, "rows", "linear") == [rise]
    assert rises(curves, "rows", "multilinear") == rises(curves, "components") == []
