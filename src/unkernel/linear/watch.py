"""What callbacks of a fit are told, and how they end it."""

from collections.abc import Callable, Hashable, Iterable
from functools import wraps
from threading import RLock
from typing import Any, NamedTuple

import numpy as np

from .._validate import InputError


class Step(NamedTuple):
    """Where a fit is, told after every few passes and after every C.

    Attributes
    ----------
    stage : {"search", "fit"}
        Whether C is being chosen, or the final weights are on their way.
    done, total : int
        In a search: values of C tried, and the most that may be; searches mostly end sooner. In a fit: columns of
        weights within tol, and all.
    C : float
    passes : int
        Over the rows, of the column that was looked at last.
    gap : float
        Its relative duality gap.
    """

    stage: str
    done: int
    total: int
    C: float
    passes: int
    gap: float


class Watch:
    """Tells callbacks about a fit, one at a time whatever the thread, and remembers that one wanted an end.

    A callback wants an end by answering True; what else it returns does not matter.

    Parameters
    ----------
    callbacks : callable, iterable of callables or None
    tol : float

    Examples
    --------
    >>> steps = []
    >>> watch = Watch(steps.append, tol=1e-3)
    >>> watch.begin("fit", 2)
    >>> watch.passed("first", 1.0, 4, 5e-4), steps[-1].done
    (False, 1)
    """

    def __init__(self, callbacks: Any, tol: float):
        self._callbacks, self._tol, self._lock = check_callbacks(callbacks), tol, RLock()
        self.stopped = False
        self.begin("fit", 1)

    def begin(self, stage: str, total: int) -> None:
        """A search or the final fit begins."""
        self._stage, self._done, self._total = stage, 0, total
        self._within: set = set()

    def passed(self, column: Hashable, C: float, passes: int, gap: float) -> bool:
        """A column was looked at; whether to end."""
        with self._lock:
            if self._stage == "fit":
                (self._within.add if gap <= self._tol else self._within.discard)(column)
                self._done = len(self._within)
            return self._tell(C, passes, gap)

    def tried(self, C: float, done: int, total: int) -> bool:
        """A C of a search is done; whether to end."""
        with self._lock:
            self._done, self._total = done, total
            return self._tell(C, 0, np.nan)

    def _tell(self, C, passes, gap) -> bool:
        step = Step(self._stage, min(self._done, self._total), self._total, float(C), int(passes), float(gap))
        for callback in self._callbacks:
            answer = callback(step)
            self.stopped |= isinstance(answer, bool | np.bool_) and bool(answer)
        return self.stopped


def check_callbacks(callbacks: Any) -> tuple[Callable, ...]:
    """A callable, or some, as a tuple."""
    given = () if callbacks is None else tuple(callbacks) if isinstance(callbacks, Iterable) else (callbacks,)
    for callback in given:
        if not callable(callback) or isinstance(callback, type):
            raise InputError(f"callbacks holds {callback!r}; give functions that take one Step, or None")
    return given


def watching(callbacks: Any, tol: float, n_columns: int) -> Watch | None:
    """Who watches the fit of some columns; None where there are no callbacks."""
    if not check_callbacks(callbacks):
        return None
    watch = Watch(callbacks, tol)
    watch.begin("fit", n_columns)
    return watch


def unharmed(fit: Callable) -> Callable:
    """A `fit` that puts an estimator back as it was when it does not end: interrupted, or refused half way."""

    @wraps(fit)
    def whole(self, *rows, **options):
        before = dict(vars(self))
        try:
            return fit(self, *rows, **options)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return whole
