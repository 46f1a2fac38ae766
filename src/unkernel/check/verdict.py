"""The verdict: plain data, ten lines of plain words, and the model to train next."""

import copy
import html
from typing import Any

from .recommendation import Recommendation

ANSWERS = {
    "yes": "A kernel is worth it",
    "no": "A linear model is enough",
    "undecided": "These rows do not decide whether a kernel is worth it",
}


class Verdict:
    """Is a kernel worth it? The answer, its evidence, its price and what to do.

    Everything is in `to_dict()`, ready for JSON; the rest reads from there.

    Attributes
    ----------
    worth : {"yes", "no", "undecided"}
        Whether the interval of the gap is above epsilon, below it, or on both sides.
    gap : float
        Score of the best nonlinear model less that of the linear one, on rows neither was trained on.
    interval : tuple of float
        95 % interval of the gap.
    epsilon : float
        The gap that counts.
    recommended : Recommendation
        A dict of `name`, `kernel`, `params`, `n_components` and `C`, with `make()`, the unfitted pipeline.
    cost : dict
        `seconds` and `bytes` that training each candidate on all rows is predicted to take, and `check_seconds`.
    findings : list of dict
        `code`, `title`, `text` and `do`.
    candidates : list of dict

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import check
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 3))
    >>> verdict = check(X, X @ [1.0, 2.0, 3.0] > 0, random_state=0)
    >>> verdict.worth, verdict.recommended["kernel"]
    ('no', 'linear')
    """

    def __init__(self, data: dict, recommended: Recommendation):
        self._data = data
        self.recommended = recommended

    @property
    def worth(self) -> str:
        """ "yes", "no" or "undecided"."""
        return self._data["answer"]["worth"]

    @property
    def gap(self) -> float:
        """Gap of the scores."""
        return self._data["answer"]["gap"]

    @property
    def interval(self) -> tuple[float, float]:
        """Interval of the gap."""
        return tuple(self._data["answer"]["interval"])

    @property
    def epsilon(self) -> float:
        """The gap that counts."""
        return self._data["answer"]["epsilon"]

    @property
    def cost(self) -> dict:
        """Predicted price of each candidate on all rows."""
        return copy.deepcopy(self._data["cost"])

    @property
    def findings(self) -> list[dict]:
        """What was noticed, and what to do."""
        return copy.deepcopy(self._data["findings"])

    @property
    def candidates(self) -> list[dict]:
        """Every model tried."""
        return copy.deepcopy(self._data["candidates"])

    def to_dict(self) -> dict[str, Any]:
        """Everything, as data that JSON can hold."""
        return copy.deepcopy(self._data)

    def to_html(self, path: Any) -> None:
        """Write the report, one page that needs no network.

        Parameters
        ----------
        path : path-like
        """
        from ..report.html import write_page

        write_page(self.to_dict(), path)

    def __str__(self) -> str:
        return "\n".join(self._data["lines"])

    def __repr__(self) -> str:
        low, high = self.interval
        return f"Verdict(worth={self.worth!r}, gap={self.gap:.4f}, interval=({low:.4f}, {high:.4f}))"

    def _repr_html_(self) -> str:
        first, *rest = str(self).splitlines()
        cells = (html.escape(line.strip()).split("  ", 1) for line in rest)
        body = "".join(f"<tr><td>{head}</td><td>{text.strip()}</td></tr>" for head, text in cells)
        return f"<div><p><b>{html.escape(first)}</b></p><table>{body}</table></div>"
