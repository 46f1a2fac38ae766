"""Compiled sums of a certificate over some rows, which also chooses the rows that stay in play."""

from .._jit import kernel
from .losses_hot import pays, slack


@kernel
def look_over(rule, y, c, f, b, limit, active):
    # Given   predictions f and dual variables b; limit, the largest violation that a row may have and stay left out.
    # Writes  active: rows that have a cost and may want to move.
    # Returns (sum of c loss, sum of c conjugate, sum of b f).
    lost, paid, met = 0.0, 0.0, 0.0
    for i in range(y.shape[0]):
        active[i] = c[i] > 0.0
        if active[i]:
            loss, conjugate = pays(rule, y[i], f[i], b[i] / c[i])
            lost += c[i] * loss
            paid += c[i] * conjugate
            met += b[i] * f[i]
            active[i] = not slack(rule, y[i], c[i], f[i], b[i]) > limit
    return lost, paid, met
