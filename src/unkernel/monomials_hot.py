"""Compiled: the monomials of one row, each had from a shorter one by one multiplication."""

import numpy as np

from ._jit import kernel
from ._lanes import LANES, add, load, mul, splat, store


@kernel
def write_row(z, columns, a, b, scale, weights, first, offset, place, prefix, data, out, q, limit):
    # Monomials of the nonzeros z[a:b], in columns[a:b]:
    #     scale * weights[0, k] * prod z_i^m_i / sqrt(m_i!)   for every multiset of size k, weights[0, k] not zero,
    # in order of degree k, then lexicographic, which is the order of their columns:
    #     first[k] - sum over t < k of offset[k - t + 1, j_t]  +  j_k   for members j_1 <= ... <= j_k.
    # Given   weights[1, m] = 1 / sqrt(m); place (degree, 3) int64 and prefix (degree,), for scratch: the position, run
    #         length and column of each prefix of k - 2 members, and its value.
    # Writes  data and out from q on, and what it likes after them up to limit.   Returns the position after them.
    # Cost    one multiplication each; the last member runs through registers.
    if weights[0, 0] != 0:
        data[q] = scale * weights[0, 0]
        out[q] = first[0]
        q += 1
    for k in range(1, weights.shape[1]):
        if weights[0, k] == 0 or a == b:
            continue
        if k == 1:
            q = _write_line(z, columns, a, b, z.dtype.type(scale * weights[0, 1]), first[1], data, out, q, limit)
            continue
        depth, level = k - 2, 0
        place[0, 0] = a
        while level >= 0:
            for m in range(level, depth):
                p = place[m, 0]
                same = m > 0 and p == place[m - 1, 0]
                place[m, 1] = place[m - 1, 1] + 1 if same else 1
                place[m, 2] = (place[m - 1, 2] if m else first[k]) - offset[k - m, columns[p]]
                prefix[m] = (prefix[m - 1] if m else scale * weights[0, k]) * z[p] * weights[1, place[m, 1]]
                place[m + 1, 0] = p
            begin, run, at, value = a, 0, first[k], scale * weights[0, k]
            if depth:
                begin, run, at, value = place[depth - 1, 0], place[depth - 1, 1], place[depth - 1, 2], prefix[depth - 1]
            for p in range(begin, b):
                v, here = value * z[p] * weights[1, run + 1], at - offset[2, columns[p]]
                data[q] = v * z[p] * weights[1, run + 2]
                out[q] = here + columns[p]
                q = _write_line(z, columns, p + 1, b, z.dtype.type(v), here, data, out, q + 1, limit)
                run = 0
            level = depth - 1
            while level >= 0 and place[level, 0] == b - 1:
                level -= 1
            if level >= 0:
                place[level, 0] += 1
    return q


@kernel
def _write_line(z, columns, c, b, v, at, data, out, q, limit):
    # data[q:] = v z[c:b] and out[q:] = at + columns[c:b]. Returns the position after them.
    while c < b:
        if q + LANES <= limit and c + LANES <= z.shape[0]:
            store(data, q, mul(load(z, c), splat(v)))
            store(out, q, add(load(columns, c), splat(out.dtype.type(at))))
            m = min(b - c, LANES)
        else:
            data[q] = v * z[c]
            out[q] = at + columns[c]
            m = 1
        c, q = c + m, q + m
    return q


@kernel
def expand(F, i):
    # Columns and values of row i of `Monomials`, in arrays of their own.
    s, n = F.indptr[i + 1] - F.indptr[i], 0
    for k in range(F.terms.shape[1]):
        if F.terms[0, k] != 0:
            size = 1
            for m in range(k):
                size = size * (s + m) // (m + 1)
            n += size
    data, columns = np.empty(n, F.z.dtype), np.empty(n, F.columns.dtype)
    place, prefix = np.empty((F.terms.shape[1] + 1, 3), np.int64), np.empty(F.terms.shape[1])
    begin, end = F.indptr[i], F.indptr[i + 1]
    write_row(F.z, F.columns, begin, end, F.scale[i], F.terms, F.first, F.offset, place, prefix, data, columns, 0, n)
    return columns, data
