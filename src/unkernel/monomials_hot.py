"""Compiled: the monomials of one row, each had from a shorter one by one multiplication."""

import numpy as np

from ._jit import kernel


@kernel
def write_row(z, columns, a, b, scale, weights, first, offset, place, prefix, data, out, q):
    # Monomials of the nonzeros z[a:b], in columns[a:b]:
    #     scale * weights[0, k] * prod z_i^m_i / sqrt(m_i!)   for every multiset of size k, weights[0, k] not zero,
    # in order of degree k, then lexicographic, which is the order of their columns:
    #     first[k] - sum over t < k of offset[k - t + 1, j_t]  +  j_k   for members j_1 <= ... <= j_k.
    # Given   weights[1, m] = 1 / sqrt(m); place (degree, 3) int64 and prefix (degree,), for scratch: the position, run
    #         length and column of each prefix, and its value.
    # Writes  data and out from q on.   Returns the position after them.   Cost: one multiplication each.
    if weights[0, 0] != 0:
        data[q] = scale * weights[0, 0]
        out[q] = first[0]
        q += 1
    for k in range(1, weights.shape[1]):
        if weights[0, k] == 0 or a == b:
            continue
        top = k - 2
        if top < 0:
            for p in range(a, b):
                data[q] = scale * weights[0, 1] * z[p]
                out[q] = first[1] + columns[p]
                q += 1
            continue
        place[0, 0], level = a, 0
        while level >= 0:
            for m in range(level, top + 1):
                p = place[m, 0]
                if m == 0:
                    place[0, 1] = 1
                    place[0, 2] = first[k] - offset[k, columns[p]]
                    prefix[0] = scale * weights[0, k] * z[p]
                else:
                    place[m, 1] = place[m - 1, 1] + 1 if p == place[m - 1, 0] else 1
                    place[m, 2] = place[m - 1, 2] - offset[k - m, columns[p]]
                    prefix[m] = prefix[m - 1] * z[p] * weights[1, place[m, 1]]
                if m < top:
                    place[m + 1, 0] = p
            p, v, at = place[top, 0], z.dtype.type(prefix[top]), place[top, 2]
            data[q] = v * z[p] * weights[1, place[top, 1] + 1]
            out[q] = at + columns[p]
            q += 1
            for c in range(p + 1, b):
                data[q] = v * z[c]
                out[q] = at + columns[c]
                q += 1
            level = top
            while level >= 0 and place[level, 0] == b - 1:
                level -= 1
            if level >= 0:
                place[level, 0] += 1
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
    place, prefix = np.empty((F.terms.shape[1], 3), np.int64), np.empty(F.terms.shape[1])
    begin, end = F.indptr[i], F.indptr[i + 1]
    write_row(
        F.z, F.columns, begin, end, F.scale[i], F.terms, F.first, F.offset, place, prefix, data, columns, np.int64(0)
    )
    return columns, data
