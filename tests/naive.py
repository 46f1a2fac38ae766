"""Slow, obvious twins: one short function for every fast one, straight from its definition. No cleverness here."""

import numpy as np

# --- features: what the row verbs mean, on a dense matrix


def row_dots(A, i, W):
    """W' a_i by hand."""
    return np.array([sum(A[i, j] * W[j, c] for j in range(A.shape[1])) for c in range(W.shape[1])])


# --- kernels


# --- maps


# --- linear


def linear_objective(name, A, y, c, bias, w, epsilon=0.1, width=1.35):
    """1/2 |w|^2 + sum of costs times losses, row by row; the last weight is the intercept's."""
    total = 0.5 * float(w @ w)
    for a, t, cost in zip(A, y, c, strict=True):
        f = a @ w[:-1] + bias * w[-1]
        e = abs(t - f) if name in ("squared", "huber") else abs(t - f) - epsilon if "epsilon" in name else 1 - t * f
        if name == "logistic":
            total += cost * np.logaddexp(0, -t * f)
        elif name == "huber" and e > width:
            total += cost * width * (2 * e - width)
        else:
            total += cost * max(0.0, e) ** (1 if name in ("hinge", "epsilon_insensitive") else 2)
    return total


# --- data


# --- check
