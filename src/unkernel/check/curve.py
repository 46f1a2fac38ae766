"""Learning curves: would more rows help, or more components?"""

from typing import Any

import numpy as np

from .base import Probe, Task, Trial
from .evidence import Judged, score_interval, weigh

SHARES = (0.25, 0.5)


def rows_curve(task: Task, y_v: np.ndarray, members: list[tuple[Probe, Trial]]) -> tuple[list[dict], list[dict]]:
    """Score on the rows that judge of each model, trained at its C on one, two and all of the parts that train.

    Also what the last part brought each model, with an interval: the rows that judge are the same, so it is paired.
    """
    points, rises = [], []
    for probe, trial in members:
        said = []
        for count in range(1, len(task.parts)):
            part = task.beginning(count)
            if part is not None:
                said.append((part.n_rows, probe.fit(part, C=trial.C).f))
        said.append((task.n_rows, trial.f))
        points += [_point(y_v, f, task.score, name=probe.name, rows=rows) for rows, f in said]
        if len(said) > 1:
            rises.append(_rise(y_v, said[-2:], task.score) | {"name": probe.name})
    return points, rises


def components_curve(task: Task, y_v: np.ndarray, probe: Probe, trial: Trial) -> tuple[list[dict], list[dict]]:
    """Score of the probe with a quarter, a half and all of its components, and what the last half brought."""
    said = []
    for share in SHARES:
        fewer = probe.resized(int(share * trial.n_components))
        if fewer is not None and trial.n_components >= 32:
            fitted = fewer.fit(task, C=trial.C)
            said.append((fitted.n_components, fitted.f))
    if not said:
        return [], []
    said.append((trial.n_components, trial.f))
    points = [_point(y_v, f, task.score, name=probe.name, components=k) for k, f in said]
    return points, [_rise(y_v, said[-2:], task.score) | {"name": probe.name}]


def surely(rise: dict, least: float) -> bool:
    """Whether a rise counts: at least so large, and not one that chance explains."""
    return rise["gap"] > least and rise["low"] > 0


def _rise(y: np.ndarray, said: list[tuple[int, np.ndarray]], score: Any) -> dict:
    (before, a), (after, b) = said
    seen = weigh([Judged(y, a, b)], score)
    return {"before": before, "after": after, "gap": seen.gap, "low": seen.low, "high": seen.high}


def _point(y: np.ndarray, f: np.ndarray, score: Any, **of: Any) -> dict:
    low, high = score_interval(y, f, score)
    return of | {"score": score(y, f), "low": low, "high": high}
