"""Losses of a prediction f against a target y, each with its slope, its curvature and its conjugate.

Classification targets are -1 or +1 and the loss depends on y f; regression targets are numbers and the loss depends on
y - f. With a cost c per row, the dual variable b of the row stands for b = -c * slope, and the row adds
`-c * conjugate(b / c)` to the dual objective.
"""

from typing import NamedTuple

import numpy as np

from .._validate import check_choice, check_real


class Rule(NamedTuple):
    """A loss as compiled loops take it: LOGISTIC, or a side and a shape, with the two constants."""

    kind: int
    epsilon: float
    width: float


LOGISTIC, MARGIN_SMOOTH, MARGIN_STRAIGHT, RESIDUAL_SMOOTH, RESIDUAL_STRAIGHT = range(5)


class Loss(NamedTuple):
    """One loss: its name and the constants that tell compiled loops what it is.

    All but the logistic loss are one family. On the side where it is positive, a member is `e^2` up to `width` and a
    straight line beyond, or (with `smooth` False) a straight line at once, where the excess e is `1 - y f` in
    classification and `|y - f| - epsilon` in regression.
    """

    name: str
    classifies: bool
    smooth: bool
    epsilon: float = 0.0
    width: float = np.inf

    @property
    def logistic(self) -> bool:
        """Whether this is log(1 + exp(-y f))."""
        return self.name == "logistic"

    @property
    def rule(self) -> Rule:
        """What compiled loops need to know."""
        smooth, straight = (MARGIN_SMOOTH, MARGIN_STRAIGHT) if self.classifies else (RESIDUAL_SMOOTH, RESIDUAL_STRAIGHT)
        return Rule(LOGISTIC if self.logistic else smooth if self.smooth else straight, self.epsilon, self.width)


CLASSIFIERS = ("squared_hinge", "hinge", "logistic")
REGRESSORS = ("squared", "epsilon_insensitive", "squared_epsilon_insensitive", "huber")


def loss_of(name: str, *, epsilon: float = 0.1, width: float = 1.35) -> Loss:
    """The loss of that name.

    ============================  ==================================================================
    squared_hinge                 max(0, 1 - y f)^2
    hinge                         max(0, 1 - y f)
    logistic                      log(1 + exp(-y f))
    squared                       (y - f)^2
    epsilon_insensitive           max(0, |y - f| - epsilon)
    squared_epsilon_insensitive   max(0, |y - f| - epsilon)^2
    huber                         (y - f)^2 up to |y - f| = width, then width (2 |y - f| - width)
    ============================  ==================================================================
    """
    check_choice("loss", name, CLASSIFIERS + REGRESSORS)
    epsilon = check_real("epsilon", epsilon, least=0) if "epsilon" in name else 0.0
    width = check_real("width", width, above=0) if name == "huber" else np.inf
    return Loss(name, name in CLASSIFIERS, name not in ("hinge", "epsilon_insensitive"), epsilon, width)


def excess(loss: Loss, y, f):
    """How far a prediction is on the wrong side; the loss is zero where this is not positive."""
    return 1 - y * f if loss.classifies else np.abs(y - f) - loss.epsilon


def value(loss: Loss, y, f):
    """The loss itself."""
    if loss.logistic:
        return np.logaddexp(0, -y * f)
    e = np.maximum(excess(loss, y, f), 0)
    if not loss.smooth:
        return e
    near = np.minimum(e, loss.width)
    return near * near + (2 * loss.width * (e - near) if np.isfinite(loss.width) else 0)


def slope(loss: Loss, y, f):
    """Derivative in f; a subgradient where there is a corner, zero at a corner that ends the flat side."""
    if loss.logistic:
        return -y * _sigmoid(-y * f)
    e = excess(loss, y, f)
    size = 2 * np.clip(e, 0, loss.width) if loss.smooth else np.where(e > 0, 1.0, 0.0)
    return size * (-y if loss.classifies else np.sign(f - y))


def curvature(loss: Loss, y, f):
    """Second derivative in f where there is one, zero on straight pieces."""
    if loss.logistic:
        s = _sigmoid(y * f)
        return s * (1 - s)
    e = excess(loss, y, f)
    return np.where((e > 0) & (e < loss.width), 2.0, 0.0) if loss.smooth else np.zeros_like(e)


def conjugate(loss: Loss, y, b):
    """sup over f of -b f - loss(y, f): what a unit of cost pays in the dual; infinite where b is not allowed.

    Written for allowed b only: `b y` in [0, limit] for classification and |b| <= limit for regression.
    """
    a = b * y if loss.classifies else np.abs(b)
    if loss.logistic:
        return _entropy(a) + _entropy(1 - a)
    pay = a * a / 4 if loss.smooth else 0 * a
    return pay - a if loss.classifies else pay - b * y + loss.epsilon * a


def limit(loss: Loss) -> float:
    """The largest size of a dual variable per unit of cost."""
    if loss.logistic or not loss.smooth:
        return 1.0
    return 2 * loss.width


def _sigmoid(x):
    from scipy.special import expit

    return expit(x)


def _entropy(a):
    from scipy.special import xlogy

    return xlogy(a, a)
