"""Codes in tiles of sixteen rows, four bits a code: the weights of a component are one register to look up in.

A component that uses at most sixteen levels becomes one block of sixteen weights; one that uses more becomes several
blocks of fifteen, in all but one of which a row has the code 15 that stands for nothing. Levels that no row uses get
no weight. The columns of weights of a tiled problem are those blocks, side by side: `W[16 * block + code]`.
"""

from typing import NamedTuple

import numpy as np

from .._blocks import map_blocks
from ..features import Codes
from .tiles_hot import WORD, liken, mark, pack

ROWS = 16
NOTHING = 15
MOST_BLOCKS = 2.0  # blocks per component; beyond, tiles would take more memory than the codes
BLOCK_TILES = 64


class Tiles(NamedTuple):
    """Codes as sixteen-row tiles; all a compiled loop needs.

    Attributes
    ----------
    packed : ndarray of shape (tiles * pairs * 16,), uint8
        By tile, pair of blocks, and row: its code in the even block (low four bits) and the odd one (high).
    pairs : int
        Pairs of blocks.
    alike : ndarray of shape (tiles, 16, 16), uint8
        How alike two rows of a tile are: inner product in 255ths of the largest. Rounded, since it only guides steps.
    size : ndarray of shape (16 * tiles,), float32
        Value of a row's set features; 0 for an empty row and for the padding.
    row : ndarray of shape (16 * tiles,), int64
        Which row of the codes this is; the rows are shuffled, since neighbours in a file resemble each other. The
        padding repeats row 0 with size 0.
    origin : ndarray of shape (32 * pairs,), int64
        Which column of the codes each weight is, -1 for none.
    n_plain : int
        Blocks in which 15 is a code like any other; even.
    top : float
        The largest inner product, k * value^2.
    """

    packed: np.ndarray
    pairs: int
    alike: np.ndarray
    size: np.ndarray
    row: np.ndarray
    origin: np.ndarray
    n_plain: int
    top: float

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return sum(part.nbytes for part in self if isinstance(part, np.ndarray))


def tile(F: Codes, *, seed: int = 0, n_jobs: int | None = None) -> Tiles | None:
    """Tiles of codes, or None where codes use too many levels for them.

    Cost: two passes over the codes; half a byte per code and block, and sixteen bytes per row.
    """
    n, k = F.codes.shape
    used = np.zeros((k, F.levels), dtype=np.uint8)
    mark(F.codes, used)
    plain = not used[:, ROWS:].any()
    if plain:
        used[:, :ROWS] = 1  # codes are ranks already
    layout = _layout(used)
    if layout is None:
        return None
    component, first, rank, origin, n_plain = layout
    n_tiles = -(-n // ROWS)
    row = np.zeros(n_tiles * ROWS, dtype=np.int64)
    row[:n] = np.random.default_rng(seed).permutation(n)
    size = np.zeros(len(row), dtype=np.float32)
    size[:n] = np.where(F.filled[row[:n]], F.value, 0)
    packed = np.empty((n_tiles, len(component) // 2, ROWS), dtype=np.uint8)
    alike = np.empty((n_tiles, ROWS, ROWS), dtype=np.uint8)

    words, n_planes = bits_of(F)

    def some(tiles: slice) -> None:
        pack(F.codes, row, n_plain if plain else 0, component, first, rank, tiles.start, packed[tiles])
        planes = np.zeros(words * n_planes * ROWS, dtype=np.uint64)
        liken(F.codes.reshape(-1), k, row, size, tiles.start, planes, alike[tiles])

    map_blocks(some, n_tiles, block_rows=BLOCK_TILES, n_jobs=n_jobs)
    return Tiles(packed.reshape(-1), packed.shape[1], alike, size, row, origin, n_plain, k * F.value**2)


def bits_of(F: Codes) -> tuple[int, int]:
    """Words of bits per row of codes, and bits per code."""
    return -(-F.codes.shape[1] // WORD), max(1, (F.levels - 1).bit_length())


def _layout(used: np.ndarray) -> tuple | None:
    """Component and first rank of each block, rank of each level, origin of each weight, number of plain blocks."""
    k, levels = used.shape
    count = used.sum(axis=1, dtype=np.int64)
    rank = np.where(used, used.cumsum(axis=1, dtype=np.int64) - 1, 0).astype(np.int32)
    plain = np.flatnonzero(count <= ROWS)
    plain = plain[: len(plain) // 2 * 2]
    split = np.setdiff1d(np.arange(k), plain)
    blocks = [(j, 0, ROWS) for j in plain] + [
        (j, s, NOTHING) for j in split for s in range(0, max(count[j], 1), NOTHING)
    ]
    if len(blocks) % 2:
        blocks.append((0, levels, NOTHING))  # no rank reaches it
    if len(blocks) > MOST_BLOCKS * k + 1:
        return None
    origin = np.full((len(blocks), ROWS), -1, dtype=np.int64)
    for at, (j, s, width) in enumerate(blocks):
        here = np.flatnonzero(used[j])[s : s + width]
        origin[at, : len(here)] = j * levels + here
    component, first, _ = (np.array(part, dtype=np.int64) for part in zip(*blocks, strict=True))
    return component, first, rank, origin.ravel(), len(plain)


def untile(tiles: Tiles, W: np.ndarray, n_columns: int) -> np.ndarray:
    """Weights by column of the codes; zero for levels that no row used."""
    out = np.zeros((n_columns, W.shape[1]), dtype=W.dtype)
    real = tiles.origin >= 0
    out[tiles.origin[real]] = W[: len(real)][real]
    return out
