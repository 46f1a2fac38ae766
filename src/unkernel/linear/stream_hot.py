"""Compiled passes of stochastic gradients over features of any form, all columns of weights at once."""

import numpy as np
from numba import types
from numba.extending import overload

from .._jit import kernel
from ..features import Codes, Dense, Sparse, row
from ..features_hot import row_adds, row_dots, row_norm
from .losses import LOGISTIC, MARGIN_SMOOTH
from .losses_hot import best_dual


def _size(F, i):
    """How many entries row i has."""
    return len(row(F, i)[0])


def _entry(F, i, p):
    """Column and value of entry p of row i."""
    columns, values = row(F, i)
    return columns[p], values[p]


_SIZES = {
    Codes: lambda F, i: F.codes.shape[1] if F.filled[i] else 0,
    Sparse: lambda F, i: F.indptr[i + 1] - F.indptr[i],
    Dense: lambda F, i: F.values.shape[1],
}
_ENTRIES = {
    Codes: lambda F, i, p: (p * F.levels + F.codes[i, p], F.value),
    Sparse: lambda F, i, p: (F.indices[F.indptr[i] + p], F.data[F.indptr[i] + p]),
    Dense: lambda F, i, p: (p, F.values[i, p]),
}


@overload(_size, strict=False)
def _pick_size(F, i):
    return _SIZES.get(F.instance_class) if isinstance(F, types.BaseNamedTuple) else None


@overload(_entry, strict=False)
def _pick_entry(F, i, p):
    return _ENTRIES.get(F.instance_class) if isinstance(F, types.BaseNamedTuple) else None


@kernel
def _push(kind, margin):
    # Minus the derivative of the loss in the margin y f.
    if kind == LOGISTIC:
        return 1.0 / (1.0 + np.exp(margin)) if margin < 700.0 else 0.0
    if margin >= 1.0:
        return 0.0
    return 2.0 * (1.0 - margin) if kind == MARGIN_SMOOTH else 1.0


@kernel
def descend(F, y, positive, cost, rule, implicit, bias, alpha, late, clock, U, A, f, h, order):
    # Steps of 1 / (alpha t) on  alpha/2 |w|^2 + mean_i c_i loss(y_i, <w, phi_i> + bias v), one per row of `order`.
    # With these steps every earlier gradient has shrunk alike: w = U / (alpha t) with U their plain sum, so a row costs
    # one gather and at most one scatter. The mean of w with weights t is (s U - A) / (alpha sum of t) after s steps.
    # Implicit steps take the slope where the step ends: the row's dual variable, which no cost or length can overshoot.
    # Given   y classes; positive, the class of each column; late, what t starts from (0: Pegasos).
    # Keeps   U and A (columns of F and the intercept's last, q) in place; clock = [steps, sum of t]; f, h (q) scratch.
    # Shalev-Shwartz et al., ICML 2007; Kulis and Bartlett, ICML 2010; Lacoste-Julien, Schmidt and Bach, 2012.
    last, q = U.shape[0] - 1, U.shape[1]
    for i in order:
        t, before = late + clock[0] + 1.0, clock[0]
        seen = t if implicit else max(t - 1.0, 1.0)
        reach = (row_norm(F, i) + bias * bias) / (alpha * t)
        row_dots(F, i, U, f)
        used = False
        for j in range(q):
            sign = 1.0 if y[i] == positive[j] else -1.0
            found = (f[j] + bias * U[last, j]) / (alpha * seen)
            if implicit:
                h[j] = best_dual(rule, sign, cost[i], reach, found, 0.0)
            else:
                h[j] = cost[i] * sign * _push(rule.kind, sign * found)
            used = used or h[j] != 0.0
        if used:
            row_adds(F, i, h, U)
            for j in range(q):
                U[last, j] += bias * h[j]
                h[j] *= before
            row_adds(F, i, h, A)
            for j in range(q):
                A[last, j] += bias * h[j]
        clock[0] += 1.0
        clock[1] += t


@kernel
def descend_adagrad(F, y, positive, cost, rule, bias, alpha, rate, clock, U, G, f, h, order):
    # Regularised dual averaging with a step of its own for each weight:
    #     w_t = U / (alpha t + sqrt(G) / rate),  U the sum of gradients (with their sign turned), G of their squares.
    # Given and kept as in `descend`, G in the place of A; clock[0] counts the steps.     Cost O(nnz) divisions a row.
    # Duchi, Hazan and Singer, JMLR 2011, equation 3 with l2 as regulariser.
    last, q = U.shape[0] - 1, U.shape[1]
    for i in order:
        t, n = clock[0] + 1.0, _size(F, i)
        for c in range(q):
            f[c] = bias * U[last, c] / (alpha * t + np.sqrt(G[last, c]) / rate)
        for p in range(n):
            j, x = _entry(F, i, p)
            for c in range(q):
                f[c] += x * U[j, c] / (alpha * t + np.sqrt(G[j, c]) / rate)
        used = False
        for c in range(q):
            sign = 1.0 if y[i] == positive[c] else -1.0
            h[c] = cost[i] * sign * _push(rule.kind, sign * f[c])
            used = used or h[c] != 0.0
        if used:
            for p in range(n):
                j, x = _entry(F, i, p)
                for c in range(q):
                    g = x * h[c]
                    U[j, c] += g
                    G[j, c] += g * g
            for c in range(q):
                U[last, c] += bias * h[c]
                G[last, c] += bias * h[c] * bias * h[c]
        clock[0] += 1.0
