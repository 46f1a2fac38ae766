"""Consistent weighted sampling with tables: the random numbers of every column, drawn once and kept in memory."""

from collections.abc import Iterable, Iterator

import numpy as np

from .amount import Amounts
from .icws_hot import PLACES, TILE, cut, fill, sample, sample_codes
from .sampler import Settings, code_array

PANEL, MOST = 48, 128  # columns of a panel: the numbers of one tile, 24 kB, share L1 with the rows, if rows are full
ENOUGH = 16  # amounts a row should hold in a panel, for its best so far to be worth keeping

Tile = tuple[int, np.ndarray, np.ndarray]  # first component, winners, steps


class Icws:
    """Improved consistent weighted sampling, i* and t* of each component.

    Cost: 16 bytes of table a (column, component), and as many read a (nonzero, component).

    References
    ----------
    Ioffe, Improved Consistent Sampling, Weighted Minhash and L1 Sketching, ICDM 2010. Li, Generalized Min-Max Kernel
    and Generalized Consistent Weighted Sampling, 2016, algorithm 1.
    """

    def __init__(self, settings: Settings):
        self.settings = settings
        n_tiles = -(-settings.n_components // TILE)
        self.tables = aligned(n_tiles * 2 * settings.width * PLACES).reshape(n_tiles, -1)
        for tile in range(n_tiles):
            fill(np.uint64(settings.seed), tile * TILE, 2 * settings.width, self.tables[tile])

    def codes(self, block: Amounts, bits: int, t_bits: int) -> np.ndarray:
        """Low bits of i*, then low bits of t*."""
        out = code_array(len(block.indptr) - 1, self.settings.n_components, 1 << (bits + t_bits))
        sample_codes(*met(block, block.columns, self.settings), self.tables, bits, t_bits, out)
        return out

    def samples(self, block: Amounts) -> tuple[np.ndarray, np.ndarray]:
        """Every i* and t*."""
        return samples_of(tiles(block, block.columns, self.settings, self.tables), block, self.settings)


def met(block: Amounts, places: np.ndarray, settings: Settings) -> tuple[np.ndarray, ...]:
    """The rows as the loops take them: where panels are cut, columns, places in the table, logarithms of amounts."""
    return panels(block, settings.width), block.columns, places, block.logs(settings.p)


def tiles(block: Amounts, places: np.ndarray, settings: Settings, tables: Iterable[np.ndarray]) -> Iterator[Tile]:
    """Samples of each tile in turn, from its table; the arrays are written over by the next."""
    rows, n = met(block, places, settings), len(block.indptr) - 1
    winners, steps = np.empty((n, TILE), np.int32), np.empty((n, TILE), np.float32)
    for number, table in enumerate(tables):
        sample(*rows, table, winners, steps)
        yield number * TILE, winners, steps


def panels(block: Amounts, width: int) -> np.ndarray:
    """Where each row enters each panel of columns."""
    n = len(block.indptr) - 1
    panel = panel_width(len(block.columns) / n, width)
    if panel is None:
        return np.stack([block.indptr[:-1], block.indptr[1:]], axis=1)
    cuts = np.empty((n, -(-width // panel) + 1), np.int64)
    cut(block.indptr, block.columns, width, panel, cuts)
    return cuts


def panel_width(held: float, width: int) -> int | None:
    """Columns of a panel for rows with so many amounts, None where one panel of all columns is as good."""
    panel = max(PANEL, int(ENOUGH * width / max(held, 1.0)))
    return panel if panel < width and panel <= MOST else None


def samples_of(found: Iterable[Tile], block: Amounts, settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    """All samples of tiles, side by side; -1 in rows that hold nothing."""
    columns = np.empty((len(block.indptr) - 1, settings.n_components), np.int32)
    steps = np.empty(columns.shape, np.int64)
    for first, winners, floors in found:
        columns[:, first : first + TILE] = winners[:, : settings.n_components - first]
        steps[:, first : first + TILE] = floors[:, : settings.n_components - first]
    columns[~block.filled] = steps[~block.filled] = -1
    return columns, steps


def aligned(n: int) -> np.ndarray:
    """Room for n float32 that begins on a cache line, so that no register is loaded from two."""
    room = np.empty(n + 16, np.float32)
    start = (-room.ctypes.data % 64) // 4
    return room[start : start + n]
