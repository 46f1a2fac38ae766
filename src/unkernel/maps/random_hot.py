"""Compiled twin of random.py: one entry of a random matrix inside a loop."""

import numpy as np

from .._jit import kernel
from .random import GOLDEN, MIX_A, MIX_B


@kernel
def mix(z):
    """Finaliser of splitmix64."""
    z = (z ^ (z >> np.uint64(30))) * MIX_A
    z = (z ^ (z >> np.uint64(27))) * MIX_B
    return z ^ (z >> np.uint64(31))


@kernel
def bits(seed, i, j):
    """64 random bits of entry (i, j)."""
    return mix(mix(np.uint64(seed) + GOLDEN * np.uint64(i + 1)) + GOLDEN * np.uint64(j + 1))


@kernel
def uniform(seed, i, j):
    """Uniform on (0, 1) of entry (i, j)."""
    return (np.float64(bits(seed, i, j) >> np.uint64(11)) + 0.5) * 2.0**-53
