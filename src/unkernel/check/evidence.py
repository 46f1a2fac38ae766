"""Evidence from rows that two models both judged: the gap of their scores, its interval, and a paired test.

Accuracy counts rows, so only rows that one model has right and the other wrong say anything: McNemar's exact test, and
the interval of Bonett and Price for a difference of paired proportions. Any other score is resampled in pairs.

References
----------
McNemar, "Note on the sampling error of the difference between correlated proportions", 1947.
Bonett and Price, "Adjusted Wald confidence interval for a difference of binomial proportions based on paired data",
2012.
"""

from typing import Any, NamedTuple

import numpy as np

DRAWS = 1000
DRAWS_OF_ANY = 200  # of scorers that are called one draw at a time


class Evidence(NamedTuple):
    """What the rows say about the gap `score(b) - score(a)`.

    Attributes
    ----------
    gap : float
    low, high : float
        Ends of the interval at `level`.
    p_value : float
        Of the hypothesis that there is no gap, two-sided.
    test : {"mcnemar", "bootstrap"}
    counts : tuple of int
        Rows both have right, only a, only b, neither; zeros where rows are not counted.
    level : float
    """

    gap: float
    low: float
    high: float
    p_value: float
    test: str
    counts: tuple[int, int, int, int]
    level: float

    def answer(self, epsilon: float) -> str:
        """ "yes" if the whole interval is above epsilon, "no" if it is below, else "undecided"."""
        return "yes" if self.low > epsilon else "no" if self.high < epsilon else "undecided"


class Judged(NamedTuple):
    """Rows that no model was trained on: their targets, and what models a and b made of them."""

    y: np.ndarray
    a: np.ndarray
    b: np.ndarray


class Scales:
    """Judged rows of one split after another, and the evidence of them all so far."""

    def __init__(self, score: Any, seed: int = 0):
        self.score, self.seed = score, seed
        self.parts: list[Judged] = []
        self._drawn: list[np.ndarray] = []

    def add(self, part: Judged) -> "Scales":
        """One more split, weighted by its rows."""
        self.parts.append(part)
        if not self.score.counts:
            self._drawn.append(_draws(part, self.score, self.seed + len(self.parts)))
        return self

    def evidence(self, level: float = 0.95) -> Evidence:
        """What all rows say, with an interval at that level."""
        score, parts = self.score, self.parts
        if score.counts:
            right_a, right_b = (
                np.concatenate([score.right(part.y, part[which]) for part in parts]) for which in (1, 2)
            )
            return of_counts(right_a, right_b, level=level)
        share = np.array([len(part.y) for part in parts], dtype=float)
        share /= share.sum()
        gap = float(sum(s * (score(p.y, p.b) - score(p.y, p.a)) for s, p in zip(share, parts, strict=True)))
        draws = sum(s * drawn for s, drawn in zip(share, self._drawn, strict=True))
        draws = draws[np.isfinite(draws)]
        below = (np.sum(draws <= 0) + 1) / (len(draws) + 2)
        return Evidence(gap, *_ends(draws, gap, level), 2 * min(below, 1 - below), "bootstrap", (0, 0, 0, 0), level)


def weigh(parts: list[Judged], score: Any, *, level: float = 0.95, seed: int = 0) -> Evidence:
    """Evidence of several sets of judged rows, one per split; `score` is a `Score`."""
    scales = Scales(score, seed)
    for part in parts:
        scales.add(part)
    return scales.evidence(level)


def of_counts(right_a: np.ndarray, right_b: np.ndarray, *, level: float = 0.95) -> Evidence:
    """Evidence from which rows each model has right.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.repeat([True, False], [80, 20]), np.repeat([True, False], [95, 5])
    >>> seen = of_counts(a, b)
    >>> round(seen.gap, 3), seen.counts
    (0.15, (80, 0, 15, 5))
    """
    counts = tuple(
        int(np.sum(mask)) for mask in (right_a & right_b, right_a & ~right_b, ~right_a & right_b, ~right_a & ~right_b)
    )
    _, only_a, only_b, _ = counts
    n = len(right_a)
    low, high = paired_interval(only_a, only_b, n, level=level)
    return Evidence((only_b - only_a) / n, low, high, mcnemar(only_a, only_b), "mcnemar", counts, level)


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided p-value that rows judged differently fall either way with equal chance.

    Examples
    --------
    >>> mcnemar(1, 5)
    0.21875
    """
    from scipy.stats import binomtest

    return float(binomtest(min(only_a, only_b), only_a + only_b).pvalue) if only_a + only_b else 1.0


def paired_interval(only_a: int, only_b: int, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """Interval of the difference of two proportions on the same n rows: Wald's, after adding one row of each kind."""
    from scipy.special import ndtri

    p, q = (only_a + 1) / (n + 2), (only_b + 1) / (n + 2)
    half = ndtri(0.5 + level / 2) * np.sqrt(max(p + q - (p - q) ** 2, 0) / (n + 2))
    return float(max(-1, q - p - half)), float(min(1, q - p + half))


def score_interval(y: np.ndarray, f: np.ndarray, score: Any, *, level: float = 0.95) -> tuple[float, float]:
    """Interval of one score: Wilson's where rows are counted, else from its resampled standard error."""
    from scipy.special import ndtri

    if not score.counts:
        half, middle = ndtri(0.5 + level / 2) * score.error(y, f), score(y, f)
        return middle - half, middle + half
    n, p, z = len(y), float(np.mean(score.right(y, f))), ndtri(0.5 + level / 2)
    middle, half = p + z * z / (2 * n), z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return float((middle - half) / (1 + z * z / n)), float((middle + half) / (1 + z * z / n))


def _draws(part: Judged, score, seed: int) -> np.ndarray:
    """Gap of each resampled set of rows: both models are scored on the same rows."""
    samples = _samples(len(part.y), DRAWS if score.plain else DRAWS_OF_ANY, seed)
    return score.draws(part.y, part.b, samples) - score.draws(part.y, part.a, samples)


def _samples(n: int, draws: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, n, (draws, n), dtype=np.int32)


def _ends(draws: np.ndarray, middle: float, level: float) -> tuple[float, float]:
    """Percentiles of the draws that could be scored; nothing is known from hardly any."""
    if len(draws) < 20:
        return -np.inf, np.inf
    low, high = np.quantile(draws, [0.5 - level / 2, 0.5 + level / 2])
    return float(min(low, middle)), float(max(high, middle))
