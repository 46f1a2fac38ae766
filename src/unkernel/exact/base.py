"""The contract of a solver on a Gram matrix: targets in, functions f = K a + b out, and a certificate for them."""

from typing import NamedTuple

import numpy as np


class Targets(NamedTuple):
    """What a machine on a Gram matrix learns, a column for each of its functions f = K a + b.

    Attributes
    ----------
    loss : {"hinge", "squared_hinge", "squared", "epsilon_insensitive"}
    y : ndarray of shape (n, q)
        Classes as +1 and -1, or amounts.
    weight : ndarray of shape (n,)
        Positive; the cost of a row is C times this.
    counted : ndarray of bool, shape (n, q)
        Whether a row is part of a column's problem.
    epsilon : float
        Half the width of the tube of "epsilon_insensitive".
    """

    loss: str
    y: np.ndarray
    weight: np.ndarray
    counted: np.ndarray
    epsilon: float = 0.0

    def of(self, rows: np.ndarray) -> "Targets":
        """The targets of some rows."""
        return self._replace(y=self.y[rows], weight=self.weight[rows], counted=self.counted[rows])


class Solution(NamedTuple):
    """The functions f = K dual + intercept of a machine, and how near each is to the best."""

    dual: np.ndarray  # (n, q)
    intercept: np.ndarray  # (q,)
    free: np.ndarray  # (q,) bool: no dual variable at its bound, so any larger C has the same solution


def gap(K: np.ndarray, targets: Targets, solution: Solution, C: float) -> np.ndarray:
    """Relative duality gap of every column: (primal - dual) / primal. Costs one product with the Gram matrix.

    What rounding alone makes counts as none; a gap that leaves the numbers of float64 is infinite.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        primal, dual, size = _values(K, targets, solution, C)
        apart = np.where(primal - dual > 4 * np.finfo(float).eps * size, primal - dual, 0)
        found = apart / np.maximum(primal, np.finfo(float).tiny)
    return np.where(np.isfinite(size), found, np.inf)


def _values(K, targets: Targets, solution: Solution, C: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Primal and dual objective of every column, and the sum of the sizes of their terms."""
    f = K @ solution.dual
    square = 0.5 * np.einsum("ij,ij->j", solution.dual, f)
    cost = C * targets.weight[:, None]
    y, a = targets.y, solution.dual
    f = f + solution.intercept
    if targets.loss in ("hinge", "squared_hinge"):
        slack = np.maximum(0, 1 - y * f)
    elif targets.loss == "squared":
        slack = y - f
    else:
        slack = np.maximum(0, np.abs(y - f) - targets.epsilon)
    squared = targets.loss.startswith("squared")
    paid = np.sum(cost * (slack**2 if squared else slack) * targets.counted, axis=0)
    tube = targets.epsilon if targets.loss == "epsilon_insensitive" else 0.0
    gained = y * a - tube * np.abs(a) - (a**2 / (4 * cost) if squared else 0)
    size = np.sum(np.abs(y * a), axis=0) + np.abs(square) + paid
    if targets.loss in ("squared", "epsilon_insensitive"):  # amounts that b takes away leave their rounding
        size = size + np.sum(cost * (y**2 if squared else np.abs(y)), axis=0)
    return square + paid, np.sum(gained, axis=0) - square, size
