"""Kernels side by side: each is trained on the same rows and judged on the same other rows, with its price.

Nothing here is predicted: seconds are measured, and memory is what the fitted model holds.
"""

import pickle
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from .._validate import InputError, check_real, check_seed
from ..check.rows import looks_continuous
from ..check.verdict import ANSWERS
from ..report.words import bytes_in_words, seconds_in_words
from .classifier import UnkernelClassifier
from .regressor import UnkernelRegressor
from .verdict import evidence_of, gap_in_words, versions

KERNELS = ("linear", "polynomial", "rbf", "minmax", "auto")
TEST_SHARE = 0.25
MOST_JUDGED = 10_000
EPSILON = 0.02
DRAWS = 1000


class Entry(NamedTuple):
    """One kernel: its fitted model, what its predictions of the judging rows cost, and its price."""

    name: str
    model: Any
    losses: np.ndarray  # wrong or right, or squared errors as a share of the variance
    predicted: np.ndarray
    seconds: float
    predict_seconds: float
    bytes: int


def compare_kernels(
    X,
    y,
    *,
    kernels: Sequence[Any] = KERNELS,
    test: tuple[Any, Any] | None = None,
    epsilon: float = EPSILON,
    random_state: Any = 0,
    n_jobs: int | None = None,
    progress: Callable[[float, str], Any] | None = None,
) -> dict[str, Any]:
    """Train and judge each kernel, and say what the automatic choice gains over the linear model.

    Parameters
    ----------
    X : array-like or sparse of shape (n, d)
    y : array-like of shape (n,)
        Numbers that are not whole, or that few rows share, are amounts; anything else is classes.
    kernels : sequence of str or kernel
        "linear" and "auto" always come along.
    test : tuple (X, y) or None
        Rows that judge. None is a quarter of the rows, drawn in proportion to the classes, 10,000 at most.
    epsilon : float
        The gain that is worth a kernel.
    random_state, n_jobs
        As in `UnkernelClassifier`.
    progress : callable or None
        Told (share done, what is next).

    Returns
    -------
    dict
        The summary that a page is made of, ready for JSON: `answer`, `candidates`, `lines` and more.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel.estimators.comparison import compare_kernels
    >>> X = np.random.default_rng(0).uniform(-1, 1, (400, 2))
    >>> compare_kernels(X, X[:, 0] * X[:, 1] > 0, kernels=["rbf"])["answer"]["worth"]
    'yes'
    """
    seed, epsilon = check_seed(random_state), check_real("epsilon", epsilon, least=0)
    amounts = looks_continuous(np.asarray(y))
    X, y, Xt, yt = (X, np.asarray(y), *test) if test else _split(X, np.asarray(y), amounts, seed)
    kind = UnkernelRegressor if amounts else UnkernelClassifier
    names = list(dict.fromkeys(["linear", *map(_name, kernels), "auto"]))
    objects = {_name(kernel): kernel for kernel in kernels}
    entries = []
    _warm(kind)
    for i, name in enumerate(names):
        if progress:
            progress(i / len(names), f"{name} on {X.shape[0]:,} rows")
        model = kind(objects.get(name, name), n_jobs=n_jobs, random_state=random_state)
        entries.append(_judged(name, model, (X, y), (Xt, np.asarray(yt)), amounts))
    data = {"rows": X.shape[0], "columns": X.shape[1], "classes": None if amounts else len(entries[0].model.classes_),
            "task": "regression" if amounts else "classification", "source": "", "judged": len(yt)}  # fmt: skip
    seeds = {"random_state": random_state if isinstance(random_state, int) else seed}
    return _summary(entries, np.asarray(yt), data, epsilon, seeds)


def _warm(kind: type) -> None:
    """Have the loops compiled before any clock runs."""
    X = np.random.default_rng(0).normal(size=(40, 2))
    kind("linear").fit(X, X[:, 0] if kind is UnkernelRegressor else X[:, 0] > 0)


def _name(kernel: Any) -> str:
    return kernel if isinstance(kernel, str) else repr(kernel)


def _split(X, y, amounts: bool, seed: int):
    """Rows that teach and rows that judge."""
    from sklearn.model_selection import train_test_split

    if len(y) < 8:
        raise InputError(f"{len(y)} rows are too few to be split into some that teach and some that judge; give 8")
    rare = not amounts and np.unique(y, return_counts=True)[1].min() < 2
    share = min(TEST_SHARE, MOST_JUDGED / len(y))
    stratify = None if amounts or rare else y
    size = max(int(np.ceil(share * len(y))), 1 if amounts else len(np.unique(y)))
    X, Xt, y, yt = train_test_split(X, y, test_size=size, random_state=seed % 2**32, stratify=stratify)
    return X, y, Xt, yt


def _judged(name: str, model: Any, teach: tuple, judge: tuple, amounts: bool) -> Entry:
    """One kernel, trained and judged."""
    start = perf_counter()
    model.fit(*teach)
    fitted = perf_counter()
    predicted = model.predict(judge[0])
    seconds = perf_counter() - fitted
    spread = float(np.var(judge[1])) or 1.0 if amounts else 1.0
    losses = (judge[1] - predicted) ** 2 / spread if amounts else (predicted != judge[1]).astype(float)
    return Entry(name, model, losses, predicted, fitted - start, seconds, len(pickle.dumps(model.machine_)))


def _summary(entries: list[Entry], truth, data: dict, epsilon: float, seeds: dict) -> dict[str, Any]:
    """Everything as one dict."""
    seed = seeds["random_state"]
    linear, best, task = entries[0], entries[-1], data["task"]
    seen = evidence_of(linear.losses, best.losses, task, seed)
    worth, scoring = seen.answer(epsilon), "r2" if task == "regression" else "accuracy"
    gap = gap_in_words(seen, scoring)
    sentence = f"{ANSWERS[worth]}: the automatic choice gains {gap} over the linear model."
    shown = [_candidate(entry, seed, entry is best) for entry in entries]
    answer = {
        "worth": worth, "sentence": sentence, "gap": seen.gap, "interval": [seen.low, seen.high], "epsilon": epsilon,
        "scoring": scoring, "test": seen.test, "p_value": seen.p_value,
    }  # fmt: skip
    how = [
        f"Every kernel was trained on the same {data['rows']:,} rows and judged on the same {data['judged']:,} others.",
        "Scale, parameters and strength of each were chosen on the rows that teach alone; its time holds the choice.",
        "Seconds and bytes are measured, not predicted: seconds of training, bytes of the fitted model.",
    ]
    return {
        "title": "Kernels side by side", "measured": True,
        "data": data, "answer": answer, "candidates": shown, "findings": [],
        "confusion": None if task == "regression" else _confusion(truth, best), "curve": [], "components_curve": [],
        "disagreement": None, "how": how,
        "reproduce": {"versions": versions(), "seeds": seeds, "command": ""},
        "lines": [sentence, *_table(shown, entries, scoring)],
    }  # fmt: skip


def _candidate(entry: Entry, seed: int, chosen: bool) -> dict[str, Any]:
    draws = np.random.default_rng(seed).choice(entry.losses, (DRAWS, len(entry.losses))).mean(axis=1)
    low, high = 1 - np.quantile(draws, [0.975, 0.025])
    what = str(entry.model.chosen_.candidate)
    return {
        "name": entry.name, "family": entry.model.chosen_.candidate.family.lower(), "score": 1 - entry.losses.mean(),
        "low": float(low), "high": float(high), "seconds": entry.seconds, "full_seconds": entry.seconds,
        "full_bytes": entry.bytes, "C": entry.model.chosen_.C, "C_path": [], "n_components": None, "chosen": chosen,
        "params": {"what": what}, "predict_seconds": entry.predict_seconds,
    }  # fmt: skip


def _confusion(truth, best: Entry) -> dict[str, Any] | None:
    labels = best.model.classes_.tolist()
    at = {label: i for i, label in enumerate(labels)}
    counts = np.zeros((len(labels), len(labels)), dtype=int)
    for row, column in zip(truth.tolist(), best.predicted.tolist(), strict=True):
        if row in at:
            counts[at[row], at[column]] += 1
    return {"labels": list(map(str, labels)), "counts": counts.tolist()}


def _table(shown: list[dict], entries: list[Entry], scoring: str) -> list[str]:
    """The candidates in columns."""
    head = f"  {'kernel':<12}{scoring:>10}{'95 % interval':>18}{'training':>10}{'predicting':>12}{'model':>9}  choice"
    lines = [head]
    for entry, of in zip(entries, shown, strict=True):
        interval = f"{of['low']:.4f} to {of['high']:.4f}"
        times = f"{seconds_in_words(entry.seconds):>10}{seconds_in_words(entry.predict_seconds):>12}"
        prices = f"{times}{bytes_in_words(entry.bytes):>9}"
        lines.append(f"  {entry.name:<12}{of['score']:>10.4f}{interval:>18}{prices}  {of['params']['what']}")
    return lines
