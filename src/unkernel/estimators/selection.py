"""Which scale and kernel: every candidate on a few rows, the best of them on more, judged by leaving rows out.

A rung is a sample of rows. Each candidate's Gram matrix of that sample gives the leave-one-out predictions of all
ridges at once, so nothing is held out twice and no fold is fitted. Samples are nested and hold every class. A candidate
goes on while the paired losses of the same rows do not show the best to be better; the race ends with one runner.
"""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from .._blocks import map_tasks, one_blas_thread
from ..kernels.gaussian import RBF
from ..kernels.minmax import GMM
from ..kernels.polynomial import Polynomial
from .candidates import Candidate
from .leave_one_out import leave_one_out
from .relevance import relevance
from .scaling import Scale

RIDGES = 10.0 ** np.arange(-4, 2.1, 0.5)  # times the mean of the kernel's diagonal
RUNGS = ((300, 8), (900, 3), (2000, 1))  # rows of a rung, and how many of it go on at most
BEATEN = 2.5  # standard errors of the paired difference from the best that end a candidate's race
DENSE_BYTES = 1 << 26  # sparse rows of a rung are made dense up to here: products of few columns are quicker so
NEAR = np.array(
    [10**-0.5, 1.0, 10**0.5]
)  # ridges a rung tries about the best of the one before; the last takes it as it is
WEIGH_ROWS = 800  # fewer rows cannot both teach weights of columns and judge them
WEIGHED_ROWS = 500
BLUR = 0.1  # weight of the squared error beside the share of wrong rows, which alone is too coarse


class Target(NamedTuple):
    """What is to be predicted, as columns of least squares, and how predictions are judged row by row."""

    Y: np.ndarray  # (n, q): -1 and +1 for classes, centred numbers for a regression
    weight: np.ndarray  # (n,)
    index: np.ndarray | None  # class of each row; None for a regression

    def of(self, rows) -> "Target":
        """The same for some rows."""
        return Target(self.Y[rows], self.weight[rows], None if self.index is None else self.index[rows])

    @property
    def precision(self) -> type:
        """Of decompositions: classes ask for no more than float32, and it takes half the time."""
        return np.float64 if self.index is None else np.float32

    def losses(self, scores: np.ndarray) -> np.ndarray:
        """Loss of each row: wrong or right, or the squared error."""
        if self.index is None:
            return ((self.Y - scores) ** 2).mean(axis=1)
        chosen = scores.argmax(axis=1) if scores.shape[1] > 1 else (scores[:, 0] > 0).astype(int)
        return (chosen != self.index).astype(float)

    def blurred(self, scores: np.ndarray) -> np.ndarray:
        """Loss of each row with ties broken by how near it was."""
        if self.index is None:
            return self.losses(scores)
        return self.losses(scores) + BLUR * ((self.Y - np.clip(scores, -1, 1)) ** 2).mean(axis=1)


class Trial(NamedTuple):
    """One candidate on one rung, at its best ridge."""

    candidate: Candidate
    rows: int
    ridge: float  # in units of the kernel's mean diagonal
    unit: float  # that mean
    loss: float  # weighted mean of the losses
    error: float  # its standard error
    blurred: float  # what decides
    seconds: float
    scores: np.ndarray | None  # of every row of the rung, by the others
    losses: np.ndarray | None  # of the rows that judged
    judged: np.ndarray | None  # what decides, row by row

    @property
    def C(self) -> float:
        """The C of a linear learner that the ridge stands for, kept where solvers are quick."""
        return min(0.5 / self.ridge, 100.0) / self.unit


def order(target: Target, seed: int) -> np.ndarray:
    """Rows in an order whose every prefix is a sample that holds the classes in proportion."""
    shuffled = np.random.default_rng(seed).permutation(len(target.Y))
    if target.index is None:
        return shuffled
    index = target.index[shuffled]
    by_class = np.argsort(index, kind="stable")
    counts = np.bincount(index)
    within = np.arange(len(index)) - np.repeat(np.cumsum(counts) - counts, counts)
    share = np.empty(len(index))
    share[by_class] = (within + 0.5) / np.repeat(counts, counts)
    share[by_class[within == 0]] = 0  # the first row of each class comes before all second ones
    return shuffled[np.argsort(share, kind="stable")]


class Entry(NamedTuple):
    """A candidate with the ridges it is tried at."""

    candidate: Candidate
    ridges: np.ndarray


def select(
    candidates: list[Candidate],
    X: Any,
    target: Target,
    *,
    seed: int = 0,
    rungs=RUNGS,
    weigh: bool = True,
    n_jobs: int | None = None,
    progress: Callable[[float, str], Any] | None = None,
) -> list[list[Trial]]:
    """Trials of every rung, the best first; the first of the last rung has won.

    After the first rung, with `weigh` and rows enough, columns are weighted by their relevance, learned on some of the
    rows; candidates on weighted columns join, and the rows that taught the weights judge nobody any more.
    """
    rows, history = order(target, seed), []
    field = [Entry(candidate, RIDGES) for candidate in candidates]
    seen = 0  # rows that weights of columns were learned from, which judge nobody afterwards
    for i, (size, keep) in enumerate(rungs):
        sample = rows[:size]
        if progress:
            progress(i / (len(rungs) + 1), f"{len(field)} candidates on {len(sample):,} rows")
        trials = _rung(field, X[sample], target.of(sample), seen, n_jobs)
        history.append(sorted(trials, key=lambda trial: trial.blurred))
        if size >= len(rows):
            break
        runners = _runners(history[-1], keep, target.weight[sample[len(sample) - len(history[-1][0].judged) :]])
        weighs = weigh and not seen and len(rows) >= WEIGH_ROWS and isinstance(X, np.ndarray)
        if len(runners) == 1 and not weighs:
            break
        near = NEAR if i + 2 < len(rungs) else NEAR[1:2]
        field = [Entry(t.candidate, _about(t.ridge, near)) for t in _with_linear(runners, history[-1])]
        if weighs:
            seen = min(WEIGHED_ROWS, len(rows) // 2)
            field += _weighted(history[-1], X[rows[:seen]], target.of(rows[:seen]))
    return history


def _about(ridge: float, near: np.ndarray) -> np.ndarray:
    """Ridges near one, none below the least: rounding would decide there."""
    return np.unique(np.maximum(ridge * near, RIDGES[0]))


def _runners(trials: list[Trial], most: int, weight: np.ndarray) -> list[Trial]:
    """The best, and those that the same rows, of these weights, do not show to be worse."""
    best = trials[0]
    return [best, *(t for t in trials[1:most] if not _beaten(t.judged - best.judged, weight))]


def _beaten(gaps: np.ndarray, weight: np.ndarray) -> bool:
    mean = np.average(gaps, weights=weight)
    error = np.sqrt(np.average((gaps - mean) ** 2, weights=weight) / len(gaps))
    return bool(mean > BEATEN * error)


def _with_linear(runners: list[Trial], trials: list[Trial]) -> list[Trial]:
    """The best linear one goes along: what all the rest is held against."""
    linear = next((t for t in trials if t.candidate.is_linear), None)
    return runners if linear is None or any(t is linear for t in runners) else [*runners, linear]


def _weighted(trials: list[Trial], X, target: Target) -> list[Entry]:
    """Candidates on columns weighted by their relevance, after the best Gaussian kernel of a rung."""
    gaussian = [t for t in trials if isinstance(t.candidate.kernel, RBF) and t.candidate.scale != "unit"][:1]
    minmax = [t.candidate.kernel for t in trials if isinstance(t.candidate.kernel, GMM)][:1]
    if not gaussian:
        return []
    scale, gamma = gaussian[0].candidate.scale, gaussian[0].candidate.kernel.gamma
    ridge = np.clip(gaussian[0].ridge, 1e-2, 1.0)
    weights = relevance(_dense(Scale(scale).fit(X).transform(X), target), target.Y, gamma, ridge)
    kernels = [RBF(gamma), RBF(2 * gamma), RBF(0.5 * gamma), *minmax]
    return [Entry(Candidate(scale, kernel, weights), ridge * 10.0 ** np.arange(-2, 2)) for kernel in kernels]


def _rung(field, X, target, seen, n_jobs) -> list[Trial]:
    """Every entry on these rows; those that share a scale and a base share the work."""
    groups: dict[Any, list[Entry]] = {}
    for i, entry in enumerate(field):
        kernel = entry.candidate.kernel
        shares = isinstance(kernel, RBF | Polynomial)
        key = (entry.candidate.scale, id(entry.candidate.weights), type(kernel) if shares else i)
        groups.setdefault(key, []).append(entry)
    tasks = list(groups.values())
    with one_blas_thread():  # or the bits would depend on n_jobs
        tried = map_tasks(lambda group: _tried(group, X, target, seen), tasks, n_jobs=n_jobs)
    return [trial for trials in tried for trial in trials]


def _tried(group: list[Entry], X, target: Target, seen: int) -> list[Trial]:
    """Each entry of a group at its best ridge; the first `seen` rows train and do not judge."""
    start, trials, judge = perf_counter(), [], slice(seen, None)
    weight = target.weight[judge]
    for (candidate, ridges), K in _grams(group, _dense(group[0].candidate.scaler().fit(X).transform(X), target)):
        unit = mean_diagonal(K)
        K += unit
        scores = leave_one_out(K, target.Y, target.weight, ridges * unit)
        blurs = np.stack([target.blurred(s)[judge] for s in scores])
        blurred = np.average(blurs, axis=1, weights=weight)
        best = int(np.flatnonzero(blurred <= blurred.min() + 1e-12)[-1])  # ties go to the strongest ridge
        losses = target.losses(scores[best])[judge]
        mean = float(np.average(losses, weights=weight))
        error = float(np.sqrt(np.average((losses - mean) ** 2, weights=weight) / len(losses)))
        seconds = perf_counter() - start
        ridge, decided = float(ridges[best]), float(blurred[best])
        seen_by_all = scores[best], losses, blurs[best]
        trials.append(Trial(candidate, len(K), ridge, unit, mean, error, decided, seconds, *seen_by_all))
        start = perf_counter()
    return trials


def _dense(X, target: Target):
    """Scaled rows in the precision of the target, dense where that is small."""
    if scipy.sparse.issparse(X) and 8 * X.shape[0] * X.shape[1] <= DENSE_BYTES:
        X = X.toarray()
    return X.astype(target.precision, copy=False)


def _grams(group: list[Entry], X) -> Iterator[tuple[Entry, np.ndarray]]:
    """Gram matrices, ours to change."""
    if len(group) == 1:
        K = group[0].candidate.kernel(X)
        yield group[0], K if K.flags.owndata and K.flags.writeable else K.copy()
        return
    base = group[0].candidate.kernel.base(X)
    for entry in group:
        yield entry, entry.candidate.kernel.of_base(base)


def mean_diagonal(K: np.ndarray) -> float:
    """The unit in which ridges and the intercept's column are counted."""
    return float(np.mean(np.diag(K))) or 1.0
