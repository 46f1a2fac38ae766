"""Compiled passes on a quadratic model that is written out: its matrix is as wide as a working set."""

import math

from .._jit import kernel


@kernel
def gram_sparse(indptr, columns, data, h, G):
    # G += A' diag(h) A, the lower triangle.     Given A in CSR.     Cost: the squares of the rows' nonzeros.
    for i in range(h.shape[0]):
        if h[i] != 0.0:
            for p in range(indptr[i], indptr[i + 1]):
                x = h[i] * data[p]
                for t in range(indptr[i], p + 1):
                    G[columns[p], columns[t]] += x * data[t]


@kernel
def gram_codes(codes, size, levels, h, G):
    # The same for codes (n, p): row i has size[i] in column levels * j + codes[i, j] for every j.
    for i in range(codes.shape[0]):
        x = size[i] * size[i] * h[i]
        if x != 0.0:
            for j in range(codes.shape[1]):
                at = levels * j + codes[i, j]
                for t in range(j + 1):
                    G[at, levels * t + codes[i, t]] += x


@kernel
def descend(G, H, starts, size, lone, q, w, eps, n_passes):
    # Block coordinate descent on   1/2 d'Gd + q0'd + sum of size * length(w0 + d),   d the change of w.
    # Given   G symmetric; H at least the largest eigenvalue of each unit's block of G, or its diagonal where diagonal.
    # Keeps   q = q0 + G d; w.
    # Returns the largest miss of the last pass, before its changes.     Cost of a pass: m for each weight that changes.
    worst = 0.0
    for _ in range(n_passes):
        worst = 0.0
        for u in range(starts.shape[0] - 1):
            a, b = starts[u], starts[u + 1]
            old = w[a:b].copy()
            if lone or b - a == 1:
                for p in range(a, b):
                    z = H[p] * w[p] - q[p]
                    w[p] = math.copysign(max(abs(z) - size[u], 0.0), z) / H[p]
            else:
                shrink_group(H[a:b] * old - q[a:b], H[a:b], size[u], w[a:b])
            for p in range(a, b):
                step = w[p] - old[p - a]
                if step != 0.0:
                    worst = max(worst, abs(step) * H[p])
                    for t in range(q.shape[0]):
                        q[t] += step * G[p, t]
        if worst <= eps:
            break
    return worst


@kernel
def shrink_group(z, H, size, out):
    # Minimiser u of   1/2 u'diag(H)u - z'u + size |u|.
    # Its length t solves  sum (z / (H t + size))^2 = 1, decreasing and convex in t: Newton's steps climb to it.
    length = math.sqrt((z * z).sum())
    if length <= size:
        out[:] = 0.0
        return
    t = (length - size) / H.max()
    for _ in range(50):
        total, fall = 0.0, 0.0
        for p in range(z.shape[0]):
            share = z[p] / (H[p] * t + size)
            total += share * share
            fall += share * share * H[p] / (H[p] * t + size)
        step = total * (math.sqrt(total) - 1.0) / fall  # Newton on total^(-1/2) - 1, nearly straight in t
        t += step
        if abs(step) <= 1e-14 * t:
            break
    for p in range(z.shape[0]):
        out[p] = z[p] * t / (H[p] * t + size)
