"""Compiled work on tiles of sixteen rows: packing, likeness, sums of looked-up weights, and adding rows to weights."""

import numpy as np

from .._jit import kernel
from .._lanes import add, load, look, same, splat, store, upper


@kernel
def mark(codes, used):
    # used[j, c] = 1 for every code c of component j.
    for i in range(codes.shape[0]):
        for j in range(codes.shape[1]):
            used[j, codes[i, j]] = 1


@kernel
def pack(codes, row, component, first, rank, start, packed):
    # packed[t, p, r]: codes of row `row[16 (start + t) + r]` in blocks 2p (low bits) and 2p + 1 (high bits).
    # Given   component, first: what a block codes, ranks first to first + 15; rank of each level of each component.
    for t in range(packed.shape[0]):
        for r in range(16):
            x = codes[row[16 * (start + t) + r]]
            for p in range(packed.shape[1]):
                a = rank[component[2 * p], x[component[2 * p]]] - first[2 * p]
                b = rank[component[2 * p + 1], x[component[2 * p + 1]]] - first[2 * p + 1]
                a = a if 0 <= a < 16 else 15
                b = b if 0 <= b < 16 else 15
                packed[t, p, r] = np.uint8(a | (b << 4))


@kernel
def liken(codes, row, size, start, alike):
    # alike[t, r, s] = 255 / k times the equal codes of rows r and s of tile t, rounded; 0 where one of them is empty.
    k = codes.shape[1]
    whole = k - k % 16
    held = np.zeros(16, codes.dtype)
    for t in range(alike.shape[0]):
        for r in range(16):
            i = 16 * (start + t) + r
            x = codes[row[i]]
            for s in range(r + 1):
                j = 16 * (start + t) + s
                y = codes[row[j]]
                equal = 0
                for first in range(0, whole, 240 * 16):  # lanes of a byte hold 255
                    sums = splat(x.dtype.type(0))
                    for p in range(first, min(first + 240 * 16, whole), 16):
                        sums = add(sums, same(load(x, p), load(y, p)))
                    store(held, 0, sums)
                    for p in range(16):
                        equal += np.int64(held[p])
                for p in range(whole, k):
                    equal += x[p] == y[p]
                share = np.uint8((510 * equal + k) // (2 * k)) if size[i] * size[j] != 0 else np.uint8(0)
                alike[t, r, s] = share
                alike[t, s, r] = share


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
