"""Compiled distances of unit rows and others: one pass over a block instead of six."""

from .._jit import kernel


@kernel
def half_squares(S, u, v, factor):
    # S[i, j] becomes factor * max(u[i] - S[i, j] + v[j], 0): of products S and half squares u, v.
    for i in range(S.shape[0]):
        row, own = S[i], u[i]
        for j in range(row.shape[0]):
            row[j] = max(own - row[j] + v[j], 0) * factor
