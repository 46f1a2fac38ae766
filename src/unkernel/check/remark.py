"""Remarks: findings about the models that were tried, which follow those about the data."""

from typing import Any

import numpy as np

from ..report.words import bytes_in_words, gap_in_words, seconds_in_words
from . import cost, finding
from .curve import surely
from .evidence import Evidence
from .finding import Finding

LEVEL = 0.005  # what the last part of a curve must bring to count as a rise


def remarks(study: Any, turns: list, evidence: Evidence, worth: str, curves: dict, candidates: list) -> list[Finding]:
    """Every finding, the answer first."""
    scores = {c["name"]: c for c in candidates}
    used, n = len(study.plan.used), len(study.rows.y)
    found = [_of_answer(study, evidence, worth), *finding.of_data(study.rows)]
    if worth == "undecided" and turns[0].starved and (turns[0].rival is None or evidence.high < study.epsilon):
        left = f"The budget left no time for {', '.join(turns[0].starved)}, without which there is no answer."
        found[0] = Finding("UK103", left, "Give a larger budget, or none.")
    found += _of_curves(study, curves, used < n)
    if used < n:
        found.append(
            Finding(
                "UK121",
                f"{turns[0].task.n_rows:,} rows trained and {len(turns[0].y):,} judged, of {n:,}. The gap is known "
                f"to about {100 * study.plan.half_width:.1f} points, and is that of models trained on so many rows.",
                "A kernel usually gains more from more rows than a linear model does; see the learning curve.",
            )
        )
    found += _of_scores(study, turns, scores)
    exact = cost.kernel_price(n, turns[0].task.row_numbers, max(study.rows.n_classes, 2))
    found.append(
        Finding(
            "UK141",
            "An exact Gaussian SVM with a grid of 20 settings would take about "
            f"{seconds_in_words(exact.seconds)} and its full matrix {bytes_in_words(exact.bytes)}.",
            "Use explicit features: their cost grows with the rows alone.",
        )
    )
    return found


def _of_answer(study, evidence, worth) -> Finding:
    low, high = evidence.low, evidence.high
    text = f"Gap {evidence.gap:.4f}, 95 % interval [{low:.4f}, {high:.4f}], epsilon {study.epsilon:g}, "
    text += f"p = {evidence.p_value:.2g}."
    code, do = {
        "yes": ("UK101", "Train verdict.recommended.make() on all rows."),
        "no": ("UK102", "Train the linear model, verdict.recommended.make()."),
        "undecided": ("UK103", "Bring more rows, name a larger epsilon, or take the linear model, which is cheaper."),
    }[worth]
    return Finding(code, text, do)


def _of_curves(study, curves: dict, sampled: bool) -> list[Finding]:
    found, do = [], "Train on all rows, of which the check took a sample" if sampled else "Bring more rows if you can"
    for rise in rises(curves, "rows"):
        found.append(
            Finding(
                "UK131",
                f"{rise['after']:,} rows instead of {rise['before']:,} brought {_rise_in_words(study, rise)}.",
                f"{do}: the score has not levelled off.",
            )
        )
    for rise in rises(curves, "components"):
        found.append(
            Finding(
                "UK132",
                f"{rise['after']:,} components instead of {rise['before']:,} brought {_rise_in_words(study, rise)}.",
                "Use more components than the probe did; the recommendation does.",
            )
        )
    return found


def rises(curves: dict, of: str, name: str | None = None) -> list[dict]:
    """Curves that surely still rise; of one model, where it is named."""
    return [rise for rise in curves["rises"][of] if surely(rise, LEVEL) and name in (None, rise["name"])]


def _rise_in_words(study, rise: dict) -> str:
    gap, low, high = (gap_in_words(rise[key], study.score.name) for key in ("gap", "low", "high"))
    return f"{rise['name']} {gap} (95 % interval {low} to {high})"


def _of_scores(study, turns, scores) -> list[Finding]:
    found, top = [], max(c["score"] for c in scores.values())
    if study.score.counts:
        common = np.bincount(turns[0].y).max() / len(turns[0].y)
        if len(scores) > 1 and all(c["low"] <= common for c in scores.values()):
            found.append(
                Finding(
                    "UK122",
                    f"The largest class is {common:.1%} of the rows and the best model is right on {top:.1%}.",
                    "The columns may not tell the classes apart; look for better ones.",
                )
            )
        if scores["linear"]["score"] > 0.9995 and len(turns[0].y) >= 100:
            found.append(
                Finding(
                    "UK123",
                    f"The linear model is right on {scores['linear']['score']:.2%} of new rows.",
                    "Make sure no column gives the answer away.",
                )
            )
    for name, c in scores.items():
        path = c["C_path"]
        if len(path) > 2 and c["C"] == path[-1]["C"] and path[-1]["score"] - path[-2]["score"] > LEVEL:
            found.append(
                Finding(
                    "UK133",
                    f"{name} was still gaining at C = {c['C']:g}, the largest tried.",
                    "Its score may be a little low; search further when training on all rows.",
                )
            )
    return found
