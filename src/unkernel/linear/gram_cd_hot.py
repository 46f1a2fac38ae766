"""Compiled dual coordinate descent on the few rows still in play: their inner products are held."""

import numpy as np

from .._jit import kernel
from .dual_cd_hot import shuffle
from .losses_hot import best_dual, slack
from .tiles_hot import add_row

RECALL = 10  # passes after which all rows are back in play


@kernel
def descend(alike, unit, bias, y, c, rule, f, b, order, state, eps, part, n_epochs):
    # Dual coordinate descent with shrinking on rows whose likeness is held, as dual_cd_hot.descend.
    # Given   alike, of which the first len(f) rows and columns count; unit, what one equal code gives; part, of
    # the largest violation of the last pass, below which none is worth a step.
    # Keeps   f, predictions; b; order, shuffled; state of the shuffle.
    # Returns (rows visited, largest violation of the last pass).     Cost of a step O(rows).
    m, active, limit, visited, worst, skip = f.shape[0], order.shape[0], np.inf, 0, 0.0, 0.0
    for epoch in range(1, n_epochs + 1):
        shuffle(order, active, state)
        worst, p, size = 0.0, 0, active
        while p < active:
            i = order[p]
            g, old = np.float64(f[i]), np.float64(b[i])
            spare = slack(rule, y[i], c[i], g, old)
            if spare > limit:
                active -= 1
                order[p], order[active] = order[active], i
                continue
            if spare >= 0.0:  # at an end of its range and there to stay
                p += 1
                continue
            norm = unit * alike[i, i] + bias * bias
            new = np.float32(best_dual(rule, y[i], c[i], norm, g, old))
            step = np.float64(new) - old
            violation = abs(step) * norm
            worst = max(worst, violation)
            if step != 0.0 and violation >= skip:
                b[i] = new
                near, by, also = alike[i], step * unit, step * bias * bias
                for j in range(m):
                    f[j] += by * near[j] + also
            p += 1
        visited += size
        limit, skip = worst, part * worst
        if worst <= eps and size == order.shape[0]:
            break
        if worst <= eps or epoch % RECALL == 0:
            active, limit = order.shape[0], np.inf
    return visited, worst


@kernel
def add_steps(tiles, kept, step, bias, w):
    # w += sum of step_a phi over the rows kept[a], the intercept's weight last.
    last = w.shape[0] - 1
    for a in range(kept.shape[0]):
        if step[a] != 0:
            i = kept[a]
            add_row(tiles.packed, tiles.pairs, tiles.n_plain, i // 16, i % 16, step[a] * tiles.size[i], w)
            w[last] += np.float32(step[a] * bias)
