"""Tables of random directions: (columns of X, components), standard normal in every column however they are drawn."""

from contextlib import nullcontext

import numpy as np
import scipy.sparse

from .._blocks import one_blas_thread
from .._validate import InputError
from . import random

CHUNK = 1 << 20  # entries drawn at a time: temporaries stay small beside the table
SMALL = 32
NORMS, SHIFTS, ALONG = 1, 2, 4  # streams of a seed
AXES_ROWS = 512  # rows whose main axes are looked for
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


def aligned(seed: int, d: int, m: int, axes: np.ndarray) -> np.ndarray:
    """Orthogonal directions whose parts along the axes are orthogonal among themselves too.

    m < d directions at right angles meet rows at angles of chance. But rows lie near some p <= m axes, and in those p
    dimensions m directions make whole orthogonal blocks: what is along the axes is drawn there, what is across them in
    all d. The parts are independent, and normal as before, so no estimate has a bias, whatever the axes.
    """
    table = orthogonal(seed, d, m)
    if not axes.shape[1]:
        return table
    along = orthogonal(random.stream(seed, ALONG), axes.shape[1], m)
    with one_blas_thread():
        return table + axes @ (along - axes.T @ table)


def main_axes(X, m: int) -> np.ndarray:
    """At most m orthonormal columns along which rows differ most, float32; none where rows are all alike."""
    rows = X[:: -(-X.shape[0] // AXES_ROWS)]
    rows = np.asarray(rows.toarray() if scipy.sparse.issparse(rows) else rows, dtype=np.float64)
    rows = rows - rows.mean(axis=0)
    tall = rows.shape[0] >= rows.shape[1]
    with one_blas_thread():
        squares, vectors = np.linalg.eigh(rows.T @ rows if tall else rows @ rows.T)
        kept = np.flatnonzero(squares > 1e-8 * squares[-1])[::-1][:m]
        axes = vectors[:, kept] if tall else rows.T @ (vectors[:, kept] / np.sqrt(squares[kept]))
    heads = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    return (axes * np.where(heads < 0, -1.0, 1.0)).astype(np.float32)  # the same for rows that differ by rounding


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
