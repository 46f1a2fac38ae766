"""One row's part of a loss inside compiled loops: its best dual variable, and how far it is from wanting a change."""

import math

from .._jit import kernel
from .losses import LOGISTIC, MARGIN_SMOOTH, MARGIN_STRAIGHT, RESIDUAL_SMOOTH


@kernel
def best_dual(rule, y, c, q, f, b):
    # Dual variable of one row, all others fixed:
    #     max over t  of  -1/2 q (t - b)^2 - (t - b) f - c * conjugate(t / c)
    # Given   y the target; c > 0 the cost; q = |phi|^2; f the prediction at the present b.
    # Returns t.     Hsieh et al., ICML 2008, for the family of squares; a bracketed Newton step for the logistic loss.
    if rule.kind == LOGISTIC:
        return y * _best_logistic(c, q, y * f, y * b)
    smooth = rule.kind == MARGIN_SMOOTH or rule.kind == RESIDUAL_SMOOTH
    ridge = 0.5 / c if smooth else 0.0
    most = 2.0 * rule.width * c if smooth else c
    h = max(q + ridge, 1e-150)  # a row without features goes to the end of its range
    if rule.kind <= MARGIN_STRAIGHT:
        a = y * b
        return y * min(max(a - (y * f - 1.0 + ridge * a) / h, 0.0), most)
    z = b - (f - y + ridge * b) / h
    flat = rule.epsilon / h
    t = z - flat if z > flat else z + flat if z < -flat else 0.0
    return min(max(t, -most), most)


@kernel
def _best_logistic(c, q, m, a):
    # Root in u of u + q (c s(u) - a) + m with s(u) = 1 / (1 + exp(-u)): increasing, so bracketed by s in (0, 1).
    high = q * a - m
    low = high - q * c
    u = min(max(math.log((a + 1e-300) / (c - a + 1e-300)), low), high)
    for _ in range(50):
        s = 1.0 / (1.0 + math.exp(-u)) if u > -700.0 else 0.0
        g = u + q * (c * s - a) + m
        if g > 0.0:
            high = u
        else:
            low = u
        step = g / (1.0 + q * c * s * (1.0 - s))
        if abs(step) <= 1e-14 * (1.0 + abs(u)):
            break
        u = u - step if low < u - step < high else 0.5 * (low + high)
    return c / (1.0 + math.exp(-u)) if u > -700.0 else 0.0


@kernel
def slack(rule, y, c, f, b):
    # By how much a row at an end of its range (or at zero) may change its prediction before its dual variable wants
    # to move; negative when it is not at such a place. Rows with slack beyond the largest violation are shrunk.
    if rule.kind == LOGISTIC:
        return -1.0
    smooth = rule.kind == MARGIN_SMOOTH or rule.kind == RESIDUAL_SMOOTH
    most = 2.0 * rule.width * c if smooth else c
    ridge = 0.5 / c if smooth else 0.0
    if rule.kind <= MARGIN_STRAIGHT:
        a = y * b
        g = y * f - 1.0 + ridge * a
        return g if a == 0.0 else -g if a >= most else -1.0
    g = f - y + ridge * b
    if b == 0.0:
        return rule.epsilon - abs(g)
    if abs(b) >= most:
        return -(g * math.copysign(1.0, b) + rule.epsilon)
    return -1.0


@kernel
def pays(rule, y, f, b):
    # The loss per unit of cost at prediction f, and the conjugate per unit of cost at dual variable b (an allowed one).
    if rule.kind == LOGISTIC:
        a, z = min(max(y * b, 0.0), 1.0), -y * f
        loss = max(z, 0.0) + math.log1p(math.exp(-abs(z)))
        return loss, (a * math.log(a) if a > 0.0 else 0.0) + ((1.0 - a) * math.log(1.0 - a) if a < 1.0 else 0.0)
    margin = rule.kind <= MARGIN_STRAIGHT
    smooth = rule.kind == MARGIN_SMOOTH or rule.kind == RESIDUAL_SMOOTH
    e = max(1.0 - y * f if margin else abs(y - f) - rule.epsilon, 0.0)
    near = min(e, rule.width)
    loss = near * near + (2.0 * rule.width * (e - near) if e > near else 0.0) if smooth else e
    top = 2.0 * rule.width if smooth else 1.0
    a = min(max(y * b, 0.0), top) if margin else min(abs(b), top)
    pay = 0.25 * a * a if smooth else 0.0
    return loss, pay - a if margin else pay - math.copysign(a, b) * y + rule.epsilon * a
