"""Loops of dart.py."""

import numpy as np

from .._jit import kernel
from .elementary_hot import exp, ln
from .random import GOLDEN
from .random_hot import mix

ONE = 2.0**-53
ELEVEN = np.uint64(11)
NAME = np.uint64(2**63 - 1)
ROOT = 1.4142135623730951  # bands of rank grow by this


@kernel
def weigh(sizes, power, scale, least, out):
    # Amounts raised to a power, over exp(scale); kept between exp(least) and 16. Returns how many are above 16.
    over, most = 0, 2.772588722239781
    for p in range(sizes.shape[0]):
        log = power * ln(sizes[p]) - scale
        over += log > most
        out[p] = exp(min(max(log, least), most))
    return over


@kernel
def throw(seed, band, low, high, chances, start, stop, columns, weights, ranks, winners, names):
    # Darts of one row with ranks from low to high. Cells of a column are 1 / (high - low) high and hold a Poisson
    # number of darts of mean 1; a dart under the row's weight counts for its component if its rank is the least.
    # A function of (seed, column, band, cell) alone. Returns how many components got their first dart.
    k, found = ranks.shape[0], 0
    width = high - low
    for p in range(start, stop):
        key = mix(mix(seed + GOLDEN * np.uint64(columns[p] + 1)) + GOLDEN * np.uint64(band + 1))
        room = weights[p] * width
        cell = 0
        while cell < room:
            z = mix(key + GOLDEN * np.uint64(cell + 1))
            chance, n = np.float64(z >> ELEVEN) * ONE, 0
            while n < 19 and chance >= chances[n]:
                n += 1
                x = mix(z + GOLDEN * np.uint64(2 * n))
                if cell + np.float64(x >> ELEVEN) * ONE < room:
                    y = mix(z + GOLDEN * np.uint64(2 * n + 1))
                    j = np.int64(((y >> np.uint64(32)) * np.uint64(k)) >> np.uint64(32))
                    rank = low + width * (np.float64(mix(y) >> ELEVEN) * ONE)
                    if rank < ranks[j]:
                        found += ranks[j] == np.inf
                        ranks[j], winners[j], names[j] = rank, columns[p], np.int64(y & NAME)
            cell += 1
    return found


@kernel
def sample(seed, base, chances, indptr, columns, weights, winners, names):
    # Given   weights p of row i in indptr[i] .. indptr[i + 1], the largest row summing to about 1.
    # Returns for every component the column and the name of the dart of least rank; -1 in rows that hold nothing.
    # Bands of rank are [0, base), [base, ROOT base), ...; the last is the first that leaves no component out.
    # Christiani, 2020, with bands that grow instead of a restart.
    ranks = np.empty(winners.shape[1])
    for i in range(winners.shape[0]):
        winners[i] = -1
        names[i] = -1
        start, stop = indptr[i], indptr[i + 1]
        if start == stop:
            continue
        ranks[:] = np.inf
        band, low, high, left = 0, 0.0, base, ranks.shape[0]
        while left > 0:
            left -= throw(seed, band, low, high, chances, start, stop, columns, weights, ranks, winners[i], names[i])
            band, low, high = band + 1, high, high * ROOT
