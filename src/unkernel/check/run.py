"""The check: split, try probes, judge the best of them against the linear model, price both, and say so."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from .._blocks import one_blas_thread
from .._validate import check_real, check_seed, count_threads
from ..report.words import seconds_in_words
from . import curve, plain
from .base import Pool, Probe, Task, Trial
from .degree2 import Degree2Probe
from .evidence import Evidence, Judged, Scales, weigh
from .fourier import FourierProbe
from .landmark import MOST, LandmarkProbe
from .linear import LinearProbe
from .minmax import MinmaxProbe
from .multilinear import MultilinearProbe
from .remark import LEVEL
from .rows import Rows, open_rows
from .sample import FOLDS, MOST_TRAIN, Plan, plan
from .score import Score
from .search import warm
from .verdict import Verdict

Tell = Callable[[float, str], Any]
REGRESSIONS = ("r2", "neg_mean", "neg_root", "neg_median", "max_error", "neg_max", "explained_variance", "d2_")
PATIENCE, DEARER = 1.0, 8.0  # seconds, and times the linear model's, that a probe may take without a budget
SURE = 0.99  # level at which a look before the last may end the check
PLAIN = 0.9999  # level at which rows held back make other probes and more landmarks needless


class Turn(NamedTuple):
    """One split: who was tried on it, and what they made of the rows that judge."""

    task: Task
    y: np.ndarray  # of the rows that judge
    rows: np.ndarray  # their numbers
    trials: dict[str, Trial]
    probes: dict[str, Probe]  # that made them
    skipped: dict[str, str]
    starved: list[str]  # central ones that a budget forbade, or forbade more landmarks
    weighed: dict[str, bool]  # rivals -> whether the rows held back leave no doubt

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
    return [LinearProbe(), LandmarkProbe(), MinmaxProbe(), Degree2Probe(), MultilinearProbe(), FourierProbe()]


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
        The gap that is worth a kernel, in the units of the score: two points of accuracy in paper 003.
    budget : float or None, default=None
        Seconds the check may take: no probe is started that would take longer than is left. None bounds each probe by
        eight times what the linear model took, or one second.
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
    scales, members, pool = Scales(study.score, study.seed % 2**32), probes(), pool_of(study)
    for number in range(FOLDS):
        turns.append(_turn(study, pool, number, members))
        last = number == FOLDS - 1 or len(study.plan.extra) > 0
        scales.add(turns[-1].judged(turns[-1].rival))
        early = scales.evidence(SURE).answer(study.epsilon)
        if last or early != "undecided" or perf_counter() > study.deadline:
            break
        members = [probe for probe in turns[0].probes.values() if _hopeful(turns[0], probe.name)]
    return turns, scales.evidence()


def pool_of(study: Study) -> Pool:
    """The rows that take part."""
    rows, chosen = study.rows, study.plan.rows
    return Pool(
        rows.X[chosen],
        rows.y[chosen],
        study.plan.parts,
        n_classes=rows.n_classes,
        score=study.score,
        seed=study.seed,
        n_jobs=study.n_jobs,
    )


def _turn(study: Study, pool: Pool, number: int, members: list[Probe]) -> Turn:
    """Try the probes on one split, and stop when the rows held back leave no doubt."""
    task = Task(pool, number)
    turn = Turn(task, pool.y[task.judge], study.plan.rows[task.judge], {}, {}, {}, [], {})
    warm(task)
    for i, probe in enumerate(members):
        reason = probe.refusal(task) or _needless(study, turn, probe) or _too_long(study, turn, probe)
        if reason:
            turn.skipped[probe.name] = reason
            continue
        study.tell((number + i / len(members)) / FOLDS * 0.85, _announce(turn, probe))
        turn.probes[probe.name], turn.trials[probe.name] = probe, probe.fit(task)
    _widen(study, turn)
    return turn


def _widen(study: Study, turn: Turn) -> None:
    """Twice the landmarks while they help, the best probes first, unless the answer is clear without."""
    for name in sorted(turn.trials, key=lambda name: -turn.trials[name].score):
        while _matters(study, turn, name) and _hopeful(turn, name) and not _clear(study, turn):
            trial = turn.trials[name]
            more = turn.probes[name].resized(min(2 * trial.n_components, MOST))
            longer = more.width(turn.task) / trial.n_components if more else 1.0
            if longer < 1.5 or _too_long(study, turn, more, trial.seconds * longer):
                break
            got = more.fit(turn.task)
            if got.score < trial.score:
                break
            turn.probes[name], turn.trials[name] = more, got
            turn.weighed.pop(name, None)


def _matters(study: Study, turn: Turn, name: str) -> bool:
    """Whether a probe still rises, and twice the last rise would carry it past epsilon."""
    trial = turn.trials[name]
    if not _rising(turn, name):
        return False
    return trial.score + 2 * (trial.score - trial.half) - turn.trials["linear"].score > study.epsilon


def _rising(turn: Turn, name: str) -> bool:
    """Whether the second half of a probe's components helped, by more than chance would often do."""
    trial, task = turn.trials[name], turn.task
    if trial.half is None:
        return False
    return trial.score - trial.half > max(LEVEL, 0.5 * task.score.error(task.y[task.held], trial.held))


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
    return f"{probe.name}, about {seconds_in_words(_guess(turn, probe))}" if turn.trials else probe.name


def _needless(study: Study, turn: Turn, probe: Probe) -> str | None:
    """Why a probe would tell nothing new."""
    for name, other in turn.probes.items():
        if other.family == probe.family and not _rising(turn, name):
            return f"{name} has seen all of that kernel that helps"
    return "the answer was clear without it" if _clear(study, turn) else None


def _too_long(study: Study, turn: Turn, probe: Probe, guess: float | None = None) -> str | None:
    """Why a probe is not started: what it would take is not left."""
    if not turn.trials:
        return None
    guess, left = _guess(turn, probe) if guess is None else guess, study.deadline - perf_counter()
    if guess > max(left, 0):
        if probe.central:
            turn.starved.append(probe.name)
        return f"it would take about {seconds_in_words(guess)}, more than the budget leaves"
    allowed = max(PATIENCE, DEARER * turn.trials["linear"].seconds)
    if study.deadline == np.inf and guess > allowed and not probe.central:
        times = guess / turn.trials["linear"].seconds
        return f"it would take about {seconds_in_words(guess)}, {times:.0f} times the linear model"
    return None


def _clear(study: Study, turn: Turn) -> bool:
    """Whether the rows held back already show a gap, seen by a kernel that can be recommended."""
    if turn.rival is None:
        return False
    if turn.rival not in turn.weighed:
        held = Judged(turn.task.y[turn.task.held], turn.trials["linear"].held, turn.trials[turn.rival].held)
        turn.weighed[turn.rival] = weigh([held], study.score, level=PLAIN).low > study.epsilon
    return turn.weighed[turn.rival]


def _curves(study: Study, turn: Turn) -> dict[str, Any]:
    """Scores against rows for the linear model and its rival, and against components for the rival."""
    if perf_counter() > study.deadline or turn.rival is None:
        return {"curve": [], "components_curve": [], "rises": {"rows": [], "components": []}}
    members = [(turn.probes[name], turn.trials[name]) for name in ("linear", turn.rival)]
    rows, more_rows = curve.rows_curve(turn.task, turn.y, members)
    components, more_components = curve.components_curve(turn.task, turn.y, *members[1])
    return {
        "curve": rows,
        "components_curve": components,
        "rises": {"rows": more_rows, "components": more_components},
    }
