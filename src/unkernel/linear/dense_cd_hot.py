"""Compiled dual coordinate descent on dense rows, several columns of weights at each visit of a row."""

import numpy as np

from .._jit import kernel
from ..features_hot import row_add, row_dot
from .dual_cd_hot import shuffle
from .losses_hot import best_dual, pays, slack


@kernel
def descend(F, y, c, norm, rule, bias, W, b, active, order, state, n_epochs):
    # Dual coordinate descent with shrinking, as dual_cd_hot.descend, by columns j at once: a row is read once for all.
    # Given   y, c: (n, q); W: (q, columns of F + 1), the intercept's weight last; b, active: (n, q).
    # Keeps   W, b, active, order (of all rows: what a column sees does not depend on the others) and state.
    # Returns (rows visited by each column, largest violation of each in the last pass).
    n, q = b.shape
    last = W.shape[1] - 1
    visited, worst, limit = np.zeros(q, np.int64), np.zeros(q), np.full(q, np.inf)
    for _ in range(n_epochs):
        shuffle(order, n, state)
        worst[:] = 0.0
        for i in order:
            for j in range(q):
                if not active[i, j]:
                    continue
                w = W[j]
                visited[j] += 1
                f = np.float64(row_dot(F, i, w)) + bias * w[last]
                spare = slack(rule, y[i, j], c[i, j], f, b[i, j])
                if spare >= 0.0:  # at an end of its range and there to stay
                    active[i, j] = spare <= limit[j]
                    continue
                step = best_dual(rule, y[i, j], c[i, j], norm[i], f, b[i, j]) - b[i, j]
                if step != 0.0:
                    worst[j] = max(worst[j], abs(step) * norm[i])
                    b[i, j] += step
                    row_add(F, i, w.dtype.type(step), w)
                    w[last] += w.dtype.type(step * bias)
        limit[:] = worst
    return visited, worst


@kernel
def look_over(y, c, norm, rule, f, b, worst, active):
    # All rows shrunk anew, and the sums of each column's certificate.
    # Given   f, predictions (n, q); worst, violations beyond which a row that wants to stay is left out.
    # Returns (sum of c loss, sum of c conjugate, sum of b f) by column.
    n, q = b.shape
    sums = np.zeros((3, q))
    for i in range(n):
        for j in range(q):
            active[i, j] = c[i, j] > 0.0
            if active[i, j]:
                g, d = np.float64(f[i, j]), b[i, j]
                loss, conjugate = pays(rule, y[i, j], g, d / c[i, j])
                sums[0, j] += c[i, j] * loss
                sums[1, j] += c[i, j] * conjugate
                sums[2, j] += d * g
                active[i, j] = not slack(rule, y[i, j], c[i, j], g, d) > worst[j]
    return sums
