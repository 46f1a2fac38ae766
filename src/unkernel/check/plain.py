"""A study put into plain data and plain words: what `Verdict.to_dict` holds and what it prints."""

import platform
from functools import lru_cache
from typing import Any

import numpy as np

from ..report.words import bytes_in_words, seconds_in_words
from . import cost
from .evidence import Evidence, score_interval
from .recommendation import Recommendation
from .remark import remarks, rises
from .score import labels
from .verdict import ANSWERS
from .width import choose_width

FULL = 2048  # components recommended where the probe's curve has not levelled off
TESTS = {"mcnemar": "McNemar's exact test", "bootstrap": "a paired bootstrap"}
WITNESSED = "landmarks (rbf)"  # what is trained where regions show that a kernel is worth it
KERNELS = {
    "linear": "linear",
    "landmarks (rbf)": "rbf",
    "multilinear": "rbf",
    "degree2": "polynomial",
    "fourier (rbf)": "rbf",
    "landmarks (minmax)": "minmax",
}


def write(study: Any, turns: list, evidence: Evidence, curves: dict, seconds: float) -> tuple[dict, Recommendation]:
    """The dictionary of a verdict, and the recommendation."""
    worth = answer(study, turns[0], evidence)
    chosen = _chosen(turns[0], worth)
    best = recommend(study, turns[0], chosen, curves)
    candidates = [_candidate(study, turns, name, chosen, best) for name in turns[0].trials]
    data = {
        "title": ANSWERS[worth],
        "data": _data(study, turns),
        "answer": _answer(study, evidence, worth, starved(turns[0], evidence, study.epsilon)),
        "candidates": candidates,
        "curve": curves["curve"],
        "components_curve": curves["components_curve"],
        "confusion": _confusion(study, turns, chosen),
        "disagreement": _disagreement(study, turns, evidence),
        "findings": [f.to_dict() for f in remarks(study, turns, evidence, worth, curves, candidates)],
        "how": _how(study, turns, evidence),
        "cost": {"check_seconds": seconds}
        | {c["name"]: {"seconds": c["full_seconds"], "bytes": c["full_bytes"]} for c in candidates},
        "recommended": {key: _simple(value) for key, value in best.items()},
        "reproduce": _reproduce(study),
    }
    data["lines"] = _lines(data, study, turns)
    return _simple(data), best


def recommend(study: Any, turn: Any, name: str, curves: dict) -> Recommendation:
    """The model to train on all rows: the chosen probe's kernel with as many components as its curve asks for."""
    trial, kernel = turn.trials[name], KERNELS[name]
    params = {k: v for k, v in trial.params.items() if k in ("gamma", "scale", "degree", "coef0", "p")}
    k, C = trial.n_components, trial.C
    if name == "multilinear":  # a witness, not a model to keep: the Gaussian kernel takes its place, as in the paper
        scale, gamma = choose_width(turn.task)
        seen = turn.trials.get(WITNESSED)
        params, k, C = {"gamma": gamma, "scale": scale}, min(FULL, len(study.rows.y)), seen.C if seen else 8.0
    if rises(curves, "components", name):
        k = max(k, FULL if kernel != "rbf" else min(FULL, len(study.rows.y)))
    return Recommendation(
        name=name,
        kernel=kernel,
        params=params,
        n_components=int(k),
        C=float(C),
        task=study.rows.task,
        sparse=turn.task.sparse,
        encode=study.rows.encoded,
    )


def answer(study: Any, turn: Any, evidence: Evidence) -> str:
    """What the evidence says; but "no" must not rest on weak probes alone."""
    said = evidence.answer(study.epsilon)
    return "undecided" if starved(turn, evidence, study.epsilon) else said


def starved(turn: Any, evidence: Evidence, epsilon: float) -> list[str]:
    """Probes that a budget forbade and without which there is no "no"; empty where a "yes" needs none of them."""
    if turn.rival is not None and evidence.answer(epsilon) != "no":
        return []
    return turn.starved


def _chosen(turn: Any, worth: str) -> str:
    return turn.rival if worth == "yes" and turn.rival else "linear"


def _pooled(turns: list, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Targets, decision values and row numbers of all rows that this model judged."""
    own = [turn for turn in turns if name in turn.trials]
    return tuple(np.concatenate(parts) for parts in zip(*((t.y, t.trials[name].f, t.rows) for t in own), strict=True))


def _candidate(study, turns, name, chosen, best) -> dict:
    trial, task = turns[0].trials[name], turns[0].task
    y, f, _ = _pooled(turns, name)
    low, high = score_interval(y, f, study.score)
    k = best["n_components"] if name == best["name"] else trial.n_components
    paid = turns[0].trials.get(WITNESSED, trial) if name == best["name"] == "multilinear" else trial
    price = cost.price(paid, trained=task.n_rows, judged=len(y), rows=len(study.rows.y), n_components=k)
    return {
        "name": name,
        "family": KERNELS[name],
        "score": study.score(y, f),
        "low": low,
        "high": high,
        "seconds": trial.seconds,
        "full_seconds": price.seconds,
        "full_bytes": price.bytes,
        "C": trial.C,
        "C_path": trial.path,
        "n_components": trial.n_components,
        "chosen": name == chosen,
        "params": {key: value for key, value in trial.params.items() if key != "f_of_runs"},
    }


def _data(study, turns) -> dict:
    rows = study.rows
    return {
        "rows": len(rows.y),
        "columns": rows.X.shape[1],
        "classes": rows.n_classes,
        "task": rows.task,
        "sparse": turns[0].task.sparse,
        "source": "",
        "trained": turns[0].task.n_rows,
        "judged": sum(len(turn.y) for turn in turns),
        "splits": len(turns),
        "half_width": study.plan.half_width,
    }


def _answer(study, evidence, worth, starved) -> dict:
    unit = "points" if study.score.counts else study.score.name
    factor = 100 if study.score.counts else 1
    gap, low, high = (factor * v for v in (evidence.gap, evidence.low, evidence.high))
    name = "accuracy" if study.score.counts else study.score.name
    sentence = {
        "yes": f"A kernel is worth it: it adds about {gap:.3g} {unit} of {name} to a linear model.",
        "no": f"A linear model is enough: a kernel adds less than {factor * study.epsilon:.3g} {unit} of {name}.",
        "undecided": f"These rows do not decide it: a kernel adds between {low:.2g} and {high:.2g} {unit} of {name}.",
    }[worth]
    if not study.score.counts:
        sentence = sentence.replace(f"{unit} of {name}", f"of {name}")
    if starved:
        sentence = f"Not decided: the budget left no time for {', '.join(starved)}."
    return {
        "worth": worth,
        "sentence": sentence,
        "gap": evidence.gap,
        "interval": [evidence.low, evidence.high],
        "epsilon": study.epsilon,
        "scoring": study.score.name,
        "test": evidence.test,
        "p_value": evidence.p_value,
    }


def _confusion(study, turns, chosen) -> dict | None:
    if study.rows.classes is None or study.rows.n_classes > 60:
        return None
    y, f, _ = _pooled(turns, chosen)
    counts = np.zeros((study.rows.n_classes,) * 2, dtype=int)
    np.add.at(counts, (y, labels(f)), 1)
    return {"labels": [str(c) for c in study.rows.classes], "counts": counts.tolist()}


def _disagreement(study, turns, evidence) -> dict | None:
    rival = turns[0].rival
    if study.rows.classes is None or rival is None:
        return None
    names, classes, shown = ["linear", rival], study.rows.classes, []
    y, a, b, rows = (
        np.concatenate(part)
        for part in zip(
            *((t.y, labels(t.trials["linear"].f), labels(t.trials[t.rival].f), t.rows) for t in turns), strict=True
        )
    )
    for i in np.flatnonzero(a != b)[:20]:
        shown.append(
            {"row": int(rows[i]), "truth": str(classes[y[i]]), "a": str(classes[a[i]]), "b": str(classes[b[i]])}
        )
    both, only_a, only_b, neither = (
        int(np.sum(m)) for m in ((a == y) & (b == y), (a == y) & (b != y), (a != y) & (b == y), (a != y) & (b != y))
    )
    return {
        "names": names,
        "both_right": both,
        "only_a": only_a,
        "only_b": only_b,
        "both_wrong": neither,
        "rows": shown,
    }


def _how(study, turns, evidence) -> list[str]:
    task, said = turns[0].task, []
    judged = sum(len(turn.y) for turn in turns)
    said.append(
        f"{task.n_rows:,} rows trained and {judged:,} judged in {len(turns)} of 4 splits, by class in proportion."
    )
    said.append(
        "Every model chose its settings on a quarter of the rows that train; the rows that judge chose nothing."
    )
    said.append("Columns were scaled on the rows that train.")
    said += [f"{name} was not tried: {reason}." for name, reason in turns[0].skipped.items()]
    rivals = sorted({str(turn.rival) for turn in turns})
    said.append(
        f"The nonlinear model that did best on rows held back was {' or '.join(rivals)}; it met the linear model "
        f"once on each row that judges ({TESTS[evidence.test]})."
    )
    said.append(
        "Worth it if the whole 95 % interval of the gap is above epsilon, enough if it is below, else undecided."
    )
    return said


@lru_cache
def _versions() -> dict[str, str]:
    from importlib.metadata import version

    names = ("unkernel", "numpy", "scipy", "scikit-learn")
    return {name: version(name) for name in names} | {"python": platform.python_version()}


def _reproduce(study) -> dict:
    call = f"unkernel.check(X, y, epsilon={study.epsilon:g}, scoring={study.score.name!r})"
    return {"versions": _versions(), "seeds": {"split": str(study.seed)}, "command": call}


def _lines(data: dict, study, turns) -> list[str]:
    """Ten lines for somebody who has never heard of a feature map."""
    answer, scores = data["answer"], {c["name"]: c for c in data["candidates"]}
    rivals = sorted({turn.rival for turn in turns if turn.rival})
    linear = _met(study, turns, "linear") if rivals else scores["linear"]["score"]
    lines = [answer["sentence"], _line("linear model", _score_words(study, linear))]
    if rivals:
        said = f"{_score_words(study, _met(study, turns, None))} ({' or '.join(rivals)})"
        lines.append(_line("curved model", said))
    low, high = answer["interval"]
    f = 100 if study.score.counts else 1
    unit = " points" if study.score.counts else ""
    if rivals:
        found = f"{f * answer['gap']:+.2f}{unit}; with 95 % confidence between {f * low:+.2f} and {f * high:+.2f}"
        lines.append(_line("difference", found))
    lines.append(_line("what would count", f"{f * study.epsilon:g}{unit} or more (epsilon)"))
    lines.append(
        _line(
            "how it was found",
            f"judged on {data['data']['judged']:,} rows, each by models that never saw it",
        )
    )
    best = data["recommended"]
    size = "" if best["kernel"] == "linear" else f", {best['n_components']} components"
    lines.append(_line("train next", f"{best['kernel']}{size}, C = {best['C']:.3g}: verdict.recommended.make()"))
    price = scores[best["name"]]
    lines.append(
        _line(
            "on all rows",
            f"about {seconds_in_words(price['full_seconds'])} and {bytes_in_words(price['full_bytes'])} "
            f"(linear: {seconds_in_words(scores['linear']['full_seconds'])})",
        )
    )
    notes = [n for n in data["findings"] if n["code"] not in ("UK101", "UK102", "UK103", "UK141", "UK121")]
    once = {note["code"]: _line(note["code"], f"{note['title']}. {note['do']}") for note in notes}
    lines += list(once.values())[: 10 - len(lines)]
    return lines


def _met(study, turns: list, name: str | None) -> float:
    """Score of a model on the rows where linear model and rival met, by turns; of the rivals where none is named."""
    turns = [turn for turn in turns if turn.rival]
    marks = [study.score(turn.y, turn.trials[name or turn.rival].f) for turn in turns]
    return float(np.average(marks, weights=[len(turn.y) for turn in turns]))


def _line(head: str, text: str) -> str:
    return f"  {head:<21} {text}"


def _score_words(study, score: float) -> str:
    if study.score.counts:
        return f"right on {score:.1%} of rows it had not seen"
    return f"{study.score.name} of {score:.3f} on rows it had not seen"


def _simple(value: Any) -> Any:
    """Data as JSON holds it: NumPy's numbers become Python's, what is not finite becomes None."""
    if isinstance(value, dict):
        return {str(k): _simple(v) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_simple(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
