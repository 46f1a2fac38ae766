"""Which sampler: the cheapest for the rows of `fit`, by a model of what each would cost on a sample of them.

Costs are counts of what the loops do, in nanoseconds of one core each; counts come from the rows and the constants are
fixed, so the same rows give the same choice on any machine.
"""

from math import log
from typing import NamedTuple

import numpy as np

from .._validate import InputError
from .amount import Amounts, amounts, largest
from .counter import Counter
from .dart import Dart, largest_sum
from .icws import Icws, panel_width
from .icws_hot import PLACES
from .rejection import Rejection, filled_share
from .rejection_hot import FEW, ROUNDS
from .sampler import Sampler, Settings

ALGORITHMS = ("icws", "counter", "rejection", "dart")
STEPPING = ("icws", "counter")  # samplers whose samples are a column and a step
SAMPLE_ROWS = 256
CHUNK_ROWS = 4096
TABLE_LIMIT = 1 << 28  # bytes of random numbers kept for ICWS
DARTS_LIMIT = 1 << 22  # bytes of darts: they are read in order, so L3 will do

PAIRS = ((1 << 16, 0.075), (1 << 20, 0.1), (1 << 22, 0.15), (np.inf, 0.2))  # an amount met by a component, by size of
# what a tile reads: its table, or one panel of it
DRAW, SAMPLE = 2.1, 0.4  # the random numbers of a column and component; one component of a row
TRY, MISSED, LOOK = 1.4, 25.0, 1.5  # one dart; an amount met after all missed; an amount spread
THROW, LANDED = 0.15, 3.4  # a throw of sixteen, for each; mean of the largest of sixteen exponentials
CELL, BAND, WEIGH = 14.0, 12.0, 40.0  # one cell of darts; an amount in one band of ranks; an amount weighed
COUNTER_ROWS = 4096
BOUNDED_COLUMNS = 1 << 22


class Plan(NamedTuple):
    """A sampler by name, what it learned from the rows of `fit`, and the bits its samples need."""

    algorithm: str
    bits: int
    bounds: np.ndarray | None = None
    darts: int = 0
    scale: float = 0.0
    held: float = 1.0  # amounts a row
    stratified: bool = False


def choose(algorithm: str, settings: Settings, X, *, among: tuple[str, ...] = ALGORITHMS) -> Plan:
    """The plan for rows like these; `algorithm` is "auto", the cheapest of those `among` which it may be, or a name."""
    block = amounts(X[:: max(1, -(-X.shape[0] // SAMPLE_ROWS))])
    bounded = settings.width <= BOUNDED_COLUMNS
    bounds = largest(X) if bounded and algorithm in ("auto", "rejection") else None
    shares = np.ones(0) if bounds is None else filled_share(block, bounds, settings.p)[block.filled]
    darts, each = 0, np.inf
    if bounds is not None:
        darts, each = enough_darts(block, np.maximum(shares, 1e-9), settings, np.count_nonzero(bounds) < FEW)
    if algorithm == "auto":
        costs = {**costs_of_sampling(block, settings), "rejection": each}
        algorithm = min((name for name in costs if name in among), key=costs.get)
    else:
        _check_room(algorithm, settings)
    held = len(block.sizes) / max(1, block.filled.sum())
    if algorithm == "rejection":
        throws = float(np.median(1 / np.maximum(shares, 1e-9))) if len(shares) else 1.0
        return Plan(algorithm, bits_for(5 * throws, 2), bounds, darts, held=held)
    if algorithm == "dart":
        chunks = (X[i : i + CHUNK_ROWS] for i in range(0, X.shape[0], CHUNK_ROWS))
        scale = max(largest_sum(amounts(chunk), settings.p) for chunk in chunks)
        return Plan(algorithm, 8, scale=scale, held=held)
    return Plan(algorithm, bits_for(settings.width * (1 + (X.min() < 0)), 1), held=held)


def _check_room(algorithm: str, settings: Settings) -> None:
    """Refuse a sampler whose memory grows with the columns where there are too many."""
    if algorithm == "icws" and table_bytes(settings) > TABLE_LIMIT:
        raise InputError(
            f"tables for {settings.width} columns and {settings.n_components} components take "
            f"{table_bytes(settings) >> 20} MB, and {TABLE_LIMIT >> 20} are kept at most; algorithm='counter' draws "
            "the same samples without tables"
        )
    if algorithm == "rejection" and settings.width > BOUNDED_COLUMNS:
        raise InputError(
            f"X has {settings.width} columns and bounds are kept of {BOUNDED_COLUMNS} at most; use algorithm='counter'"
        )


def make(plan: Plan, settings: Settings) -> Sampler:
    """The sampler of a plan."""
    if plan.algorithm == "rejection":
        return Rejection(settings, plan.bounds, plan.darts, plan.stratified)
    if plan.algorithm == "dart":
        return Dart(settings, plan.scale)
    return (Icws if plan.algorithm == "icws" else Counter)(settings)


def costs_of_sampling(block: Amounts, settings: Settings) -> dict[str, float]:
    """Nanoseconds of a row with each sampler that needs no bounds."""
    k, held = settings.n_components, np.diff(block.indptr)[block.filled]
    if not len(held):
        return {"counter": 0.0}
    columns, fresh = len(np.unique(block.columns)), fresh_columns(block)
    panel = panel_width(float(held.mean()), settings.width) or np.inf
    met, met_anew = (
        float(k * (next(cost for room, cost in PAIRS if min(n, panel) * 4 * PLACES <= room) * held.mean() + SAMPLE))
        for n in (columns, fresh * COUNTER_ROWS)
    )
    sums = np.add.reduceat(block.sizes, block.indptr[:-1][block.filled])
    bands = 2 + 2 * np.log2(sums.max() / sums)
    darts = float(CELL * k * (log(k) + 1) + np.mean(held * (WEIGH + BAND * bands)))
    costs = {"counter": met_anew + k * DRAW * fresh, "dart": darts}
    return {"icws": met, **costs} if table_bytes(settings) <= TABLE_LIMIT else costs


def fresh_columns(block: Amounts) -> float:
    """Columns a row adds to those in use, in blocks of COUNTER_ROWS; from the growth between half the rows and all."""
    n = len(block.indptr) - 1
    whole = len(np.unique(block.columns))
    half = len(np.unique(block.columns[: block.indptr[n // 2]]))
    growth = np.log2(whole / half) if half else 1.0
    return whole * (COUNTER_ROWS / n) ** min(growth, 1.0) / COUNTER_ROWS


def enough_darts(block: Amounts, shares: np.ndarray, settings: Settings, few: bool) -> tuple[int, float]:
    """(darts a component to keep, nanoseconds of a row with them): more miss less often, and take room."""
    k, held = settings.n_components, np.diff(block.indptr)[block.filled]
    if not len(held):
        return 8, 0.0
    costs = {}
    last = LANDED / -np.log1p(-np.minimum(shares, 1 - 1e-9)) + ROUNDS / 2  # of sixteen darts
    for darts in (8, 16, 32, 64, 128, 256, 512, 1024):
        missed = (1 - shares) ** darts
        tries = THROW * np.minimum(last, darts) if few else TRY * (1 - missed) / shares
        costs[darts] = float(np.mean(k * (SAMPLE + tries + MISSED * missed * held) + LOOK * held))
        if 16 * darts * k > DARTS_LIMIT:
            break
    best = min(costs, key=costs.get)
    return best, costs[best]


def table_bytes(settings: Settings) -> int:
    """Memory that the tables of ICWS would take."""
    return 32 * settings.width * settings.n_components


def bits_for(values: float, least: int) -> int:
    """Bits that tell so many values apart, between `least` and 8."""
    return int(np.clip(np.ceil(np.log2(max(values, 1))), least, 8))
