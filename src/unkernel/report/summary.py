"""The shape of a summary: the one dict that `--json` prints and the page is made of. Data only, ready for JSON."""

import copy
import json
from collections.abc import Mapping
from typing import Any

from .._validate import InputError

WORTH = ("yes", "no", "undecided")
_LEFT_OUT = ("confusion", "disagreement")  # None where they say nothing

# What every summary has, and what stands in for what it leaves out. A page leaves out sections that are empty.
_PARTS: dict[str, Any] = {
    "title": "Is a kernel worth it?",
    "measured": False,  # whether prices are measured, not predicted
    "data": {"rows": None, "columns": None, "classes": None, "task": "", "source": ""},
    "answer": {"worth": "undecided", "sentence": "", "gap": None, "interval": None, "epsilon": None, "scoring": "score",
               "test": None, "p_value": None},
    "candidates": [{"name": "", "family": "", "score": None, "low": None, "high": None, "seconds": None,
                    "full_seconds": None, "full_bytes": None, "C": None, "C_path": [], "n_components": None,
                    "chosen": False, "params": {}}],
    "curve": [{"name": "", "rows": None, "score": None, "low": None, "high": None}],
    "components_curve": [{"name": "", "components": None, "score": None, "low": None, "high": None}],
    "confusion": {"labels": [], "counts": []},
    "disagreement": {"names": ["", ""], "both_right": 0, "only_a": 0, "only_b": 0, "both_wrong": 0, "rows": []},
    "findings": [{"code": "", "title": "", "text": "", "do": ""}],
    "how": [],
    "reproduce": {"versions": {}, "seeds": {}, "command": ""},
}  # fmt: skip


def completed(summary: Mapping[str, Any]) -> dict[str, Any]:
    """The summary with every part present; an `InputError` names a part that has another shape.

    Parameters
    ----------
    summary : mapping
        As `Verdict.to_dict()` gives it. Parts may be missing; parts nobody knows are kept and not shown.
    """
    if not isinstance(summary, Mapping):
        raise InputError(f"a summary is a dict as Verdict.to_dict() gives it, not {type(summary).__name__}")
    try:
        plain = json.loads(json.dumps(summary), parse_constant=lambda _: None)  # not a number: nothing
    except (TypeError, ValueError) as error:
        raise InputError(f"a summary holds what JSON holds: {error}; use Verdict.to_dict()") from error
    whole = {**plain, **{part: _filled(part, plain.get(part), form) for part, form in _PARTS.items()}}
    if whole["answer"]["worth"] not in WORTH:
        raise InputError(f'answer["worth"] is {whole["answer"]["worth"]!r}; it is one of {", ".join(WORTH)}')
    return whole


def _filled(part: str, value: Any, form: Any) -> Any:
    """A part with its missing entries filled in."""
    if value is None:
        return [] if isinstance(form, list) else None if part in _LEFT_OUT else copy.copy(form)
    if not isinstance(value, type(form)):
        raise InputError(f"{part!r} of a summary is a {type(form).__name__}, not {type(value).__name__}")
    if isinstance(form, dict):
        return form | value
    return [_entry(part, entry, form[0]) for entry in value] if isinstance(form, list) and form else value


def _entry(part: str, entry: Any, form: dict) -> dict:
    if not isinstance(entry, dict):
        raise InputError(f"{part!r} of a summary is a list of dicts, not of {type(entry).__name__}")
    return form | entry
