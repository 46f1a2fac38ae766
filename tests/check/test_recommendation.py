"""A recommendation makes a pipeline that learns what the probe learnt, from its plain data alone."""

import pickle

import numpy as np
import pytest

from questions import bent, curved
from unkernel import check
from unkernel.check.recommendation import Recommendation


@pytest.mark.parametrize(
    ("kernel", "params"),
    [
        ("linear", {}),
        ("rbf", {"gamma": 0.5, "scale": "unit"}),
        ("minmax", {"scale": "amounts"}),
        ("polynomial", {"degree": 2, "gamma": 1.0, "coef0": 1.0}),
    ],
)
def test_it_makes_an_unfitted_pipeline(kernel, params):
    X, y = curved(300)
    this = Recommendation(
        name=kernel, kernel=kernel, params=params, n_components=64, C=4.0, task="classification", sparse=False
    )
    this = pickle.loads(pickle.dumps(this))
    model = this.make(random_state=0)
    assert not hasattr(model[-1], "coef_")
    assert (model.fit(X, y).score(X, y) > 0.9) == (kernel != "linear")


def test_amounts_get_a_regressor():
    X, y = bent(200)
    this = Recommendation(
        name="rbf", kernel="rbf", params={"gamma": 0.2}, n_components=64, C=10.0, task="regression", sparse=False
    )
    assert this.make().fit(X, y).score(X, y) > 0.9


def test_words_are_encoded_by_the_pipeline_itself():
    pandas = pytest.importorskip("pandas")
    X, y = curved(300)
    frame = pandas.DataFrame({"town": np.where(X[:, 0] > 0, "north", "south"), "height": X[:, 1]})
    verdict = check(frame, y, random_state=0)
    assert verdict.worth == "yes"
    model = verdict.recommended.make().fit(frame[:200], y[:200])
    assert model.score(frame[200:], y[200:]) > 0.9
    assert verdict.recommended["encode"]
