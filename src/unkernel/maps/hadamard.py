"""Random directions without a table: a few passes of random signs and a Hadamard transform.

Yu et al., Orthogonal Random Features, 2016, section 4. Theirs fills a row up with zeros to a power of two, and cuts
right angles apart by that. Here transforms of the largest power of two within d move over the columns instead, so each
pass is orthogonal on the d columns themselves: d directions cost O(d log d) a row, and 3 d to 6 d signs of memory.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse

from . import random
from .frequency import norms
from .hadamard_hot import LANES, LEAST, structured_csr, structured_dense

SIGNS = 4  # stream of a seed


class Structured(NamedTuple):
    """Signs of (blocks, passes, length), a bit each, and what each direction is multiplied with."""

    bits: np.ndarray
    length: int
    factors: np.ndarray

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.bits.nbytes + self.factors.nbytes

    def signs(self, dtype) -> np.ndarray:
        """The signs as -1 and 1."""
        return 1 - 2 * np.unpackbits(self.bits, axis=2, count=self.length).astype(dtype)


def length_for(d: int, m: int) -> int:
    """Length of a pass over d columns for m directions: d or a little more, so that blocks of directions are whole.

    Only a whole block prefers no direction; part of one loses much of what right angles gain.
    """
    d = max(d, LEAST)
    return max(d, -(-m // max(1, m // d)))


def window_for(length: int) -> int:
    """Length of a transform: the largest power of two within a pass."""
    return 1 << (length.bit_length() - 1)


def passes_for(length: int) -> int:
    """Passes until a projection of any row is nearly normal: fewer, the more of the columns each of them reaches."""
    D = window_for(length)
    return 3 if D == length else 4 if 4 * length <= 5 * D else 6


def structured(seed: int, d: int, m: int, dtype) -> Structured:
    """m directions for rows of d columns: unit vectors times the length of a normal vector."""
    L = length_for(d, m)
    blocks = -(-m // L)
    passes = passes_for(L)
    signs = random.signs(random.stream(seed, SIGNS), np.arange(passes * blocks)[:, None], np.arange(L))
    factors = np.zeros(-(-m // LANES) * LANES, dtype)
    factors[:m] = norms(seed, L, np.arange(m))
    return Structured(np.packbits((signs < 0).reshape(blocks, passes, L), axis=2), L, factors)


def project_structured(X, table: Structured, scale: np.ndarray) -> np.ndarray:
    """scale * X times the directions, in X's type; the same bits for a row in any block, dense or sparse.

    Cost O(n m log d).
    """
    signs, factors = table.signs(X.dtype), table.factors.astype(X.dtype, copy=False)
    work, T = np.empty((3, table.length), X.dtype), np.zeros((X.shape[0], len(factors)), X.dtype)
    D = window_for(table.length)
    rest = signs, factors, scale, D, X.dtype.type(D**-0.5), work[2], work[:2], T
    if scipy.sparse.issparse(X):
        structured_csr(X.data, X.indices, X.indptr, *rest)
    else:
        structured_dense(X, *rest)
    return T
