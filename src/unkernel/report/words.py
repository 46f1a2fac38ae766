"""Numbers as people read them."""

import math

_SHARES = ("accuracy", "balanced_accuracy", "f1", "precision", "recall", "jaccard", "top_k_accuracy")
_SIZES = ("B", "kB", "MB", "GB", "TB")
_SPANS = ((1e-3, 1e6, "µs"), (1, 1e3, "ms"), (100, 1, "s"), (6000, 1 / 60, "min"), (172_800, 1 / 3600, "h"))


def is_share(scoring: str) -> bool:
    """Whether a score is a share of rows, better read in percent."""
    return scoring.startswith(_SHARES)


def score_in_words(value: float | None, scoring: str) -> str:
    """A score: percent where it is a share, else three digits."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{100 * value:.1f} %" if is_share(scoring) else f"{value:.3f}"


def gap_in_words(value: float | None, scoring: str) -> str:
    """A difference of scores, with its sign."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{100 * value:+.1f} points" if is_share(scoring) else f"{value:+.3f}"


def seconds_in_words(value: float | None) -> str:
    """A time: 0.4 ms, 12 s, 3 min, 2.5 h, 4 days."""
    if value is None or not math.isfinite(value):
        return "–"
    for limit, factor, unit in _SPANS:
        if value < limit:
            return f"{value * factor:.{1 if factor <= 1 and value * factor < 10 else 0}f} {unit}"
    return f"{value / 86_400:.0f} days"


def bytes_in_words(value: float | None) -> str:
    """A size: 12 kB, 3.4 MB, 1.2 GB."""
    if value is None or not math.isfinite(value):
        return "–"
    unit = min(int(math.log10(max(value, 1))) // 3, 4)
    value /= 1000**unit
    return f"{value:.{1 if unit and value < 10 else 0}f} {_SIZES[unit]}"


def number_in_words(value: float | None) -> str:
    """A count or a parameter: 12,345; 0.0312; 1e-07."""
    if value is None:
        return "–"
    return f"{value:,d}" if isinstance(value, int) else f"{value:.3g}"
