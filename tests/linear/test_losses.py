"""Every loss against its definition, its slope, its conjugate, and the best dual variable by brute force."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from unkernel import InputError
from unkernel.linear.losses import CLASSIFIERS, REGRESSORS, conjugate, curvature, limit, loss_of, slope, value
from unkernel.linear.losses_hot import best_dual, slack

DEFINITIONS = {
    "squared_hinge": lambda y, f: max(0, 1 - y * f) ** 2,
    "hinge": lambda y, f: max(0, 1 - y * f),
    "logistic": lambda y, f: np.log(1 + np.exp(-y * f)),
    "squared": lambda y, f: (y - f) ** 2,
    "epsilon_insensitive": lambda y, f: max(0, abs(y - f) - 0.3),
    "squared_epsilon_insensitive": lambda y, f: max(0, abs(y - f) - 0.3) ** 2,
    "huber": lambda y, f: (y - f) ** 2 if abs(y - f) <= 0.7 else 0.7 * (2 * abs(y - f) - 0.7),
}
LOSSES = [loss_of(name, epsilon=0.3, width=0.7) for name in CLASSIFIERS + REGRESSORS]


def draws(loss, n=60, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.choice([-1.0, 1.0], n) if loss.classifies else rng.normal(size=n)
    return y, rng.normal(scale=2, size=n), rng.random(n)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_losses_are_what_they_say(loss):
    y, f, _ = draws(loss)
    np.testing.assert_allclose(value(loss, y, f), [DEFINITIONS[loss.name](a, b) for a, b in zip(y, f, strict=True)])


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_slopes_and_curvatures_are_derivatives(loss):
    y, f, _ = draws(loss)
    h = 1e-5
    np.testing.assert_allclose(slope(loss, y, f), (value(loss, y, f + h) - value(loss, y, f - h)) / (2 * h), atol=1e-6)
    bent = (slope(loss, y, f + h) - slope(loss, y, f - h)) / (2 * h)
    np.testing.assert_allclose(curvature(loss, y, f), bent, atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_conjugates_are_suprema(loss):
    y, _, t = draws(loss, 20)
    b = y * t if loss.classifies else (2 * t - 1) * min(limit(loss), 3)
    f = np.linspace(-30, 30, 600_001)  # a corner may lie between two points
    sup = [(-bi * f - value(loss, yi, f)).max() for bi, yi in zip(b, y, strict=True)]
    np.testing.assert_allclose(conjugate(loss, y, b), sup, atol=1e-4)


@pytest.mark.hot
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_the_best_dual_variable_is_the_best(loss):
    y, f, t = draws(loss, 40)
    for yi, fi, ti in zip(y, f, t, strict=True):
        c, q = 0.2 + 3 * ti, 0.1 + ti
        top = min(limit(loss), 20.0) * c
        b = ti * top * (yi if loss.classifies else 1)

        def cost(s, yi=yi, fi=fi, c=c, q=q, b=b):
            return 0.5 * q * (s - b) ** 2 + (s - b) * fi + c * conjugate(loss, yi, s / c)

        low, high = sorted((0, yi * top)) if loss.classifies else (-top, top)
        best = minimize_scalar(cost, bounds=(low, high), method="bounded", options={"xatol": 1e-10}).x
        got = best_dual(loss.rule, yi, c, q, fi, b)
        assert low <= got <= high
        assert cost(got) <= cost(best) + 1e-9


@pytest.mark.hot
@pytest.mark.parametrize("loss", [loss for loss in LOSSES if not loss.logistic], ids=lambda loss: loss.name)
def test_slack_is_how_far_a_prediction_may_move(loss):
    y, f, _ = draws(loss, 60)
    seen = 0
    for yi, fi in zip(y, f, strict=True):
        c, q = 0.5, 1.0
        ends = [0.0] + ([] if np.isinf(limit(loss)) else [limit(loss) * c * (yi if loss.classifies else np.sign(yi))])
        for b in ends:
            room = slack(loss.rule, yi, c, fi, b)
            if room > 0:
                seen += 1
                moves = [
                    abs(best_dual(loss.rule, yi, c, q, fi + d * room, b) - b) for d in (-0.999, 0.999, -1.01, 1.01)
                ]
                assert moves[0] == moves[1] == 0
                assert max(moves[2:]) > 0
    assert seen > 0 or loss.name == "squared"


def test_unknown_losses_and_constants_are_refused():
    with pytest.raises(InputError, match=r"loss is 'square'; it must be one of 'squared_hinge'"):
        loss_of("square")
    with pytest.raises(InputError, match="epsilon is -1"):
        loss_of("epsilon_insensitive", epsilon=-1)
    with pytest.raises(InputError, match="width is 0"):
        loss_of("huber", width=0)
