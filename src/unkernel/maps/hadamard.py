"""Random directions without a table: three passes of random signs and a Hadamard transform.

Yu et al., Orthogonal Random Features, 2016, section 4. D directions cost O(D log D) a row and 3 D signs of memory, with
D the columns of X filled up with zeros to a power of two.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse

from . import random
from .frequency import norms
from .hadamard_hot import LANES, LEAST, structured_csr, structured_dense

SIGNS = 4  # stream of a seed


class Structured(NamedTuple):
    """Signs (blocks, 3, D) and what each direction is multiplied with, filled up to whole registers."""

    signs: np.ndarray
    factors: np.ndarray

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.signs.nbytes + self.factors.nbytes


def length_for(d: int) -> int:
    """Length of the transform for d columns."""
    return max(LEAST, 1 << max(0, d - 1).bit_length())


def structured(seed: int, d: int, m: int, dtype) -> Structured:
    """m directions for rows of d columns: unit vectors times the length of a normal vector of D entries."""
    D = length_for(d)
    blocks = -(-m // D)
    signs = random.signs(random.stream(seed, SIGNS), np.arange(3 * blocks)[:, None], np.arange(D))
    factors = np.zeros(-(-m // LANES) * LANES, dtype)
    factors[:m] = norms(seed, D, m) * D**-1.5
    return Structured(signs.astype(np.int8).reshape(blocks, 3, D), factors)


def project_structured(X, table: Structured, scale: np.ndarray) -> np.ndarray:
    """scale * X times the directions, in X's type; the same bits for a row in any block, dense or sparse.

    Cost O(n m log D): the columns of X matter through D only.
    """
    signs, factors = (a.astype(X.dtype, copy=False) for a in table)
    x, b = np.empty((2, signs.shape[2]), X.dtype)
    T = np.empty((X.shape[0], len(factors)), X.dtype)
    if scipy.sparse.issparse(X):
        structured_csr(X.data, X.indices, X.indptr, signs, factors, scale, x, b, T)
    else:
        structured_dense(X, signs, factors, scale, x, b, T)
    return T
