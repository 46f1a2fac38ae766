"""Dual coordinate descent on the few rows that are still in play, whose inner products are held.

A step then costs a pass over those rows' predictions instead of additions to a row's weights, and a prediction costs
nothing. How many codes two rows share is counted on their bits, sixty-four components and sixteen rows at a time.
"""

import numpy as np

from .gram_cd_hot import add_steps, descend
from .tiles import bits_of
from .tiles_hot import LANES, compare, slice_bits

EPOCHS = 40
PART = 0.2  # of the largest violation, below which a violation is too small for a step
DEEPER = 0.1  # a pass ends when its violations are this small a part of what it began with
JOIN = 200  # rows that may join at a time, or as many as there are with a dual variable
FULL = 0.95  # of the room, beyond which rows with a dual variable are too many
MANY = 0.5  # of all rows, beyond which too many want a dual variable
PAIRS = 100  # of rows that may be compared at once, for every row: as long as a few passes take
LEAST_BYTES = 6 << 20
SHARE = 16  # of the codes' bytes that counts of equal codes may take, if that is more


class Few:
    """Rows in play of one column, and how many codes they share; grows as rows join.

    Parameters
    ----------
    F : Codes
    tiles : Tiles
        Of the same codes.
    """

    def __init__(self, F, tiles):
        self.F, self.tiles = F, tiles
        most = min(int(np.sqrt(max(LEAST_BYTES, F.nbytes // SHARE) // 2)), len(tiles.row))
        self.most = -(-most // LANES) * LANES if F.codes.shape[1] < 1 << 16 else 0  # counts have two bytes
        self.alike, self.planes = np.empty((0, 0), dtype=np.uint16), np.empty(0, dtype=np.uint64)
        self.kept, self.here = np.empty(0, dtype=np.int64), np.zeros(len(tiles.row), dtype=bool)

    def serve(self, column) -> bool:
        """Whether the next pass may go over few rows, and if so admit them: those with a dual variable, and the eager.

        Not where rows with a dual variable are too many, or where most rows want one.
        """
        started = column.b.any()
        free = np.flatnonzero(column.b)
        eager = np.flatnonzero((column.spare < 0) & (column.b == 0))
        counted = np.count_nonzero(column.c)
        if not self.most or len(free) > FULL * self.most or (started and len(eager) > MANY * counted):
            return False
        room = min(self.most - len(free), max(JOIN, len(free)))
        if not started:
            eager = _first(column, eager, room)
        elif len(eager) > room:
            eager = eager[np.argpartition(column.spare[eager], room)[:room]]
        rows = np.concatenate([free, eager])
        if np.count_nonzero(~self.here[rows]) * len(rows) > PAIRS * counted:
            return False
        self.admit(rows)
        return True

    def admit(self, rows: np.ndarray) -> None:
        """Compare `rows`, beside those already here while there is room."""
        new = np.sort(rows[~self.here[rows]])
        if len(self.kept) + len(new) > self.most:
            self.here[self.kept] = False
            self.kept, new = self.kept[:0], np.sort(rows)
        if not len(new):
            return
        start, self.kept = len(self.kept), np.concatenate([self.kept, new])
        self.here[new] = True
        codes, tiles = self.F.codes, self.tiles
        k = codes.shape[1]
        words, n_planes = bits_of(self.F)
        if len(self.kept) > len(self.alike):
            self._grow(start, words * n_planes)
        filled = tiles.size[self.kept] != 0
        slice_bits(codes.reshape(-1), k, tiles.row[self.kept] * k, start, words, n_planes, self.planes)
        compare(self.planes, k, words, n_planes, filled, start, self.alike)

    def _grow(self, start: int, words: int) -> None:
        """Room for those here and a quarter more; what is known of the first `start` rows stays."""
        room = min(self.most, -(-5 * len(self.kept) // (4 * LANES)) * LANES)
        alike, planes = np.empty((room, room), dtype=np.uint16), np.zeros(room * words, dtype=np.uint64)
        alike[:start, :start] = self.alike[:start, :start]
        held = -(-start // LANES) * LANES * words
        planes[:held] = self.planes[:held]
        self.alike, self.planes = alike, planes

    def descend(self, column) -> tuple[int, float]:
        """Descend on the rows here; w and b of the column follow. Returns (rows visited, largest violation left)."""
        kept, bias = self.kept, column.problem.bias
        f, old = column.decided[kept].astype(np.float64), column.b[kept]
        new, order = old.copy(), np.arange(len(kept))
        eps = DEEPER * max(0.0, -float(column.spare[kept].min()))
        visited, left = descend(
            *(self.alike, self.F.value**2, bias, column.y[kept], column.c[kept], column.rule, f, new),
            *(order, column.state, eps, PART, EPOCHS),
        )
        add_steps(self.tiles, kept, new - old, bias, column.w)
        column.b[kept] = new
        return visited, left


def _first(column, rows: np.ndarray, room: int) -> np.ndarray:
    """Some rows to begin with, half of them of the class that counts as +1 if it has so many."""
    positive = column.y[rows] > 0
    chosen = rows[positive][: room // 2]
    return np.concatenate([chosen, rows[~positive][: room - len(chosen)]])
