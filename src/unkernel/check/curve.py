"""Learning curves: would more rows help, or more components?"""

from typing import Any

import numpy as np

from .base import Probe, Task, Trial
from .evidence import score_interval

SHARES = (0.25, 0.5)


def rows_curve(task: Task, y_v: np.ndarray, members: list[tuple[Probe, Trial]]) -> list[dict]:
    """Score on the rows that judge of each model, trained on a quarter, a half and all of the rows at its C."""
    points = []
    for probe, trial in members:
        for share in SHARES:
            part = beginning(task, int(share * task.n_rows))
            if part is not None:
                points.append(_point(probe, part.n_rows, y_v, probe.fit(part, C=trial.C).f, task.score))
        points.append(_point(probe, task.n_rows, y_v, trial.f, task.score))
    return points


def components_curve(task: Task, y_v: np.ndarray, probe: Probe, trial: Trial) -> list[dict]:
    """Score of the probe with a quarter, a half and all of its components."""
    points = []
    for share in SHARES:
        fewer = probe.smaller(int(share * trial.n_components))
        if fewer is not None and trial.n_components >= 32:
            points.append(_part(fewer.fit(task, C=trial.C), probe, y_v, task.score))
    return [*points, _part(trial, probe, y_v, task.score)] if points else []


def beginning(task: Task, n: int) -> Task | None:
    """The task with its first n rows, which hold the classes in proportion; None if they are too few to learn from."""
    y = task.y[:n]
    if n < 16 or (task.n_classes and len(np.unique(y)) < 2):
        return None
    return Task(
        task.raw[0][:n],
        task.raw[1],
        y,
        n_classes=task.n_classes,
        score=task.score,
        seed=task.seed,
        n_jobs=task.n_jobs,
        settled=task.settled,
    )


def slope(points: list[dict], name: str) -> float:
    """What the last doubling brought; 0 where there is no curve."""
    scores = [point["score"] for point in points if point["name"] == name]
    return scores[-1] - scores[-2] if len(scores) > 1 else 0.0


def _point(probe: Probe, rows: int, y: np.ndarray, f: np.ndarray, score: Any) -> dict:
    low, high = score_interval(y, f, score)
    return {"name": probe.name, "rows": rows, "score": score(y, f), "low": low, "high": high}


def _part(trial: Trial, probe: Probe, y: np.ndarray, score: Any) -> dict:
    low, high = score_interval(y, trial.f, score)
    return {"name": probe.name, "components": trial.n_components, "score": score(y, trial.f), "low": low, "high": high}
