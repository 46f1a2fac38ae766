"""Probabilities from scores: one slope and one shift per class, fitted on scores of rows the model had not seen."""

import numpy as np
import scipy.optimize
from scipy.special import expit, softmax


class Calibration:
    """Softmax of slope * score + shift (sigmoid for two classes), by maximum likelihood with a weak prior.

    References
    ----------
    Platt, "Probabilistic outputs for support vector machines", 1999; Guo et al., "On calibration of modern neural
    networks", ICML 2017.
    """

    def fit(self, scores: np.ndarray, index: np.ndarray, weight: np.ndarray) -> "Calibration":
        """Learn from left-out scores (n, q) and classes (n,)."""
        with_shifts = _fitted(scores, index, weight, 50.0)
        without = _fitted(scores, index, weight, 0.0)
        # Shifts move the decision: they stay only where that does not cost a right answer.
        worse = _wrong(scores, index, weight, with_shifts) > _wrong(scores, index, weight, without)
        self.theta_ = without if worse else with_shifts
        return self

    def logits(self, scores: np.ndarray) -> np.ndarray:
        """Slope * score + shift."""
        return self.theta_[0] * scores + self.theta_[1:]

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """(n, classes), rows summing to one; the order of rows by score is kept for two classes."""
        return _probabilities(scores, self.theta_)


def _probabilities(scores, theta):
    z = theta[0] * scores + theta[1:]
    if z.shape[1] > 1:
        return softmax(z, axis=1)
    p = expit(z[:, 0])
    return np.column_stack([1 - p, p])


def _fitted(scores, index, weight, most: float) -> np.ndarray:
    """Slope and shifts of greatest likelihood, shifts up to `most`."""
    q = scores.shape[1]
    prior = np.concatenate([[0.0], np.full(q, 1e-3 * weight.sum())])

    def loss(theta):
        p = _probabilities(scores, theta)
        truth = index[:, None] == np.arange(p.shape[1])
        value = -weight @ np.log(np.maximum(p[truth], 1e-300)) + prior @ theta**2
        residual = weight[:, None] * (p - truth)[:, -q:]
        gradient = np.concatenate([[np.sum(residual * scores)], residual.sum(axis=0)]) + 2 * prior * theta
        return value / weight.sum(), gradient / weight.sum()

    bounds = [(1e-3, 1e3)] + [(-most, most)] * q
    start = np.concatenate([[2.0], np.zeros(q)])
    return scipy.optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x


def _wrong(scores, index, weight, theta) -> float:
    return float(weight @ (_probabilities(scores, theta).argmax(axis=1) != index))
