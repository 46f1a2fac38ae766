"""Dart sampling: one set of darts serves all components, so a row costs nonzeros plus k log k, not their product."""

import warnings
from functools import cache
from math import factorial, log

import numpy as np

from . import dart_hot
from .amount import Amounts
from .elementary import exp, ln
from .random import stream
from .sampler import Settings, code_array

LEAST = -600.0  # log of the smallest weight told apart
OVER = (
    "{} of {} amounts are over 16 times the largest sum of amounts of a row of fit and count as that much: estimates "
    "of their rows are biased; fit on rows that span the range, or use algorithm='counter', which learns no range"
)


class Dart:
    """Consistent sampling by darts thrown at (amount, rank), in the manner of DartMinHash.

    Darts are a Poisson process over the amounts of each column and over ranks, each dart given to one component. The
    sample of a component is its dart of least rank under the row's amounts; two rows share it with probability
    exactly min-max. Ranks are searched in bands, upwards, until every component has a dart. Cost: some 1.5 k (ln k + 1)
    darts, and one look a nonzero and band.

    Parameters
    ----------
    settings : Settings
    scale : float
        Log of the largest sum of amounts, raised to p, of a row of `fit`. Amounts 16 times as large as that sum count
        as that much, with a warning: even one can be most of its row.

    References
    ----------
    Christiani, DartMinHash: Fast Sketching for Weighted Sets, 2020.
    """

    def __init__(self, settings: Settings, scale: float):
        self.settings = settings
        self.scale = scale
        k = settings.n_components
        self.base = max(
            1.0, k * (np.floor(8 * log(k)) / 8 - 1.0)
        )  # most darts of the largest rows, not all, come first
        self.seed = np.uint64(stream(settings.seed, 2))

    def codes(self, block: Amounts, bits: int, t_bits: int) -> np.ndarray:
        """Low bits of a hash of the dart."""
        columns, darts = self.samples(block)
        out = code_array(*columns.shape, 1 << (bits + t_bits))
        np.bitwise_and(darts, (1 << (bits + t_bits)) - 1, out=darts)
        out[block.filled] = darts[block.filled]
        return out

    def samples(self, block: Amounts) -> tuple[np.ndarray, np.ndarray]:
        """Column and 63-bit name of every dart."""
        n, k = len(block.indptr) - 1, self.settings.n_components
        columns, darts = np.empty((n, k), np.int32), np.empty((n, k), np.int64)
        weights = np.empty(len(block.sizes))
        over = dart_hot.weigh(block.sizes, self.settings.p, self.scale, LEAST, weights)
        if over:
            warnings.warn(OVER.format(over, len(weights)), stacklevel=2)
        dart_hot.sample(self.seed, self.base, poisson_steps(), block.indptr, block.columns, weights, columns, darts)
        return columns, darts


@cache
def poisson_steps() -> np.ndarray:
    """P(N <= n) of a Poisson variable of mean 1, n = 0 ... 19; its tail is under 1e-18."""
    return np.cumsum([0.36787944117144233 / factorial(n) for n in range(20)])


def largest_sum(block: Amounts, p: float) -> float:
    """Log of the largest sum of amounts, raised to p, of a row; 0 where nothing is held."""
    if not len(block.sizes):
        return 0.0
    logs = p * ln(block.sizes)
    top = logs.max()
    sums = np.concatenate([[0.0], np.cumsum(exp(np.maximum(logs - top, LEAST)))])[block.indptr]
    return float(np.floor(4 * (top + ln(np.diff(sums).max()))) / 4)
