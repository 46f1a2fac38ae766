"""Compiled dual coordinate descent on tiles: sixteen predictions for the price of one, steps four at a time."""

import numpy as np

from .._jit import kernel
from .._lanes import add, load, mul, splat, store
from .dual_cd_hot import shuffle
from .losses_hot import best_dual, pays, slack
from .tiles_hot import add_row, look_up

FEWEST = 4  # rows that a visit takes at least, while its tile has them


@kernel
def plan(active, seats, most, state, visits):
    # Visits that take each active row once, up to `most` rows of one tile at a time, those in random company.
    # A visit is tile * 2^24 + order of seats * 2^16 + a bit for each row taken.     Returns the number of visits.
    turn, n = np.int64(state[0] >> np.uint64(40)), 0
    for t in range(active.shape[0] // 16):
        order = (turn + 167 * t) & 255
        taken, held = 0, 0
        for p in range(16):
            r = seats[order, p]
            if active[16 * t + r]:
                held |= 1 << r
                taken += 1
            if taken == most or (p == 15 and taken):
                visits[n] = t << 24 | order << 16 | held
                n, taken, held = n + 1, 0, 0
    return n


@kernel
def descend(tiles, y, c, rule, bias, w, b, active, seats, visits, state, part, skip, n_epochs):
    # Dual coordinate descent with shrinking, as dual_cd_hot.descend, on rows in tiles.
    # A visit takes a few rows of a tile: where most step, random company converges like single rows in random order,
    # and far better than whole tiles. Within a visit predictions follow the steps by the likeness of its rows.
    # Given   seats and visits, as for and from `plan`; skip, the violation that is too small for a step in the
    # first pass; part, that of the largest one of the last pass which is too small later.
    # Keeps   w, b, active (by row), visits and state.
    # Returns (rows visited, steps taken, largest violation of the last pass).
    packed, pairs, alike, size, n_plain = tiles.packed, tiles.pairs, tiles.alike, tiles.size, tiles.n_plain
    f, last, share = np.zeros(16, np.float32), w.shape[0] - 1, tiles.top / 255.0
    limit, visited, steps, worst = np.inf, 0, 0, 0.0
    for _ in range(n_epochs):
        shuffle(visits, visits.shape[0], state)
        worst = 0.0
        for visit in visits:
            t, order = visit >> 24, visit >> 16 & 255
            offset = splat(np.float32(bias * w[last]))
            store(f, 0, add(mul(look_up(packed, pairs, t, w), load(size, 16 * t)), offset))
            for p in range(16):
                r = seats[order, p]
                i = 16 * t + r
                if not (visit >> r & 1 and active[i]):
                    continue
                visited += 1
                norm = (tiles.top if size[i] != 0 else 0.0) + bias * bias
                g, old = np.float64(f[r]), np.float64(b[i])
                spare = slack(rule, y[i], c[i], g, old)
                if spare >= 0.0:  # at an end of its range and there to stay
                    active[i] = spare <= limit
                    continue
                new = np.float32(best_dual(rule, y[i], c[i], norm, g, old))
                step = np.float64(new) - old
                violation = abs(step) * norm
                worst = max(worst, violation)
                if step != 0.0 and violation >= skip:
                    b[i] = new
                    steps += 1
                    for at in range(16):
                        f[at] += np.float32(step * (share * alike[t, r, at] + bias * bias))
                    add_row(packed, pairs, n_plain, t, r, np.float32(step) * size[i], w)
                    w[last] += np.float32(step * bias)
        limit, skip = worst, part * worst
    return visited, steps, worst


@kernel
def look_over(tiles, y, c, rule, bias, w, b, decided, spare):
    # All predictions into `decided`; into `spare` the slack of rows that stay, and less than zero, by how much the
    # prediction wants to move, for those that do not (inf for rows without cost); and the sums of a certificate.
    # Returns (sum of c loss, sum of c conjugate, sum of b f).
    packed, pairs, size = tiles.packed, tiles.pairs, tiles.size
    lost, paid, met = 0.0, 0.0, 0.0
    offset = splat(np.float32(bias * w[w.shape[0] - 1]))
    for t in range(size.shape[0] // 16):
        store(decided, 16 * t, add(mul(look_up(packed, pairs, t, w), load(size, 16 * t)), offset))
        for i in range(16 * t, 16 * t + 16):
            spare[i] = np.inf
            if c[i] > 0.0:
                g, d = np.float64(decided[i]), np.float64(b[i])
                loss, conjugate = pays(rule, y[i], g, d / c[i])
                lost += c[i] * loss
                paid += c[i] * conjugate
                met += d * g
                free = slack(rule, y[i], c[i], g, d)
                if free < 0.0:
                    norm = (tiles.top if size[i] != 0 else 0.0) + bias * bias
                    free = -abs(best_dual(rule, y[i], c[i], norm, g, d) - d) * norm
                spare[i] = free
    return lost, paid, met
