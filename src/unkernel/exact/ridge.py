"""Kernel ridge on a Gram matrix: one eigendecomposition serves every C, and leaving one row out costs nothing more.

With lambda = 1 / (2 C), weights W and s = sqrt(weight), the machine f = K a + b solves

    (K + lambda / W) a + b = y,   sum a = 0,      that is, with a = s c:   (s K s + lambda) c + s b = s y,   <s, c> = 0

and the residual of a row under the machine that never saw it is c_i / (s_i B_ii), B the inverse of that bordered
matrix: exact, with the free intercept fitted again each time.

References
----------
Cawley and Talbot, "Preventing over-fitting during model selection via Bayesian regularisation of the
hyper-parameters", JMLR 2007, section 2.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg

from .._blocks import row_blocks
from .base import Solution, Targets

BLOCK_ROWS = 512


class Spectrum(NamedTuple):
    """Eigenvalues and eigenvectors of s K s, with the targets turned to them."""

    values: np.ndarray  # (n,)
    vectors: np.ndarray  # (n, n), a column each
    turned: np.ndarray  # (n, q): vectors' (s y)
    ones: np.ndarray  # (n,): vectors' s


def decompose(K: np.ndarray, targets: Targets) -> Spectrum:
    """Cost O(n^3), once; K is overwritten, and two more of its size are worked in."""
    s = np.sqrt(targets.weight)
    K *= s[:, None]
    K *= s
    values, vectors = scipy.linalg.eigh(K.T, overwrite_a=True, check_finite=False, driver="evd")  # LAPACK's own order
    return Spectrum(np.maximum(values, 0), vectors, vectors.T @ (s[:, None] * targets.y), vectors.T @ s)


def solve(spectrum: Spectrum, targets: Targets, C: float) -> Solution:
    """The machine at C, O(n^2)."""
    c, b = _turned(spectrum, C)
    dual = np.sqrt(targets.weight)[:, None] * (spectrum.vectors @ c)
    return Solution(dual, b, np.zeros(len(b), dtype=bool))


def solve_once(K: np.ndarray, targets: Targets, C: float) -> Solution:
    """The machine at one C alone: a Cholesky factor, a tenth of the cost of a spectrum."""
    s = np.sqrt(targets.weight)
    A = K * s
    A *= s[:, None]
    A[np.diag_indices_from(A)] += 1 / (2 * C)
    try:
        factor = scipy.linalg.cho_factor(A.T, overwrite_a=True, check_finite=False)
    except scipy.linalg.LinAlgError:  # not positive to rounding
        del A
        return solve(decompose(K.copy(), targets), targets, C)
    c = scipy.linalg.cho_solve(factor, np.column_stack([s[:, None] * targets.y, s]), check_finite=False)
    b = s @ c[:, :-1] / (s @ c[:, -1])
    return Solution(s[:, None] * (c[:, :-1] - c[:, -1:] * b), b, np.zeros(len(b), dtype=bool))


def left_out(spectrum: Spectrum, targets: Targets, C: float) -> np.ndarray:
    """Value of every row by the machine at C that was fitted without it, (n, q); O(n^2)."""
    c, _ = _turned(spectrum, C)
    g = 1 / (spectrum.values + 1 / (2 * C))
    inverse = np.empty(len(g))
    for rows in row_blocks(len(g), BLOCK_ROWS):
        inverse[rows] = np.square(spectrum.vectors[rows]) @ g
    inverse -= (spectrum.vectors @ (g * spectrum.ones)) ** 2 / np.sum(g * spectrum.ones**2)
    s = np.sqrt(targets.weight)
    return targets.y - (spectrum.vectors @ c) / (s * inverse)[:, None]


def _turned(spectrum: Spectrum, C: float):
    """(c in the eigenbasis, b)."""
    g = (1 / (spectrum.values + 1 / (2 * C)))[:, None]
    ones = spectrum.ones[:, None]
    b = np.sum(g * ones * spectrum.turned, axis=0) / np.sum(g * ones**2)
    return g * (spectrum.turned - ones * b), b
