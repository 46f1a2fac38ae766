"""Evidence: the test is exact, the interval holds its level, and the answer reads from the interval alone."""

import math

import numpy as np
import pytest

from unkernel.check.evidence import Evidence, Judged, mcnemar, of_counts, paired_interval, score_interval, weigh
from unkernel.check.score import Score


def naive_mcnemar(only_a, only_b):
    """Twice the probability of a split at least as uneven, capped."""
    n, low = only_a + only_b, min(only_a, only_b)
    return min(1, 2 * sum(math.comb(n, i) for i in range(low + 1)) / 2**n) if n else 1.0


@pytest.mark.parametrize("counts", [(0, 0), (1, 5), (10, 10), (3, 40)])
def test_mcnemar_is_exact(counts):
    assert mcnemar(*counts) == pytest.approx(naive_mcnemar(*counts))


@pytest.mark.parametrize("n", [60, 400])
def test_the_interval_holds_its_level(n):
    rng = np.random.default_rng(0)
    kinds = rng.choice(3, size=(4000, n), p=[0.86, 0.04, 0.10])
    inside = 0
    for row in kinds:
        low, high = paired_interval(int((row == 1).sum()), int((row == 2).sum()), n)
        inside += low <= 0.06 <= high
    assert 0.93 <= inside / len(kinds) <= 0.985


def test_the_answer_reads_from_the_interval():
    at = {"p_value": 1.0, "test": "mcnemar", "counts": (0, 0, 0, 0), "level": 0.95}
    assert Evidence(0.1, 0.03, 0.2, **at).answer(0.02) == "yes"
    assert Evidence(0.0, -0.1, 0.01, **at).answer(0.02) == "no"
    assert Evidence(0.1, 0.01, 0.2, **at).answer(0.02) == "undecided"


def test_splits_are_pooled_row_by_row():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 300)
    a, b = (np.where(rng.random(300) < right, 2 * y - 1, 1 - 2 * y).astype(float) for right in (0.7, 0.9))
    score = Score(None, np.array([0, 1]))
    whole = weigh([Judged(y, a, b)], score)
    parts = weigh([Judged(y[:100], a[:100], b[:100]), Judged(y[100:], a[100:], b[100:])], score)
    assert whole == parts
    assert whole.gap == pytest.approx(np.mean((b > 0) == y) - np.mean((a > 0) == y))
    assert whole.p_value < 1e-4


def test_other_scores_are_resampled_in_pairs():
    rng = np.random.default_rng(2)
    y = rng.normal(size=200)
    noise = rng.normal(size=200)
    score = Score(None, None)
    near = weigh([Judged(y, y + noise, y + 0.98 * noise)], score)
    assert near.test == "bootstrap"
    # The two share their errors: apart, each score is far less certain than their difference.
    low, high = score_interval(y, y + noise, score)
    assert near.high - near.low < 0.2 * (high - low)
    assert near.low <= near.gap <= near.high


def test_no_rows_that_differ_say_little():
    seen = of_counts(np.ones(10, bool), np.ones(10, bool))
    assert seen.gap == 0
    assert seen.p_value == 1
    assert seen.answer(0.02) == "undecided"
