"""The check: split, try probes, judge the best of them against the linear model, price both, and say so."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from .._blocks import one_blas_thread
from .._validate import check_real, check_seed, count_threads
from . import cost, curve, plain
from .base import Probe, Task, Trial
from .degree2 import Degree2Probe
from .evidence import Evidence, Judged, Scales, weigh
from .fourier import FourierProbe
from .landmark import LandmarkProbe
from .linear import LinearProbe
from .minmax import MinmaxProbe
from .multilinear import MultilinearProbe
from .rows import Rows, open_rows
from .sample import FOLDS, MOST_TRAIN, Plan, plan
from .score import Score
from .search import warm
from .verdict import Verdict

Tell = Callable[[float, str], Any]
REGRESSIONS = ("r2", "neg_mean", "neg_root", "neg_median", "max_error", "neg_max", "explained_variance", "d2_")
PATIENCE, DEARER = 3.0, 8.0  # seconds, and times the linear model's, that a probe may take without a budget
SURE = 0.99  # level at which a look before the last may end the check


class Turn(NamedTuple):
    """One split: who was tried on it, and what they made of the rows that judge."""

    task: Task
    y: np.ndarray  # of the rows that judge
    rows: np.ndarray  # their numbers
    trials: dict[str, Trial]
    skipped: dict[str, str]

    @property
    def rival(self) -> str | None:
        """The nonlinear probe that did best on the rows held back."""
        others = {name: trial.score for name, trial in self.trials.items() if name != "linear"}
        return max(others, key=others.get) if others else None

    def judged(self, name: str | None) -> Judged:
        """Linear model and that probe on the rows that judge."""
        f = self.trials["linear"].f
        return Judged(self.y, f, self.trials[name].f if name else f)


class Study(NamedTuple):
    """All that is settled before a model is trained."""

    rows: Rows
    score: Score
    plan: Plan
    epsilon: float
    seed: int
    n_jobs: int | None
    deadline: float
    tell: Tell


def probes() -> list[Probe]:
    """Every probe in the order they are tried, the linear one first."""
    return [LinearProbe(), LandmarkProbe(), MinmaxProbe(), MultilinearProbe(), Degree2Probe(), FourierProbe()]


def check(
    X: Any,
    y: Any = None,
    *,
    epsilon: float = 0.02,
    budget: float | None = None,
    scoring: Any = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: Tell | None = None,
) -> Verdict:
    """Decide whether a kernel is worth it on these rows, by how much, and at what price.

    A quarter of the rows judges. On the rest every probe, a cheap nonlinear model, chooses its settings; the one that
    does best there is compared with the linear model on the rows that judge, once, by a paired test. Where the
    interval of the gap still holds epsilon, the next quarter judges too, until all four have. Large data are sampled.

    Parameters
    ----------
    X : array-like, sparse, DataFrame or Dataset of shape (n, d)
        Numbers; no scaling is needed.
    y : array-like of shape (n,)
        Labels, or amounts. Floats that are not whole, and whole numbers that few rows share, are amounts.
    epsilon : float, default=0.02
        The gap that is worth a kernel: two points of accuracy in paper 003.
    budget : float or None, default=None
        Seconds the check may take: no probe is started that would take longer than is left. None bounds each probe by
        eight times what the linear model took, or three seconds.
    scoring : str, callable or None, default=None
        As in scikit-learn; larger is better. None is accuracy, or R^2 of amounts. A score of regressions makes it one.
    random_state : int, RandomState, Generator or None, default=None
        What the split and the landmarks depend on.
    n_jobs : int or None, default=None
        Threads, as in joblib; the answer does not depend on it.
    progress : callable or None
        Told (share done, what is next in words); an exception it raises ends the check.

    Returns
    -------
    Verdict

    References
    ----------
    Huang and Lin, "Linear and Kernel Classification: When to Use Which?", 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import check
    >>> X = np.random.default_rng(0).normal(size=(400, 2))
    >>> check(X, (X**2).sum(axis=1) > 1.4, random_state=0).worth
    'yes'
    """
    start = perf_counter()
    epsilon = check_real("epsilon", epsilon, least=0)
    budget = np.inf if budget is None else check_real("budget", budget, above=0)
    count_threads(n_jobs)
    regression = isinstance(scoring, str) and scoring.startswith(REGRESSIONS)
    rows = open_rows(X, y, "regression" if regression else "auto")
    seed = check_seed(random_state)
    split = plan(rows.strata, epsilon=epsilon, seed=seed, most_train=MOST_TRAIN)
    tell = progress or (lambda share, text: None)
    study = Study(rows, Score(scoring, rows.classes), split, epsilon, seed, n_jobs, start + budget, tell)
    with one_blas_thread():
        return _decide(study, start)


def _decide(study: Study, start: float) -> Verdict:
    """The check behind the door."""
    study.tell(0.0, f"{len(study.plan.used):,} of {len(study.rows.y):,} rows take part")
    turns, evidence = _turns(study)
    study.tell(0.85, "learning curves")
    curves = _curves(study, turns[0])
    data, recommended = plain.write(study, turns, evidence, curves, perf_counter() - start)
    study.tell(1.0, "done")
    return Verdict(data, recommended)


def _turns(study: Study) -> tuple[list[Turn], Evidence]:
    """Splits until the answer is clear, at most four, and their evidence."""
    turns: list[Turn] = []
    scales, members = Scales(study.score, study.seed % 2**32), probes()
    for number in range(FOLDS):
        turns.append(_turn(study, number, members))
        last = number == FOLDS - 1 or len(study.plan.extra) > 0
        scales.add(turns[-1].judged(turns[-1].rival))
        early = scales.evidence(SURE).answer(study.epsilon)
        if last or early != "undecided" or perf_counter() > study.deadline:
            break
        members = [p for p in members if p.name in turns[0].trials and _hopeful(turns[0], p.name)]
    return turns, scales.evidence()


def _turn(study: Study, number: int, members: list[Probe]) -> Turn:
    """Try the probes on one split, and stop when the rows held back leave no doubt."""
    rows, (T, V) = study.rows, study.plan.split(number)
    task = Task(
        rows.X[T],
        rows.X[V],
        rows.y[T],
        n_classes=rows.n_classes,
        score=study.score,
        seed=study.seed + number,
        n_jobs=study.n_jobs,
    )
    turn = Turn(task, rows.y[V], V, {}, {})
    warm(task)
    for i, probe in enumerate(members):
        reason = probe.refusal(task) or _too_long(study, turn, probe)
        reason = reason or ("the answer was clear without it" if _clear(study, turn) else None)
        if reason:
            turn.skipped[probe.name] = reason
            continue
        study.tell((number + i / len(members)) / FOLDS * 0.85, _announce(turn, probe))
        turn.trials[probe.name] = probe.fit(task)
    return turn


def _hopeful(turn: Turn, name: str) -> bool:
    """Whether a probe came within two standard errors of the best on the rows held back: others are not tried again."""
    trial, best = turn.trials[name], turn.trials[turn.rival] if turn.rival else turn.trials["linear"]
    return name == "linear" or trial.score >= best.score - 2 * turn.task.score.error(
        turn.task.y[turn.task.held], best.held
    )


def _guess(turn: Turn, probe: Probe) -> float:
    """Seconds a probe is likely to take, from what the linear model took."""
    base = turn.trials["linear"].seconds / max(turn.task.row_numbers, 1)
    return base * probe.width(turn.task)


def _announce(turn: Turn, probe: Probe) -> str:
    return f"{probe.name}, about {cost.words(_guess(turn, probe))}" if turn.trials else probe.name


def _too_long(study: Study, turn: Turn, probe: Probe) -> str | None:
    """Why a probe is not started: what it would take is not left."""
    if not turn.trials:
        return None
    guess, left = _guess(turn, probe), study.deadline - perf_counter()
    if guess > max(left, 0):
        return f"it would take about {cost.words(guess)}, more than the budget leaves"
    allowed = max(PATIENCE, DEARER * turn.trials["linear"].seconds)
    if study.deadline == np.inf and guess > allowed and not probe.central:
        times = guess / turn.trials["linear"].seconds
        return f"it would take about {cost.words(guess)}, {times:.0f} times the linear model"
    return None


def _clear(study: Study, turn: Turn) -> bool:
    """Whether the rows held back already show a gap, seen by a kernel that can be recommended."""
    seen = [name for name in turn.trials if name != "linear"]
    if not seen:
        return False
    held = Judged(turn.task.y[turn.task.held], turn.trials["linear"].held, turn.trials[turn.rival].held)
    return weigh([held], study.score, level=SURE).low > study.epsilon


def _curves(study: Study, turn: Turn) -> dict[str, list[dict]]:
    """Scores against rows for the linear model and its rival, and against components for the rival."""
    if perf_counter() > study.deadline or turn.rival is None:
        return {"curve": [], "components_curve": []}
    of = {probe.name: probe for probe in probes()}
    members = [(of[name], turn.trials[name]) for name in ("linear", turn.rival)]
    return {
        "curve": curve.rows_curve(turn.task, turn.y, members),
        "components_curve": curve.components_curve(turn.task, turn.y, *members[1]),
    }
