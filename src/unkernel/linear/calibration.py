"""Probabilities from decision values: one sigmoid per class, fitted on values of rows that were left out.

References
----------
Lin, Lin and Weng, "A note on Platt's probabilistic outputs for support vector machines", Machine Learning 2007.
"""

import numpy as np


def sigmoid_of(decided: np.ndarray, positive: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """(a, b) that make 1 / (1 + exp(-(a f + b))) most likely, with Platt's targets instead of 0 and 1.

    Rows whose value is NaN are left aside: no fold left them out.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = sigmoid_of(np.linspace(-2, 2, 101), np.linspace(-2, 2, 101) > 0.5, np.ones(101))
    >>> bool(a > 0 and -1 < (-b / a) - 0.5 < 1)
    True
    """
    from scipy.optimize import minimize

    known = np.isfinite(decided) & (weight > 0)
    f, weight, positive = decided[known].astype(np.float64), weight[known], positive[known]
    more, less = weight[positive].sum(), weight[~positive].sum()
    target = np.where(positive, (more + 1) / (more + 2), 1 / (less + 2))
    scale = np.sqrt(np.average(f * f, weights=weight)) or 1.0

    def cost(ab):
        z = ab[0] * f / scale + ab[1]
        p = np.exp(-np.logaddexp(0, -z))
        off = weight * (p - target)
        value = weight @ (np.logaddexp(0, z) - target * z)
        return value / weight.sum(), np.array([off @ f / scale, off.sum()]) / weight.sum()

    start = np.array([1.0, np.log((more + 1) / (less + 1))])
    a, b = minimize(cost, start, jac=True, method="BFGS", options={"gtol": 1e-7}).x
    return float(a / scale), float(b)


def calibrate(decided: np.ndarray, index: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """A row (a, b) of `sigmoid_of` for each column of decision values; `index` is the class of every row."""
    classes = np.arange(decided.shape[1]) if decided.shape[1] > 1 else [1]
    return np.array([sigmoid_of(f, index == c, weight) for f, c in zip(decided.T, classes, strict=True)])
