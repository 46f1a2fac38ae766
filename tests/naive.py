"""Slow, obvious twins: one short function for every fast one, straight from its definition. No cleverness here."""

import numpy as np

# --- features: what the row verbs mean, on a dense matrix


def row_dots(A, i, W):
    """W' a_i by hand."""
    return np.array([sum(A[i, j] * W[j, c] for j in range(A.shape[1])) for c in range(W.shape[1])])


# --- kernels


# --- maps


# --- linear


# --- data


# --- check
