"""Numbers as people read them."""

import math

import pytest

from unkernel.report.words import (
    bytes_in_words,
    gap_in_words,
    is_share,
    number_in_words,
    score_in_words,
    seconds_in_words,
)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (2e-6, "2 µs"), (4e-4, "400 µs"), (0.0042, "4 ms"), (0.25, "250 ms"), (1, "1.0 s"), (12.4, "12 s"),
        (99, "99 s"), (150, "2.5 min"), (3600, "60 min"), (9000, "2.5 h"), (400_000, "5 days"),
        (None, "–"), (math.nan, "–"),
    ],
)  # fmt: skip
def test_times(seconds, words):
    assert seconds_in_words(seconds) == words


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (3.4e7, "34 MB"), (1.2e9, "1.2 GB"), (5e15, "5000 TB"), (None, "–")],
)
def test_sizes(size, words):
    assert bytes_in_words(size) == words


def test_scores():
    assert score_in_words(0.9834, "accuracy") == "98.3 %"
    assert score_in_words(0.9834, "r2") == "0.983"
    assert gap_in_words(0.021, "balanced_accuracy") == "+2.1 points"
    assert gap_in_words(-0.021, "neg_log_loss") == "-0.021"
    assert score_in_words(None, "accuracy") == gap_in_words(math.inf, "r2") == "–"
    assert is_share("f1_macro")
    assert not is_share("roc_auc")


def test_numbers():
    assert [number_in_words(v) for v in (12345, 0.03125, 1e-7, None)] == ["12,345", "0.0312", "1e-07", "–"]
