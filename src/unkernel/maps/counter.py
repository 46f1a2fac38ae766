"""Consistent weighted sampling without tables: the random numbers of a column are made where they are used."""

from collections.abc import Iterator

import numpy as np

from .amount import Amounts
from .counter_hot import fill, number, sample_codes
from .icws import aligned, met, samples_of, tiles
from .icws_hot import PLACES, TILE
from .sampler import Settings, code_array

FEW = 1 << 23  # columns up to which a block may number them by looking them up


class Counter:
    """The samples of `Icws`, to the bit, in memory that does not grow with the columns of X or the components.

    The numbers of the columns that a block of rows holds are drawn from their counters, 32 components at a time, used
    for every row of the block and forgotten. Cost: that of `Icws`, and about 2 ns a (column in use, component).
    """

    def __init__(self, settings: Settings):
        self.settings = settings

    def codes(self, block: Amounts, bits: int, t_bits: int) -> np.ndarray:
        """Low bits of i*, then low bits of t*."""
        out = code_array(len(block.indptr) - 1, self.settings.n_components, 1 << (bits + t_bits))
        in_use, places = numbered(block.columns, 2 * self.settings.width)
        drawn = np.uint64(self.settings.seed), in_use, aligned(len(in_use) * PLACES)
        sample_codes(*drawn, *met(block, places, self.settings), bits, t_bits, out)
        return out

    def samples(self, block: Amounts) -> tuple[np.ndarray, np.ndarray]:
        """Every i* and t*."""
        in_use, places = numbered(block.columns, 2 * self.settings.width)
        return samples_of(tiles(block, places, self.settings, self._tables(in_use)), block, self.settings)

    def _tables(self, in_use: np.ndarray) -> Iterator[np.ndarray]:
        table = aligned(len(in_use) * PLACES)
        for first in range(0, self.settings.n_components, TILE):
            fill(np.uint64(self.settings.seed), first, in_use, table)
            yield table


def numbered(columns: np.ndarray, n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    """(columns in use, place of each among them)."""
    if n_columns > FEW:
        return np.unique(columns, return_inverse=True)
    in_use, places = np.empty_like(columns), np.empty_like(columns)
    n = number(columns, np.full(n_columns, -1, np.int32), in_use, places)
    return in_use[:n], places
