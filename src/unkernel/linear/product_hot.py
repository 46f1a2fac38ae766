"""Compiled products of features with a block of columns, row by row."""

from .._jit import kernel
from ..features_hot import row_adds, row_dots, row_norm


@kernel
def times(F, W, start, stop, out):
    # out = F[start:stop] W.     Given out of shape (stop - start, q).     Cost O(nonzeros q).
    for i in range(start, stop):
        row_dots(F, i, W, out[i - start])


@kernel
def transposed_times(F, B, W):
    # W += F' B.     Cost O(nonzeros q); rows of B that are all zero are passed over.
    for i in range(B.shape[0]):
        if B[i].any():
            row_adds(F, i, B[i], W)


@kernel
def squared_norms(F, out):
    # out[i] = |phi_i|^2.
    for i in range(out.shape[0]):
        out[i] = row_norm(F, i)
