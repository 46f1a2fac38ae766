"""Compiled dual coordinate descent on one column of weights, for any form of features and any loss."""

import numpy as np

from .._jit import kernel
from ..features_hot import row_add, row_dot
from .losses_hot import best_dual, slack


@kernel
def shuffle(order, size, state):
    # Fisher-Yates on order[:size] with xorshift64; state is one uint64, kept.
    s = state[0]
    for p in range(size - 1, 0, -1):
        s ^= s << np.uint64(13)
        s ^= s >> np.uint64(7)
        s ^= s << np.uint64(17)
        r = np.int64((s >> np.uint64(11)) % np.uint64(p + 1))
        order[p], order[r] = order[r], order[p]
    state[0] = s


@kernel
def descend(F, y, c, norm, rule, bias, w, b, order, state, eps, n_epochs):
    # Dual coordinate descent with shrinking:
    #     max over b   -1/2 |sum_i b_i phi_i|^2 - sum_i c_i conjugate(b_i / c_i)
    # Given   F features; y targets; c costs, all positive on the rows in `order`; norm, |phi_i|^2 with the bias.
    # Keeps   w = sum_i b_i phi_i with the intercept's weight last; b; order, shuffled; state of the shuffle.
    # Stops   when no step over all rows would move a prediction by more than eps, or after n_epochs passes.
    # Returns (rows visited, largest violation of the last pass).     Cost of a pass O(nonzeros of the active rows).
    # Hsieh et al., ICML 2008, algorithm 3.
    n, last = order.shape[0], w.shape[0] - 1
    active, limit, visited, worst = n, np.inf, 0, 0.0
    for _ in range(n_epochs):
        shuffle(order, active, state)
        worst, p, size = 0.0, 0, active
        while p < active:
            i = order[p]
            f = np.float64(row_dot(F, i, w)) + bias * w[last]
            if slack(rule, y[i], c[i], f, b[i]) > limit:
                active -= 1
                order[p], order[active] = order[active], i
                continue
            step = best_dual(rule, y[i], c[i], norm[i], f, b[i]) - b[i]
            if step != 0.0:
                worst = max(worst, abs(step) * norm[i])
                b[i] += step
                row_add(F, i, step, w)
                w[last] += step * bias
            p += 1
        visited += size
        limit = worst
        if worst <= eps:
            if size == n:
                break
            active, limit = n, np.inf
    return visited, worst
