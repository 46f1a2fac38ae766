"""Penalties that set weights to zero: the sum of absolute weights, or of the lengths of groups of weights.

Weights belong to units, and a penalty is the sum over units of `size * length`. With `lone` weights, l1, every weight
of a unit counts for itself and units only say which weights are changed at once; else the unit is a group and counts
by its l2 norm, times the square root of the number of its weights.
"""

from typing import Any, NamedTuple

import numpy as np

from .._validate import InputError, check_choice
from ..features import Codes, Features


class Penalty(NamedTuple):
    """What a proximal solver needs to know.

    Attributes
    ----------
    starts : ndarray of shape (units + 1,), int64
    columns : ndarray of int64
        Unit u holds `columns[starts[u]:starts[u + 1]]`.
    size : ndarray of shape (units,)
    lone : bool
        Whether every weight counts for itself.
    intercept : float
        What the weight of the intercept's feature pays: 1 as in LIBLINEAR, 0 for an intercept that is free.
    """

    starts: np.ndarray
    columns: np.ndarray
    size: np.ndarray
    lone: bool
    intercept: float

    @property
    def n_units(self) -> int:
        """Units."""
        return len(self.size)

    def lengths(self, w: np.ndarray) -> np.ndarray:
        """What each unit counts before its size: the sum of |w| where weights are lone, else the norm."""
        part = w[self.columns]
        if self.lone:
            return np.add.reduceat(np.abs(part), self.starts[:-1])
        return np.sqrt(np.add.reduceat(part * part, self.starts[:-1]))

    def heights(self, g: np.ndarray) -> np.ndarray:
        """Size of a gradient in each unit by the dual norm: the largest |g|, or the norm; over the unit's size."""
        part = g[self.columns]
        if self.lone:
            return np.maximum.reduceat(np.abs(part), self.starts[:-1]) / self.size
        return np.sqrt(np.add.reduceat(part * part, self.starts[:-1])) / self.size

    def misses(self, w: np.ndarray, g: np.ndarray) -> np.ndarray:
        """Distance of each unit from its optimality condition, of which `proximal_hot.miss` is the compiled form."""
        part, slope, size = w[self.columns], g[self.columns], np.repeat(self.size, np.diff(self.starts))
        if self.lone:
            off = np.where(part != 0, np.abs(slope + np.sign(part) * size), np.maximum(np.abs(slope) - size, 0))
            return np.maximum.reduceat(off, self.starts[:-1])
        length = self.lengths(w)
        spread = np.repeat(np.where(length > 0, self.size / np.where(length > 0, length, 1), 0), np.diff(self.starts))
        off = np.sqrt(np.add.reduceat((slope + spread * part) ** 2, self.starts[:-1]))
        return np.where(length > 0, off, np.maximum(off - self.size, 0))


def penalty_of(name: str, F: Features, groups: Any = None, *, intercept: float = 1.0) -> Penalty:
    """The penalty of an estimator on features of some form.

    Parameters
    ----------
    name : {"l1", "group"}
    groups : array-like of shape (columns,), int, or None
        The group of every column, or how many neighbours make one. None on codes is their components.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import Dense
    >>> penalty = penalty_of("group", Dense(np.eye(4)), [1, 0, 1, 0])
    >>> penalty.columns.tolist(), penalty.starts.tolist()
    ([1, 3, 0, 2], [0, 2, 4])
    """
    check_choice("penalty", name, ("l1", "group"))
    lone, d = name == "l1", F.shape[1]
    if lone and groups is not None:
        raise InputError(
            'groups are given and penalty is "l1", which has none; use penalty="group" or leave groups out'
        )
    if isinstance(F, Codes):
        if groups is not None:
            raise InputError(
                "groups are given for codes, whose groups are their components; leave groups out, or fit on F.to_csr()"
            )
        unit = np.repeat(np.arange(F.codes.shape[1]), F.levels)
    else:
        unit = np.arange(d) if lone else _units(groups, d)
    columns = np.argsort(unit, kind="stable")
    counts = np.bincount(unit)
    starts = np.concatenate([[0], np.cumsum(counts)])
    size = np.ones(len(counts)) if lone else np.sqrt(counts)
    return Penalty(starts.astype(np.int64), columns.astype(np.int64), size, lone, float(intercept))


def _units(groups, d: int) -> np.ndarray:
    """Group of every column, as numbers from 0 without gaps."""
    if groups is None:
        raise InputError(
            'penalty is "group" and groups is None; give the group of every column, or how many neighbours make one '
            "(only codes bring groups of their own)"
        )
    if np.ndim(groups) == 0:
        if isinstance(groups, bool | np.bool_) or not isinstance(groups, int | np.integer) or groups < 1 or d % groups:
            raise InputError(f"groups is {groups!r}; it must be a whole number that divides the {d} columns")
        return np.arange(d) // int(groups)
    labels = np.asarray(groups)
    if labels.shape != (d,):
        raise InputError(f"groups has shape {labels.shape} and X has {d} columns; give one group for every column")
    if labels.dtype.kind not in "iuUSb":
        raise InputError(f"groups are {labels.dtype}; name groups by whole numbers or words")
    return np.unique(labels, return_inverse=True)[1]
