"""Tables of random directions: (columns of X, components), standard normal in every column however they are drawn."""

from contextlib import nullcontext

import numpy as np

from .._blocks import one_blas_thread
from .._validate import InputError
from . import random

CHUNK = 1 << 20  # entries drawn at a time: temporaries stay small beside the table
SMALL = 32
NORMS, SHIFTS = 1, 2  # streams of a seed
SOBOL_COLUMNS, SOBOL_BITS = 21_201, 30


def drawn(draw, seed: int, d: int, m: int) -> np.ndarray:
    """Table of draw(seed, i, j), one of the functions of `random`."""
    table = np.empty((d, m))
    step = max(1, CHUNK // max(1, m))
    for start in range(0, d, step):
        rows = np.arange(start, min(start + step, d))
        table[rows] = draw(seed, rows[:, None], np.arange(m))
    return table


def gaussian(seed: int, d: int, m: int) -> np.ndarray:
    """Independent normals: the plain variant of the papers."""
    return drawn(random.normals, seed, d, m)


def orthogonal(seed: int, d: int, m: int) -> np.ndarray:
    """Blocks of orthogonal directions, each block uniform (Haar), each column as long as a normal vector.

    A block of r > d columns is d rows of an orthogonal matrix of r: no direction is preferred in any block, whatever m.
    Yu et al., Orthogonal Random Features, 2016. O(d^2 m).
    """
    table = gaussian(seed, d, m)
    with one_blas_thread() if d > SMALL else nullcontext():  # small ones run on one thread anyway
        for columns in np.array_split(np.arange(m), max(1, m // d)):
            block = table[:, columns]
            turned = len(columns) > d
            Q, R = np.linalg.qr(block.T if turned else block)
            Q *= np.where(np.diag(R) < 0, -1.0, 1.0)
            table[:, columns] = (Q.T if turned else Q) * norms(seed, max(d, len(columns)), columns)
    return table


def sobol(seed: int, d: int, m: int) -> np.ndarray:
    """Normal quantiles of a Sobol sequence, shifted at random bit by bit: points that fill space evenly."""
    from scipy.stats import qmc

    if d > SOBOL_COLUMNS:
        raise InputError(
            f"X has {d} columns and a Sobol sequence exists for at most {SOBOL_COLUMNS}; choose variant='structured'"
        )
    from scipy.special import ndtri

    engine = qmc.Sobol(d, scramble=False, bits=SOBOL_BITS)
    points = (engine.random_base2(max(0, int(m - 1).bit_length())).T[:, :m] * 2.0**SOBOL_BITS).astype(np.uint64)
    shift = random.bits(random.stream(seed, SHIFTS), np.arange(d), 0) >> np.uint64(64 - SOBOL_BITS)
    return ndtri(((points ^ shift[:, None]) + 0.5) * 2.0**-SOBOL_BITS)


def norms(seed: int, d: int, columns: np.ndarray) -> np.ndarray:
    """Lengths of independent normal vectors of d entries, one for each column: chi with d degrees of freedom."""
    from scipy.special import gammaincinv

    return np.sqrt(2 * gammaincinv(d / 2, random.uniforms(random.stream(seed, NORMS), columns, 0)))


TABLES = {"gaussian": gaussian, "orthogonal": orthogonal, "sobol": sobol}
