"""Loops of rejection.py: darts thrown at all columns, in order, until one lands inside the row."""

import numpy as np

from .._jit import kernel
from .._lanes import LANES, anywhere, least, load, look, pick, splat, store
from .elementary_hot import power
from .icws_hot import single
from .random import GOLDEN
from .random_hot import mix

FEW = 4 * LANES  # bounded columns whose shares fit four registers
ROUNDS = 4  # throws between two looks at who is left
NONE = np.int32(2**30)


@kernel
def throw_ahead(aims, edges, root, few, thrown, heights):
    # Where darts land: the place among bounded columns, and the height, of dart g of component j, from aims[g, j] in
    # (0, 1). Place m takes the part of (0, 1) up to edges[m] (rising, the last 1). How far into its part a dart
    # falls, raised to root = 1 / p, is its height: a row with share x of the bound holds it with probability x^p.
    for g in range(aims.shape[0]):
        for j in range(aims.shape[1]):
            low, high = 0, edges.shape[0] - 1
            while low < high:
                middle = (low + high) // 2
                if aims[g, j] < edges[middle]:
                    high = middle
                else:
                    low = middle + 1
            start = edges[low - 1] if low > 0 else 0.0
            at = lie(few, g, j, *aims.shape)
            thrown[at] = low
            heights[at] = power(min((aims[g, j] - start) / (edges[low] - start), 1.0), root)


@kernel
def lie(few, g, j, n_darts, n_components):
    # Where dart g of component j lies: throw by throw, or, with few columns, tile by tile of sixteen components.
    return ((j // LANES) * n_darts + g) * LANES + j % LANES if few else g * n_components + j


@kernel
def first_inside(thrown, heights, shares, alive, n_darts, out):
    # out[j] = number of the first dart of component j inside the row with these shares of the bounds, or -1.
    # A round at a time over the components still alive, packed without a branch. Cost 1 / s darts a component, s the
    # mean share.
    n = out.shape[0]
    for j in range(n):
        alive[j] = j
    for g in range(n_darts):
        if n == 0:
            break
        left, here = 0, slice(g * out.shape[0], (g + 1) * out.shape[0])
        columns, depths = thrown[here], heights[here]
        for m in range(n):
            j = alive[m]
            out[j] = g
            alive[left] = j
            left += shares[columns[j]] <= depths[j]
        n = left
    for m in range(n):
        out[alive[m]] = -1


@kernel
def first_of_few(thrown, heights, shares, n_darts, out):
    # The same for at most FEW bounded columns: their shares stay in registers, and sixteen components throw at once.
    # Cost a dozen instructions a throw of sixteen, and as many throws as the last of them takes.
    a, b, c, d = load(shares, 0), load(shares, 16), load(shares, 32), load(shares, 48)
    for t in range(0, out.shape[0], LANES):
        first, at = splat(NONE), t * n_darts
        for g in range(n_darts):
            v = load(thrown, at)
            low = pick(v, splat(np.int32(16)), look(a, v), look(b, v))
            high = pick(v, splat(np.int32(48)), look(c, v), look(d, v))
            share = pick(v, splat(np.int32(32)), low, high)
            first = least(first, pick(load(heights, at), share, splat(np.int32(g)), splat(NONE)))
            at += LANES
            if g % ROUNDS == ROUNDS - 1 and not anywhere(splat(np.int32(g)), first):
                break
        store(out, t, pick(first, splat(NONE), first, splat(np.int32(-1))))


@kernel
def land(few, thrown, heights, n_darts, places, scales, start, stop, held, sizes, shares, alive, out):
    # Darts that land in one row, amounts start .. stop; `shares` is all zero before and after.
    # Returns how many amounts are over their bounds.
    over = 0
    for p in range(start, stop):
        share = sizes[p] * scales[held[p]]
        over += (share > 1.000001) | (scales[held[p]] == 0.0)
        shares[places[held[p]]] = min(1.0, share)
    if few:
        first_of_few(thrown, heights, shares, n_darts, out)
    else:
        first_inside(thrown, heights, shares, alive, n_darts, out)
    for p in range(start, stop):
        shares[places[held[p]]] = 0
    return over


@kernel
def sample(few, thrown, heights, n_darts, places, scales, indptr, held, sizes, out):
    # Given   amounts p of row i in indptr[i] .. indptr[i + 1]: its column and size; scales, one over the bound of
    #         each column, 0 where there is none; places, where each column stands among the bounded, behind them where
    #         it has no bound; the darts as they `lie`, thrown at places; out of shape (n, k), k whole tiles if few.
    # Returns out[i, j], the number of the first dart inside row i, or -1; and how many amounts are over their bounds.
    # Shrivastava, NIPS 2016; Li and Li, AAAI 2021.
    shares, alive, over = np.zeros(max(FEW, places.max() + 1), np.float32), np.empty(out.shape[1], np.int32), 0
    for i in range(out.shape[0]):
        start, stop = indptr[i], indptr[i + 1]
        over += land(few, thrown, heights, n_darts, places, scales, start, stop, held, sizes, shares, alive, out[i])
    return over


@kernel
def encode(few, thrown, heights, n_darts, places, scales, indptr, held, sizes, seed, logs, mask, out):
    # Low bits of the number of the dart; where none landed, of a hash of the sample drawn without bounds. The hash
    # differs between components, or a row with one value, whose samples are few, would meet others' too often.
    # Returns how many amounts are over their bounds.
    shares, over = np.zeros(max(FEW, places.max() + 1), np.float32), 0
    k = out.shape[1] + (-out.shape[1] % LANES if few else 0)
    darts, alive, scratch = np.empty(k, np.int32), np.empty(k, np.int32), np.empty((4, 1), np.float32)
    for i in range(out.shape[0]):
        start, stop, missed = indptr[i], indptr[i + 1], 0
        if start == stop:
            continue
        over += land(few, thrown, heights, n_darts, places, scales, start, stop, held, sizes, shares, alive, darts)
        for j in range(out.shape[1]):
            out[i, j] = darts[j] & mask
            missed += darts[j] < 0
        for j in range(out.shape[1] if missed else 0):
            if darts[j] < 0:
                column, step = single(seed, j, held, logs, start, stop, scratch)
                name = mix(np.uint64(column) + GOLDEN * np.uint64(np.int64(step)))
                out[i, j] = mix(name + GOLDEN * np.uint64(j + 1)) & np.uint64(mask)
    return over


@kernel
def spell(darts, few, thrown, n_darts, bounded, seed, indptr, columns, logs, beyond, winners, steps):
    # Samples in full, from the darts that landed; bounded[m] is the column in place m. `beyond` is added to the step
    # of samples drawn without bounds.
    scratch = np.empty((4, 1), np.float32)
    for i in range(winners.shape[0]):
        start, stop = indptr[i], indptr[i + 1]
        for j in range(winners.shape[1]):
            if start == stop:
                winners[i, j] = steps[i, j] = -1
            elif darts[i, j] >= 0:
                at = lie(few, darts[i, j], j, n_darts, winners.shape[1])
                winners[i, j], steps[i, j] = bounded[thrown[at]], darts[i, j]
            else:
                column, step = single(seed, j, columns, logs, start, stop, scratch)
                winners[i, j], steps[i, j] = column, np.int64(step) + beyond
