"""Regions by least squares: each is a ridge regression of its own, by its columns or by its rows."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import Ridge

from questions import curved, task_of
from unkernel.check.piecewise import overruled, piecewise


@pytest.mark.parametrize("d", [2, 90])
@pytest.mark.parametrize("sparse", [False, True])
def test_regions_are_ridge_regressions(d, sparse):
    task, _ = task_of(*curved(160, d), sparse=sparse)
    X = task.pool.scaled("unit")
    wide = X.toarray() if sparse else X
    at = (wide[:, 0] > 0).astype(int)
    got = piecewise(task, "key", X, at, 2.0)
    y = np.where(task.pool.y == 1, 1.0, -1.0)
    Z = np.hstack([wide, np.ones((len(wide), 1))])
    for region in (0, 1):
        fit, ask = (rows[at[rows] == region] for rows in (task.train, task.judge))
        twin = Ridge(alpha=0.25, fit_intercept=False).fit(Z[fit], y[fit]).predict(Z[ask])
        np.testing.assert_allclose(got["f"][at[task.judge] == region], twin, atol=1e-3)


def test_each_region_chooses_on_its_rows_held_back():
    task, y = task_of(*curved(400))
    X = task.pool.scaled("unit")
    got = piecewise(task, "key", X, (X[:, 0] > 0).astype(int), None)
    assert got["score"] == max(at["score"] for at in got["path"])
    assert task.score(y, got["f"]) > 0.9


def test_lonely_and_empty_regions_are_answered():
    y, at = np.array([0, 0, 1, 1], np.int32), np.array([0, 0, 1, 1])
    task, _ = task_of(np.zeros((8, 1)), np.tile(y, 2))
    f = overruled(task, np.zeros(3), at, np.array([0, 1, 2]), y, 3)
    assert (f > 0).tolist() == [False, True, False]
    assert scipy.sparse.issparse(task.pool.X) is False
