"""Compiled loops over the distinct monomials of sparse rows, each had from a shorter one by one multiplication."""

import numpy as np

from .._jit import kernel
from ..monomials_hot import write_row
from .random_hot import bits


@kernel
def write_rows(z, columns, indptr, scale, weights, first, offset, starts, data, out):
    # The monomials of every row, from starts[i] on.
    place, prefix = np.empty((weights.shape[1] + 1, 3), np.int64), np.empty(weights.shape[1])
    for i in range(indptr.shape[0] - 1):
        a, b, q, limit = indptr[i], indptr[i + 1], starts[i], starts[-1]
        write_row(z, columns, a, b, scale[i], weights, first, offset, place, prefix, data, out, q, limit)


@kernel
def hash_rows(z, columns, indptr, scale, weights, first, offset, seed, where, data, out, starts):
    # The monomials of every row with a random sign in a random one of the columns of `where`, equal columns summed.
    # Given   where, one int64 per column, all zero, and left so.
    # Writes  data and out from starts[0] = 0 on, and starts.
    place, prefix = np.empty((weights.shape[1] + 1, 3), np.int64), np.empty(weights.shape[1])
    width, begin = np.uint64(where.shape[0]), 0
    for i in range(indptr.shape[0] - 1):
        a, b, limit = indptr[i], indptr[i + 1], data.shape[0]
        end = write_row(z, columns, a, b, scale[i], weights, first, offset, place, prefix, data, out, begin, limit)
        kept = begin
        for q in range(begin, end):
            h = bits(seed, out[q], 0)
            column, v = np.int64((h >> np.uint64(32)) * width >> np.uint64(32)), data[q]
            v = v if h & np.uint64(1) else -v
            at = where[column]
            if at == 0:
                data[kept], out[kept] = v, column
                kept += 1
                where[column] = kept
            else:
                data[at - 1] += v
        for q in range(begin, kept):
            where[out[q]] = 0
        begin = kept
        starts[i + 1] = kept
