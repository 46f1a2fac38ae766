"""Randomness as a function of (seed, i, j): the same number for any block, thread, batch or machine.

A draw is two rounds of the splitmix64 finaliser over a counter, so any entry of any random matrix can be had alone.
`random_hot` holds the compiled twin.
"""

import numpy as np

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)


def mix(z):
    """Finaliser of splitmix64: a bijection of 64-bit integers that looks random."""
    with np.errstate(over="ignore"):
        z = np.asarray(z, dtype=np.uint64)
        z = (z ^ (z >> np.uint64(30))) * MIX_A
        z = (z ^ (z >> np.uint64(27))) * MIX_B
        return z ^ (z >> np.uint64(31))


def bits(seed: int, i, j) -> np.ndarray:
    """64 random bits for each pair (i, j), broadcast; a pure function of (seed, i, j).

    Use different j, or seeds derived by `stream`, for independent quantities of the same entry.
    """
    with np.errstate(over="ignore"):
        i, j = np.asarray(i, dtype=np.uint64), np.asarray(j, dtype=np.uint64)
        return mix(mix(np.uint64(seed) + GOLDEN * (i + np.uint64(1))) + GOLDEN * (j + np.uint64(1)))


def stream(seed: int, name: int) -> int:
    """A seed of its own for the quantity numbered `name`."""
    return int(bits(seed, np.uint64(2**63) + np.uint64(name), 0))


def uniforms(seed: int, i, j) -> np.ndarray:
    """Uniform on the open interval (0, 1), 53 bits."""
    return ((bits(seed, i, j) >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def normals(seed: int, i, j) -> np.ndarray:
    """Standard normal, by the inverse of its distribution function."""
    from scipy.special import ndtri

    return ndtri(uniforms(seed, i, j))


def cauchys(seed: int, i, j) -> np.ndarray:
    """Standard Cauchy."""
    return np.tan(np.pi * (uniforms(seed, i, j) - 0.5))


def signs(seed: int, i, j) -> np.ndarray:
    """-1 or +1, float64."""
    return 1.0 - 2.0 * (bits(seed, i, j) >> np.uint64(63)).astype(np.float64)
