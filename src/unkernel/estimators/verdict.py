"""Whether the kernel was worth it, from what the choice already knows: no second search.

The winner and the best linear candidate were judged on the same left-out rows of the last rung; their paired losses
are the evidence.
"""

from typing import Any

import numpy as np

from ..check.evidence import Evidence, of_counts
from ..check.finding import TITLES
from ..check.verdict import ANSWERS, Verdict
from .candidates import Candidate
from .selection import Trial

EPSILON = 0.02
DRAWS = 1000
LEVEL = 0.95
DO = {
    "yes": ("UK101", "Keep the kernel."),
    "no": ("UK102", "kernel='linear' trains and predicts faster and loses next to nothing."),
    "undecided": ("UK103", "More rows would decide it; until then the left-out score is the better guess."),
}


class Chosen(dict):
    """The chosen model as plain data; `make` builds it unfitted."""

    def make(self, *, random_state: Any = 0, n_jobs: int | None = None) -> Any:
        """The estimator with the choice already made."""
        from .classifier import UnkernelClassifier
        from .regressor import UnkernelRegressor

        kind = UnkernelRegressor if self["task"] == "regression" else UnkernelClassifier
        options = {"n_jobs": n_jobs, "random_state": random_state}
        return kind(self["kernel"], scaling=self["params"]["scale"], **options)


def verdict(trials: list[list[Trial]], data: dict[str, Any], seed: int) -> Verdict:
    """A `Verdict` of the last rung."""
    last = trials[-1]
    best, linear = last[0], next((t for t in last if t.candidate.is_linear), last[0])
    seen = evidence_of(linear.losses, best.losses, data["task"], seed)
    worth = seen.answer(EPSILON)
    code, do = DO[worth]
    scoring = "r2" if data["task"] == "regression" else "accuracy"
    sentence = f"{ANSWERS[worth]}: {gap_in_words(seen, scoring)} over the best linear candidate on rows left out."
    finding = {"code": code, "title": TITLES[code], "text": sentence, "do": do}
    seconds = sum(t.seconds for rung in trials for t in rung)
    how = [
        f"{len(trials[0])} candidates were tried on {trials[0][0].rows} rows; {len(last)} were left on {last[0].rows}.",
        "Each was judged by its predictions of rows left out, at its best ridge.",
        "The winner was chosen on the rows that judge, which flatters it a little.",
    ]
    answer = {
        "worth": worth, "sentence": sentence, "gap": seen.gap, "interval": [seen.low, seen.high], "epsilon": EPSILON,
        "scoring": scoring, "test": seen.test, "p_value": seen.p_value,
    }  # fmt: skip
    lines = [f"{ANSWERS[worth]}.", f"{'gap':24}{gap_in_words(seen, scoring)}", f"{'chosen':24}{best.candidate}", *how]
    whole = {
        "title": "Was the kernel worth it?", "data": data, "answer": answer,
        "candidates": [_candidate(t, t is best) for t in last], "curve": [], "components_curve": [],
        "confusion": None, "disagreement": None, "findings": [finding], "how": how,
        "reproduce": {"versions": versions(), "seeds": {"seed": seed}, "command": ""},
        "cost": {"check_seconds": seconds}, "lines": lines,
    }  # fmt: skip
    return Verdict(whole, Chosen(_recommended(best, data["task"])))


def evidence_of(linear: np.ndarray, best: np.ndarray, task: str, seed: int) -> Evidence:
    """What the losses of the same rows say about the gain of the best over the linear model."""
    if task != "regression":
        return of_counts(linear == 0, best == 0, level=LEVEL)
    gaps = linear - best
    draws = np.random.default_rng(seed).choice(gaps, (DRAWS, len(gaps))).mean(axis=1)
    low, high = np.quantile(draws, [0.5 - LEVEL / 2, 0.5 + LEVEL / 2])
    below = (np.sum(draws <= 0) + 1) / (DRAWS + 2)
    p_value = float(min(1.0, 2 * min(below, 1 - below)))
    return Evidence(float(gaps.mean()), float(low), float(high), p_value, "bootstrap", (0, 0, 0, 0), LEVEL)


def gap_in_words(seen: Evidence, scoring: str) -> str:
    """The gain and its interval, in points or of R^2."""
    unit, times = ("points", 100) if scoring == "accuracy" else ("of R^2", 1)
    return f"{times * seen.gap:.3g} {unit} (95 % interval {times * seen.low:.3g} to {times * seen.high:.3g})"


def _candidate(trial: Trial, chosen: bool) -> dict[str, Any]:
    score, half = 1 - trial.loss, 1.96 * trial.error
    return {
        "name": str(trial.candidate), "family": trial.candidate.family.lower(), "score": score, "low": score - half,
        "high": score + half, "seconds": trial.seconds, "full_seconds": None, "full_bytes": None, "C": trial.C,
        "C_path": [], "n_components": None, "chosen": chosen, "params": _params(trial.candidate),
    }  # fmt: skip


def _recommended(trial: Trial, task: str) -> dict[str, Any]:
    candidate = trial.candidate
    return {
        "name": str(candidate), "kernel": candidate.kernel, "params": _params(candidate), "n_components": None,
        "C": trial.C, "task": task,
    }  # fmt: skip


def _params(candidate: Candidate) -> dict[str, Any]:
    plain = {k: v for k, v in candidate.kernel.get_params().items() if isinstance(v, int | float | str)}
    return {**plain, "scale": candidate.scale}


def versions() -> dict[str, str]:
    """Of what the answer depends on."""
    from importlib.metadata import version

    return {name: version(name) for name in ("unkernel", "numpy", "scikit-learn")}
