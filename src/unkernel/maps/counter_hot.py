"""Loops of counter.py."""

import numpy as np

from .._jit import kernel
from .icws_hot import PLACES, TILE, draw, encode, sample


@kernel
def number(columns, seen, in_use, places):
    # Numbers columns in the order they come up: in_use[places[p]] = columns[p]. seen[v] is -1 to begin with.
    # Returns how many there are.
    n = 0
    for p in range(columns.shape[0]):
        v = columns[p]
        if seen[v] < 0:
            seen[v] = n
            in_use[n] = v
            n += 1
        places[p] = seen[v]
    return n


@kernel
def fill(seed, first, in_use, table):
    # The table of one tile for the columns in use.
    scratch = np.empty((4, TILE), np.float32)
    for place in range(in_use.shape[0]):
        draw(seed, in_use[place], first, scratch, table, place * PLACES)


@kernel
def sample_codes(seed, in_use, table, cuts, columns, places, logs, bits, t_bits, out):
    # Codes of all tiles, in one call: each tile's table is made in the room of the last one's.
    winners, steps = np.empty((out.shape[0], TILE), np.int32), np.empty((out.shape[0], TILE), np.float32)
    for first in range(0, out.shape[1], TILE):
        fill(seed, first, in_use, table)
        sample(cuts, columns, places, logs, table, winners, steps)
        encode(winners, steps, bits, t_bits, first, out)
