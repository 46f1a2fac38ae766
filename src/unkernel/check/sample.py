"""Which rows train and which judge: a stratified split by a function of the seed, and a sample with a stated error."""

from typing import NamedTuple

import numpy as np

from ..maps.random import bits

FOLDS = 4  # three parts train, one judges
LONE, EXTRA = -1, FOLDS  # rows that always train, being alone in their class; rows that only judge
DISAGREE = 0.15  # share of rows two models are taken to judge differently when rows are counted out
MOST_TRAIN = 9_000
MOST_JUDGE = 6_000


class Plan(NamedTuple):
    """Rows of the check, in random order within each class.

    Attributes
    ----------
    used : ndarray of int
        Rows that take turns in training and judging.
    fold : ndarray of int
        Part of each used row; -1 never judges.
    extra : ndarray of int
        Rows that only judge, when there are more rows than may be trained on.
    half_width : float
        Expected half width of the 95 % interval of a gap in accuracy, if `DISAGREE` of rows are judged differently.
    """

    used: np.ndarray
    fold: np.ndarray
    extra: np.ndarray
    half_width: float

    @property
    def rows(self) -> np.ndarray:
        """All rows that take part, those that only judge last."""
        return np.concatenate([self.used, self.extra])

    @property
    def parts(self) -> np.ndarray:
        """The part of each of these."""
        return np.concatenate([self.fold, np.full(len(self.extra), EXTRA)])

    def split(self, turn: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows that train and rows that judge on this turn."""
        judges = self.fold == turn
        return self.used[~judges], np.concatenate([self.used[judges], self.extra])


def plan(strata: np.ndarray, *, epsilon: float, seed: int, most_train: int) -> Plan:
    """Rows to use out of `len(strata)`, where a stratum is a class (or 0 for all rows of a regression).

    All rows if no more than `most_train` of them would train. Else `most_train` train, and enough judge that the
    interval is about half as wide as epsilon, `rows_for(epsilon / 2)`, as far as there are rows.
    """
    n = len(strata)
    order, rank = stratified_order(strata, seed)
    size = min(n, most_train * FOLDS // (FOLDS - 1))
    used = order[:size]
    count = np.bincount(strata[used], minlength=int(strata.max()) + 1)
    start = np.concatenate([[0], np.cumsum(count)[:-1]])
    fold = ((rank[used] + start[strata[used]]) % FOLDS).astype(int)
    fold[count[strata[used]] < 2] = LONE
    wanted = min(rows_for(epsilon / 2), MOST_JUDGE) - size // FOLDS
    extra = order[size : size + max(0, wanted)]
    judging = int((fold == 0).sum()) + len(extra)
    return Plan(used, fold, extra, half_width(judging))


def rows_for(half: float, disagree: float = DISAGREE) -> int:
    """Rows that must judge for a 95 % interval of a gap in accuracy no wider than `half` on either side.

    Examples
    --------
    >>> rows_for(0.01)
    5763
    """
    return int(np.ceil(1.96**2 * disagree / half**2))


def half_width(judging: int, disagree: float = DISAGREE) -> float:
    """Half of the 95 % interval of a gap in accuracy that `judging` rows give."""
    return float(1.96 * np.sqrt(disagree / max(judging, 1)))


def stratified_order(strata: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """All rows in an order whose every beginning holds the classes in proportion; and each row's rank in its class."""
    n = len(strata)
    luck = bits(seed, np.arange(n), 0)
    by_class = np.lexsort((luck, strata))
    count = np.bincount(strata)
    start = np.concatenate([[0], np.cumsum(count)[:-1]])
    rank = np.empty(n, dtype=np.int64)
    rank[by_class] = np.arange(n) - np.repeat(start, count)
    place = (rank + (luck >> np.uint64(11)) * 2.0**-53) / count[strata]
    return np.argsort(place, kind="stable"), rank
