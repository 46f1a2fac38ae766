"""Compiled passes over units of weights: block coordinate descent on a quadratic model of the losses."""

import math

import numpy as np

from .._jit import kernel
from .column_hot import unit_add, unit_bend, unit_dot
from .quadratic_hot import shrink_group

POWERS = 12  # products from which the largest curvature of a group is estimated
MARGIN = 1.1  # and how much is put on top, since that estimate comes from below


@kernel
def gradient(F, penalty, r, g):
    # g = Phi' r, unit by unit.     Cost O(nonzeros).
    for u in range(penalty.size.shape[0]):
        unit = penalty.columns[penalty.starts[u] : penalty.starts[u + 1]]
        out = np.empty(unit.shape[0])
        unit_dot(F, unit, r, out)
        for p in range(unit.shape[0]):
            g[unit[p]] = out[p]


@kernel
def product(F, penalty, units, w, ones, f):
    # f += Phi w over some units, those without weights passed over.     Given ones, a vector of them.
    for u in units:
        unit = penalty.columns[penalty.starts[u] : penalty.starts[u + 1]]
        a = w[unit]
        if a.any():
            unit_add(F, unit, a, ones, f)


@kernel
def misses(F, penalty, units, r, w, out):
    # How far each of some units is from its optimality condition, in units of a gradient.
    # Given   r with g = Phi' r the gradient of the losses.
    for k in range(units.shape[0]):
        u = units[k]
        unit = penalty.columns[penalty.starts[u] : penalty.starts[u + 1]]
        g = np.empty(unit.shape[0])
        unit_dot(F, unit, r, g)
        out[k] = miss(penalty.lone, penalty.size[u], g, w[unit])


@kernel
def miss(lone, size, g, w):
    # Distance of -g from the subgradients of the penalty of one unit at w.
    worst, total, length = 0.0, 0.0, 0.0
    for p in range(w.shape[0]):
        length += w[p] * w[p]
    length = math.sqrt(length)
    for p in range(w.shape[0]):
        if lone:
            off = abs(g[p] + math.copysign(size, w[p])) if w[p] != 0.0 else max(0.0, abs(g[p]) - size)
            worst = max(worst, off)
        else:
            off = g[p] + (size * w[p] / length if length > 0.0 else 0.0)
            total += off * off
    if lone:
        return worst
    return math.sqrt(total) if length > 0.0 else max(0.0, math.sqrt(total) - size)


@kernel
def bends(F, penalty, units, h, floor, H, steep):
    # Curvature of the model along each weight of some units into H, and of a whole group into `steep`.
    # Codes need no `steep`: within a component their curvature is diagonal. `floor` keeps flat directions from 0.
    for k in range(units.shape[0]):
        u = units[k]
        unit = penalty.columns[penalty.starts[u] : penalty.starts[u + 1]]
        out = np.empty(unit.shape[0])
        unit_bend(F, unit, h, out)
        for p in range(unit.shape[0]):
            H[unit[p]] = max(out[p], floor)
        if steep.shape[0] and unit.shape[0] > 1:
            steep[u] = max(_largest(F, unit, h, out), floor)
        elif steep.shape[0]:
            steep[u] = max(out[0], floor)


@kernel
def _largest(F, unit, h, diagonal):
    # Largest eigenvalue of Phi_u' diag(h) Phi_u by powers, with a margin; at most the trace.
    v, out = np.sqrt(diagonal + 1e-300), np.empty(unit.shape[0])
    found, trace = 0.0, diagonal.sum()
    for _ in range(POWERS):
        v /= math.sqrt((v * v).sum())
        r = np.zeros(h.shape[0])
        unit_add(F, unit, v, h, r)
        unit_dot(F, unit, r, out)
        found = math.sqrt((out * out).sum())
        if found == 0.0:
            break
        v[:] = out
    return min(MARGIN * found, trace)


@kernel
def passes(F, penalty, units, h, H, steep, bias, bent, r, w, v, eps, n_passes):
    # Block coordinate descent on   s'd + 1/2 d'diag(h)d + penalty(w),   d the change of the predictions.
    # Given   r = s at the start; bias, the intercept's feature, and `bent`, the curvature along its weight.
    # Keeps   r = s + h d; w; v, the intercept's weight (one number).
    # Stops   when no unit misses its condition by more than eps before it is changed, or after n_passes.
    # Returns (passes made, largest miss of the last pass).     Cost of a pass: the nonzeros of the units.
    worst, made = 0.0, 0
    for _ in range(n_passes):
        worst, made = 0.0, made + 1
        for u in units:
            unit = penalty.columns[penalty.starts[u] : penalty.starts[u + 1]]
            g, old = np.empty(unit.shape[0]), w[unit]
            unit_dot(F, unit, r, g)
            off = miss(penalty.lone, penalty.size[u], g, old)
            if off == 0.0:
                continue
            worst = max(worst, off)
            step = g
            if penalty.lone:
                for p in range(unit.shape[0]):
                    at = H[unit[p]]
                    step[p] = _shrunk(at * old[p] - g[p], penalty.size[u]) / at
            elif steep.shape[0]:
                at = steep[u]
                shrink_group(at * old - g, np.full(unit.shape[0], at), penalty.size[u], step)
            else:
                shrink_group(H[unit] * old - g, H[unit], penalty.size[u], step)
            for p in range(unit.shape[0]):
                w[unit[p]] = step[p]
                step[p] -= old[p]
            unit_add(F, unit, step, h, r)
        if bias != 0.0:
            g0 = bias * r.sum()
            new = _shrunk(bent * v[0] - g0, penalty.intercept) / bent
            if new != v[0]:
                worst = max(worst, abs(new - v[0]) * bent)
                r += h * (bias * (new - v[0]))
                v[0] = new
        if worst <= eps:
            break
    return made, worst


@kernel
def _shrunk(z, size):
    # z moved towards 0 by `size`.
    return math.copysign(max(abs(z) - size, 0.0), z)
