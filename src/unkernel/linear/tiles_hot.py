"""Compiled work on tiles of sixteen rows: packing, comparing, sums of looked-up weights, and adding rows to weights."""

import numpy as np

from .._jit import kernel
from .._lanes import add, differing, load, look, narrow, ones, plane, splat, store, sub, upper

WORD = 64
LANES = 16


@kernel
def mark(codes, used):
    # used[j, c] = 1 for every code c of component j.
    for i in range(codes.shape[0]):
        for j in range(codes.shape[1]):
            used[j, codes[i, j]] = 1


@kernel
def pack(codes, row, n_same, component, first, rank, start, packed):
    # packed[t, p, r]: codes of row `row[16 (start + t) + r]` in blocks 2p (low bits) and 2p + 1 (high bits).
    # Given   n_same, even, how many first blocks are the components themselves, codes as they are;
    #         component, first: what a block codes, ranks first to first + 15; rank of each level of each component.
    for t in range(packed.shape[0]):
        rows, out = row[16 * (start + t) : 16 * (start + t) + 16], packed[t]
        for p in range(n_same // 2):
            for r in range(16):
                out[p, r] = np.uint8(codes[rows[r], 2 * p] | (codes[rows[r], 2 * p + 1] << 4))
        for p in range(n_same // 2, packed.shape[1]):
            j, s = component[2 * p], component[2 * p + 1]
            for r in range(16):
                a, b = rank[j, codes[rows[r], j]] - first[2 * p], rank[s, codes[rows[r], s]] - first[2 * p + 1]
                a = a if 0 <= a < 16 else 15
                b = b if 0 <= b < 16 else 15
                out[p, r] = np.uint8(a | (b << 4))


@kernel
def slice_bits(codes, k, place, start, words, n_planes, planes):
    # Bits of the codes of rows, from row `start` on: sixty-four components a word, sixteen rows side by side.
    # Given   place, where in `codes` each row starts.
    # Keeps   planes[group, word, bit, row of the group], in one line.
    for a in range(start, place.shape[0]):
        for s in range(words):
            first = place[a] + WORD * s
            at = (a // LANES * words + s) * n_planes * LANES + a % LANES
            for b in range(n_planes):
                word = np.uint64(0)
                if WORD * (s + 1) <= k:
                    word = plane(codes, first, b)
                else:
                    for p in range(k - WORD * s):
                        word |= np.uint64((codes[first + p] >> b) & 1) << np.uint64(p)
                planes[at + b * LANES] = word


@kernel
def compare(planes, k, words, n_planes, filled, start, alike):
    # alike[a, b] = equal codes of two rows, wherever a or b is from `start` on; 0 for empty rows.
    # Codes are equal where no bit differs.
    m, size = filled.shape[0], words * n_planes * LANES
    for a in range(m):
        near = alike[a]
        for g in range(0 if a >= start else start // LANES, (m + LANES - 1) // LANES):
            x, y = a // LANES * size + a % LANES, g * size
            equal = splat(np.uint64(k))
            for _ in range(words):
                d = splat(np.uint64(0))
                for _ in range(n_planes):
                    d = differing(d, load(planes, y), splat(planes[x]))
                    x, y = x + LANES, y + LANES
                equal = sub(equal, ones(d))
            store(near, g * LANES, narrow(equal, near))
    for a in range(m):
        if not filled[a]:
            alike[a, :m] = 0
            alike[:m, a] = 0


@kernel
def liken(codes, k, row, size, start, planes, alike):
    # alike[t, r, s] = 255 / k times the equal codes of rows r and s of tile start + t, rounded; 0 where one is empty.
    # Given   planes, zeros, room for the bits of sixteen rows.
    words, equal = (k + WORD - 1) // WORD, np.empty((LANES, LANES), np.uint32)
    n_planes = planes.shape[0] // (words * LANES)
    for t in range(alike.shape[0]):
        first = LANES * (start + t)
        slice_bits(codes, k, row[first : first + LANES] * k, 0, words, n_planes, planes)
        compare(planes, k, words, n_planes, size[first : first + LANES] != 0, 0, equal)
        for r in range(LANES):
            for s in range(LANES):
                alike[t, r, s] = np.uint8(255.0 * equal[r, s] / k + 0.5)


@kernel
def look_up(packed, pairs, t, w):
    # Sixteen sums of the weights that the rows of tile t look up. Four registers, added in a fixed order.
    at = 16 * pairs * t
    a = splat(w.dtype.type(0))
    b, c, d = a, a, a
    for p in range(0, pairs - 1, 2):
        codes = load(packed, at + 16 * p)
        a = add(a, look(load(w, 32 * p), codes))
        b = add(b, look(load(w, 32 * p + 16), upper(codes)))
        codes = load(packed, at + 16 * p + 16)
        c = add(c, look(load(w, 32 * p + 32), codes))
        d = add(d, look(load(w, 32 * p + 48), upper(codes)))
    if pairs % 2:
        codes = load(packed, at + 16 * pairs - 16)
        a = add(a, look(load(w, 32 * pairs - 32), codes))
        b = add(b, look(load(w, 32 * pairs - 16), upper(codes)))
    return add(add(a, b), add(c, d))


@kernel
def add_row(packed, pairs, n_plain, t, r, step, w):
    # w += step at the weights that row r of tile t looks up.
    at = 16 * pairs * t + r
    for p in range(n_plain // 2):
        codes = np.int64(packed[at + 16 * p])
        w[32 * p + (codes & 15)] += step
        w[32 * p + 16 + (codes >> 4)] += step
    for p in range(n_plain // 2, pairs):
        codes = np.int64(packed[at + 16 * p])
        if codes & 15 != 15:
            w[32 * p + (codes & 15)] += step
        if codes >> 4 != 15:
            w[32 * p + 16 + (codes >> 4)] += step


@kernel
def add_rows(tiles, b, w):
    # w += sum of b_i phi_i over all rows.
    packed, pairs, n_plain, size = tiles.packed, tiles.pairs, tiles.n_plain, tiles.size
    for i in range(size.shape[0]):
        if b[i] != 0:
            add_row(packed, pairs, n_plain, i // 16, i % 16, b[i] * size[i], w)
