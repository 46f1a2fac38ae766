"""Loops of rejection.py: darts thrown at all columns, in order, until one lands inside the row."""

import numpy as np

from .._jit import kernel
from .elementary_hot import power
from .icws_hot import single
from .random import GOLDEN
from .random_hot import mix


@kernel
def throw_ahead(places, edges, bounded, root, columns, heights):
    # Where darts land: columns[g, j] and heights[g, j] of dart g of component j, from places[g, j] in (0, 1).
    # Column bounded[m] takes the part of (0, 1) up to edges[m] (rising, the last 1). How far into its part a dart
    # falls, raised to root = 1 / p, is its height: a row with share x of the bound holds it with probability x^p.
    for g in range(columns.shape[0]):
        for j in range(columns.shape[1]):
            low, high = 0, edges.shape[0] - 1
            while low < high:
                middle = (low + high) // 2
                if places[g, j] < edges[middle]:
                    high = middle
                else:
                    low = middle + 1
            start = edges[low - 1] if low > 0 else 0.0
            columns[g, j] = bounded[low]
            heights[g, j] = power(min((places[g, j] - start) / (edges[low] - start), 1.0), root)


@kernel
def first_inside(columns, heights, shares, alive, out):
    # out[j] = number of the first dart of component j inside the row with these shares of the bounds, or -1.
    # A round at a time over the components still alive, packed without a branch. Cost 1 / s darts a component, s the
    # mean share.
    n = out.shape[0]
    for j in range(n):
        alive[j] = j
    for g in range(columns.shape[0]):
        if n == 0:
            break
        left = 0
        for m in range(n):
            j = alive[m]
            out[j] = g
            alive[left] = j
            left += shares[columns[g, j]] <= heights[g, j]
        n = left
    for m in range(n):
        out[alive[m]] = -1


@kernel
def sample(columns, heights, indptr, held, sizes, scales, out):
    # Given   amounts p of row i in indptr[i] .. indptr[i + 1]: its column and size; scales, one over the bound of
    #         each column, 0 where there is none; the darts; out of shape (n, k).
    # Returns out[i, j], the number of the first dart inside row i, or -1; and how many amounts are over their bounds.
    # Shrivastava, NIPS 2016; Li and Li, AAAI 2021.
    shares = np.zeros(scales.shape[0], np.float32)
    alive = np.empty(out.shape[1], np.int32)
    over = 0
    for i in range(out.shape[0]):
        for p in range(indptr[i], indptr[i + 1]):
            share = sizes[p] * scales[held[p]]
            over += (share > 1.000001) | (share == 0.0)
            shares[held[p]] = min(1.0, share)
        first_inside(columns, heights, shares, alive, out[i])
        for p in range(indptr[i], indptr[i + 1]):
            shares[held[p]] = 0
    return over


@kernel
def encode(darts, seed, indptr, columns, logs, mask, out):
    # Low bits of the number of the dart; where none landed, of a hash of the sample drawn without bounds. The hash
    # differs between components, or a row with one value, whose samples are few, would meet others' too often.
    scratch = np.empty((4, 1), np.float32)
    for i in range(out.shape[0]):
        start, stop = indptr[i], indptr[i + 1]
        if start == stop:
            continue
        for j in range(out.shape[1]):
            if darts[i, j] >= 0:
                out[i, j] = darts[i, j] & mask
            else:
                column, step = single(seed, j, columns, logs, start, stop, scratch)
                name = mix(np.uint64(column) + GOLDEN * np.uint64(np.int64(step)))
                out[i, j] = mix(name + GOLDEN * np.uint64(j + 1)) & np.uint64(mask)


@kernel
def spell(darts, thrown, seed, indptr, columns, logs, beyond, winners, steps):
    # Samples in full. thrown[g, j]: column of dart g; beyond is added to the step of samples drawn without bounds.
    scratch = np.empty((4, 1), np.float32)
    for i in range(winners.shape[0]):
        start, stop = indptr[i], indptr[i + 1]
        for j in range(winners.shape[1]):
            if start == stop:
                winners[i, j] = steps[i, j] = -1
            elif darts[i, j] >= 0:
                winners[i, j], steps[i, j] = thrown[darts[i, j], j], darts[i, j]
            else:
                column, step = single(seed, j, columns, logs, start, stop, scratch)
                winners[i, j], steps[i, j] = column, np.int64(step) + beyond
