"""Rejection sampling: where each column is known to stay under a bound, throw darts until one lands inside the row."""

import warnings

import numpy as np

from .._lanes import LANES
from .amount import Amounts
from .elementary import power
from .random import bits, stream, uniforms
from .rejection_hot import FEW, encode, sample, spell, throw_ahead
from .sampler import Settings, code_array

WARN_SHARE = 0.01
TINY = 1e-300  # bounds below, whose inverse may be no number, get no darts: rows of nothing else are sampled without
OVER = (
    "{} of {} amounts are above the bounds learned at fit and count as the bound, over {:g} % of them: estimates of "
    "these rows are biased; fit on rows that span the range, or use algorithm='icws', which has no bounds"
)
BEYOND = 1 << 40  # added to the steps of samples drawn without bounds, which tells them from numbers of darts


class Rejection:
    """Consistent sampling by rejection: the sample is the number of the first dart that lands inside the row.

    All rows see the same darts, so two rows stop at the same one with probability exactly min-max, and the number of
    the dart is a small code. Cost: 1 / s darts a component, with s the share of the joint bounds that a row fills,
    whatever its nonzeros. A component whose darts all miss takes a sample of `Icws` instead: two rows that both come
    this far agree with the same probability, so the law holds to the last component and no row can take for ever.

    Parameters
    ----------
    settings : Settings
    bounds : ndarray of shape (2d,)
        Largest amount of each column. Amounts above it count as the bound.
    darts : int
        Darts kept for each component.
    stratified : bool
        Spread each throw of the k components evenly over the bounds. Every component alone is as before, so estimates
        have no bias; together they scatter less. With h the share of the bounds that either of two rows fills, and
        many more components than columns, the variance is (1 - h) / (2 - h) of that of independent components.

    References
    ----------
    Shrivastava, Simple and Efficient Weighted Minwise Hashing, NIPS 2016. Li and Li, Rejection Sampling for Weighted
    Jaccard Similarity Revisited, AAAI 2021.
    """

    def __init__(self, settings: Settings, bounds: np.ndarray, darts: int, stratified: bool):
        self.settings = settings
        self.bounded = np.flatnonzero(bounds > TINY)
        self.scales = np.where(bounds > 0, 1 / TINY, 0.0)
        self.scales[self.bounded] = 1.0 / bounds[self.bounded]
        self.places = np.full(len(bounds), len(self.bounded), np.int32)
        self.places[self.bounded] = np.arange(len(self.bounded))
        edges = np.cumsum(power(bounds[self.bounded] / bounds.max(initial=1e-300), settings.p))
        self.n_darts = darts if len(edges) else 0
        self.few = 0 < len(edges) < FEW  # one register lane is left for columns without a bound
        self.width = settings.n_components + (-settings.n_components % LANES if self.few else 0)
        self.thrown = np.zeros(self.n_darts * self.width, np.int32)
        self.heights = np.full(self.n_darts * self.width, -1, np.float32)  # components nobody asked for land at once
        if len(edges):
            places = aims(stream(settings.seed, 1), (darts, settings.n_components), stratified)
            throw_ahead(places, edges / edges[-1], 1 / settings.p, self.few, self.thrown, self.heights)

    def darts(self, block: Amounts) -> np.ndarray:
        """Number of the dart that landed, -1 where all missed."""
        out = np.empty((len(block.indptr) - 1, self.width), np.int32)
        _warn(sample(*self._darts(), block.indptr, block.columns, block.sizes, out), block)
        return out[:, : self.settings.n_components]

    def codes(self, block: Amounts, bits: int, t_bits: int) -> np.ndarray:
        """Low bits of the number of the dart."""
        out = code_array(len(block.indptr) - 1, self.settings.n_components, 1 << (bits + t_bits))
        seed, indptr, columns, logs = self._unbounded(block)
        mask = (1 << (bits + t_bits)) - 1
        _warn(encode(*self._darts(), indptr, columns, block.sizes, seed, logs, mask, out), block)
        return out

    def samples(self, block: Amounts) -> tuple[np.ndarray, np.ndarray]:
        """Column and number of every dart."""
        darts = np.ascontiguousarray(self.darts(block))
        winners, steps = np.empty(darts.shape, np.int32), np.empty(darts.shape, np.int64)
        found = darts, self.few, self.thrown, self.n_darts, self.bounded
        spell(*found, *self._unbounded(block), BEYOND, winners, steps)
        return winners, steps

    def _darts(self) -> tuple:
        return self.few, self.thrown, self.heights, self.n_darts, self.places, self.scales

    def _unbounded(self, block: Amounts) -> tuple:
        return np.uint64(self.settings.seed), block.indptr, block.columns, block.logs(self.settings.p)


def _warn(over: int, block: Amounts) -> None:
    if over > WARN_SHARE * len(block.sizes):
        warnings.warn(OVER.format(over, len(block.sizes), 100 * WARN_SHARE), stacklevel=3)


def aims(seed: int, shape: tuple[int, int], stratified: bool) -> np.ndarray:
    """Uniform numbers, a row for each throw; stratified ones put one of each row into each k-th of (0, 1)."""
    g, j = np.arange(shape[0])[:, None], np.arange(shape[1])
    u = uniforms(seed, j, 2 * g)
    if not stratified:
        return u
    return (np.argsort(bits(seed, j, 2 * g + 1), axis=1, kind="stable") + u) / shape[1]


def filled_share(block: Amounts, bounds: np.ndarray, p: float) -> np.ndarray:
    """Share of the joint bounds that each row fills: a dart lands inside with this probability."""
    top = bounds.max(initial=1e-300)
    under = power(np.minimum(block.sizes, bounds[block.columns]) / top, p)
    total = power(bounds / top, p).sum()
    sums = np.concatenate([[0.0], np.cumsum(under)])[block.indptr]
    return np.diff(sums) / total if total else np.zeros(len(block.indptr) - 1)
