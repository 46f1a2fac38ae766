"""Loops of icws.py: the random numbers of a column, and the sample of every row, 32 components at a time."""

import math

import numpy as np

from .._jit import kernel
from .._lanes import LANES, add, floor, load, mul, pick, splat, store, sub
from .elementary_hot import ln_narrow
from .random import GOLDEN
from .random_hot import mix

TILE = 32  # components that share one pass over a row: two registers of 16 of each quantity
PLACES = 4 * TILE  # float32 numbers of one column in one tile
ROWS = 32  # rows that share a panel of columns
F = np.float32
LOW = np.uint64(0x7FFFFF)  # 23 bits
TWENTY_THREE, FORTY_SIX = np.uint64(23), np.uint64(46)


@kernel
def unit(bits):
    """Uniform on (0, 1) from the low 23 bits: exact in float32, never 0 or 1."""
    return (F(np.int32(bits & LOW)) + F(0.5)) * F(2.0**-23)


@kernel
def key_of(seed, column):
    # What the random numbers of a column are made from: a function of (seed, column) alone.
    return mix(np.uint64(seed) + GOLDEN * np.uint64(column + 1))


@kernel
def numbers(key, first, n, out):
    # Random numbers of the column that `key` stands for, components first .. first + n:
    # r ~ Gamma(2, 1), c ~ Gamma(2, 1), b ~ U(0, 1), kept as rows 1/r, b, r and ln c - r of `out`.
    for j in range(n):
        x = mix(key + GOLDEN * np.uint64(2 * (first + j) + 1))
        y = mix(key + GOLDEN * np.uint64(2 * (first + j) + 2))
        r = -ln_narrow(unit(x) * unit(x >> TWENTY_THREE))
        c = -ln_narrow(unit(y) * unit(y >> TWENTY_THREE))
        out[0, j] = np.divide(F(1), r)
        out[1, j] = unit((x >> FORTY_SIX) | ((y >> FORTY_SIX) << np.uint64(18)))
        out[2, j] = r
        out[3, j] = ln_narrow(c) - r


@kernel
def draw(seed, column, first, scratch, table, at):
    # Numbers of one column for one tile, written at table[at : at + PLACES] in runs of 16.
    numbers(key_of(seed, column), first, TILE, scratch)
    for g in range(0, TILE, LANES):
        for q in range(4):
            store(table, at + 4 * g + q * LANES, load(scratch[q], g))


@kernel
def fill(seed, first, n_columns, table):
    # The tables of all columns for one tile: table[v * PLACES : (v + 1) * PLACES] of each column v.
    scratch = np.empty((4, TILE), np.float32)
    for v in range(n_columns):
        draw(seed, v, first, scratch, table, v * PLACES)


@kernel
def cut(indptr, columns, width, panel, cuts):
    # Where each row enters each panel of columns, `panel` wide, the negative parts beside the positive ones: row i
    # has cuts[i, c] .. cuts[i, c + 1] in panel c.
    for i in range(cuts.shape[0]):
        p, stop = indptr[i], indptr[i + 1]
        cuts[i, 0] = p
        for c in range(1, cuts.shape[1] - 1):
            while p < stop and columns[p] - width * (columns[p] >= width) < c * panel:
                p += 1
            cuts[i, c] = p
        cuts[i, cuts.shape[1] - 1] = stop


@kernel
def sample(cuts, columns, places, logs, table, winners, steps):
    # Consistent weighted sampling of rows, one tile of components.
    # Given   amounts p of row i in cuts[i, 0] .. cuts[i, -1]: column, log of amount, and where in the table its
    #         column's numbers begin, in units of PLACES. A few rows meet one panel of columns before any meets the
    #         next, so that its numbers come from L1; the order within a row is the same.
    # Returns winners[i, j], the column i* whose a is least, and steps[i, j] = t*. With l the log of the amount,
    #         t = floor(l / r + b),  ln a = ln c - r (t + 1 - b) = (ln c - r) + r frac(l / r + b) - l.
    # Cost    16 bytes of table and a dozen vector instructions per 16 (amount, component) pairs.
    # Li, Generalized Min-Max Kernel, 2016, algorithm 1; Ioffe, ICDM 2010.
    bests = np.empty((ROWS, TILE), np.float32)
    for first in range(0, cuts.shape[0], ROWS):
        last = min(first + ROWS, cuts.shape[0])
        for c in range(cuts.shape[1] - 1):
            for i in range(first, last):
                start, stop, best = cuts[i, c], cuts[i, c + 1], bests[i - first]
                meet(c > 0, start, stop, columns, places, logs, table, best, winners[i], steps[i])


@kernel
def meet(again, start, stop, columns, places, logs, table, bests, winners, steps):
    # The amounts start .. stop of one row, against the best of panels before or none; in registers from end to end.
    best, other = splat(F(np.inf)), splat(F(np.inf))
    winner, second = splat(np.int32(0)), splat(np.int32(0))
    step, stride = splat(F(0)), splat(F(0))
    if again:
        best, other = load(bests, 0), load(bests, LANES)
        winner, second = load(winners, 0), load(winners, LANES)
        step, stride = load(steps, 0), load(steps, LANES)
    for p in range(start, stop):
        at = places[p] * PLACES
        l, v = splat(logs[p]), splat(np.int32(columns[p]))
        z = add(mul(l, load(table, at)), load(table, at + 16))
        t = floor(z)
        a = sub(add(load(table, at + 48), mul(load(table, at + 32), sub(z, t))), l)
        winner, step, best = pick(a, best, v, winner), pick(a, best, t, step), pick(a, best, a, best)
        z = add(mul(l, load(table, at + 64)), load(table, at + 80))
        t = floor(z)
        a = sub(add(load(table, at + 112), mul(load(table, at + 96), sub(z, t))), l)
        second, stride, other = pick(a, other, v, second), pick(a, other, t, stride), pick(a, other, a, other)
    store(bests, 0, best)
    store(bests, LANES, other)
    store(winners, 0, winner)
    store(winners, LANES, second)
    store(steps, 0, step)
    store(steps, LANES, stride)


@kernel
def single(seed, j, columns, logs, start, stop, scratch):
    # The same sample for one row and one component, numbers made on the spot: (i*, t*).
    best, winner, step = F(np.inf), columns[start], F(0)
    for p in range(start, stop):
        numbers(key_of(seed, columns[p]), j, 1, scratch)
        z = logs[p] * scratch[0, 0] + scratch[1, 0]
        t = F(math.floor(z))
        a = scratch[3, 0] + scratch[2, 0] * (z - t) - logs[p]
        if a < best:
            best, winner, step = a, columns[p], t
    return winner, step


@kernel
def encode(winners, steps, bits, t_bits, first, out):
    # Low bits of i*, then low bits of t*, for the components of one tile that `out` has.
    column, row = (1 << bits) - 1, (1 << t_bits) - 1
    last = min(first + TILE, out.shape[1])
    for i in range(out.shape[0]):
        winner, step, code = winners[i], steps[i], out[i, first:last]
        for j in range(code.shape[0]):
            code[j] = (winner[j] & column) | ((np.int64(step[j]) & row) << bits)


@kernel
def sample_codes(cuts, columns, places, logs, tables, bits, t_bits, out):
    # Codes of all tiles, in one call: threads meet at Python's lock once a block of rows.
    winners, steps = np.empty((out.shape[0], TILE), np.int32), np.empty((out.shape[0], TILE), np.float32)
    for tile in range(tables.shape[0]):
        sample(cuts, columns, places, logs, tables[tile], winners, steps)
        encode(winners, steps, bits, t_bits, tile * TILE, out)
