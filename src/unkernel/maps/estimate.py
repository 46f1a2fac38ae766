"""Kernel estimates from codes: the share of equal codes, freed of the agreements that few bits bring by chance."""

from typing import NamedTuple

import numpy as np

from .._validate import InputError
from ..features import Codes


class Estimate(NamedTuple):
    """A kernel estimate for each pair of rows, and its standard error."""

    value: np.ndarray
    error: np.ndarray


def estimate(A: Codes, B: Codes, chance: np.ndarray | float) -> Estimate:
    """Estimates for rows A[i], B[i], of which unequal samples have equal codes with probability `chance`.

    With m the share of equal codes, (m - chance) / (1 - chance), and its error from the variance m (1 - m) / k.
    """
    check_pair(A, B)
    k = A.codes.shape[1]
    share = equal_share(A, B)
    error = np.sqrt(share * (1 - share) / k) / (1 - chance)
    both = A.filled & B.filled
    return Estimate(np.where(both, (share - chance) / (1 - chance), 0.0), np.where(both, error, 0.0))


def equal_share(A: Codes, B: Codes) -> np.ndarray:
    """Share of equal codes of rows A[i], B[i]."""
    return np.mean(A.codes == B.codes, axis=1)


def check_pair(A: Codes, B: Codes) -> None:
    """Both are codes of one map, as many rows each."""
    for codes in (A, B):
        if not isinstance(codes, Codes):
            raise InputError(f"codes are needed and this is a {type(codes).__name__}; use map.features(X)")
    if A.codes.shape != B.codes.shape or A.levels != B.levels:
        raise InputError(
            f"codes of shapes {A.codes.shape} and {B.codes.shape} with {A.levels} and {B.levels} levels; give the same "
            "number of rows twice, from one fitted map"
        )


def column_chance(n_columns: int, levels: int) -> float:
    """Chance that two different columns agree in their low bits: none where every column has a code of its own."""
    alike = np.full(levels, n_columns // levels) + (np.arange(levels) < n_columns % levels)
    return float(np.sum(alike * (alike - 1.0)) / max(1.0, n_columns * (n_columns - 1.0)))


def geometric_chance(A: Codes, B: Codes) -> np.ndarray:
    """Chance agreement of low bits of numbers of darts, by the shares of the bounds that the rows fill.

    The first dart inside either row ends it for that row; the other throws on, a geometric number of darts, and agrees
    if that is a multiple of the levels. How much a row fills is read from the mean of its codes.
    """
    levels = A.levels
    a, b = (filled_share_of(F) for F in (A, B))
    p_a, p_b = (s * (1 - s) ** (levels - 1) / -np.expm1(levels * np.log1p(-s)) for s in (a, b))
    chance, m = 0.5 * (p_a + p_b), equal_share(A, B)
    for _ in range(3):
        K = np.clip((m - chance) / (1 - chance), 0.0, 1.0)
        both = K * (a + b) / (1 + K)
        first = np.maximum(a - both, 1e-12), np.maximum(b - both, 1e-12)
        chance = (first[0] * p_b + first[1] * p_a) / (first[0] + first[1])
    return chance


def filled_share_of(F: Codes) -> np.ndarray:
    """Share of the bounds that each row fills: numbers of darts are geometric, their low bits have this mean."""
    s = np.geomspace(1e-7, 1 - 1e-9, 4000)
    q = 1 - s
    means = q / s - F.levels * q**F.levels / -np.expm1(F.levels * np.log1p(-s))
    return np.interp(F.codes.mean(axis=1), means[::-1], s[::-1])
