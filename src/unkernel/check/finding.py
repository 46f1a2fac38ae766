"""Findings: what was noticed, under a code that never changes, with the evidence and what to do about it."""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from .rows import Rows

# Code -> title. Codes are permanent: a finding that goes away keeps its number. docs/findings.md explains each.
TITLES = {
    "UK101": "A kernel is worth it",
    "UK102": "A linear model is enough",
    "UK103": "The rows do not decide it",
    "UK111": "Columns that never change",
    "UK112": "A column that looks like an identifier",
    "UK113": "Classes with hardly any rows",
    "UK114": "One class holds nearly all rows",
    "UK115": "Classes that may be amounts",
    "UK116": "Rows that repeat",
    "UK121": "Decided on a sample",
    "UK122": "No model beats a constant",
    "UK123": "Too good to be true",
    "UK131": "More rows would help",
    "UK132": "More components would help",
    "UK133": "The search for C stopped at its end",
    "UK141": "The price of an exact kernel",
}


class Finding(NamedTuple):
    """One thing noticed: `text` is the evidence, `do` the remedy."""

    code: str
    text: str
    do: str

    def to_dict(self) -> dict[str, str]:
        """As plain data, with its title."""
        return {"code": self.code, "title": TITLES[self.code], "text": self.text, "do": self.do}


def of_data(rows: Rows) -> list[Finding]:
    """What can be said before any model is trained."""
    found = [constant_columns(rows), identifiers(rows), repeats(rows)]
    if rows.classes is not None:
        found += [rare_classes(rows), imbalance(rows), amounts(rows)]
    return [finding for finding in found if finding is not None]


def constant_columns(rows: Rows) -> Finding | None:
    """Columns with one value."""
    X = rows.X
    low, high = X.min(axis=0), X.max(axis=0)
    if scipy.sparse.issparse(X):
        low, high = low.toarray(), high.toarray()
    same = np.flatnonzero(np.ravel(low) == np.ravel(high))
    if not len(same):
        return None
    return Finding(
        "UK111",
        f"{len(same):,} of {X.shape[1]:,} columns hold one value: {_named(rows, same)}.",
        "Drop them: they cost time and say nothing.",
    )


def identifiers(rows: Rows) -> Finding | None:
    """Dense columns of whole numbers, no two alike, that fill their range: numbered rows."""
    if scipy.sparse.issparse(rows.X) or len(rows.y) < 50:
        return None
    n = len(rows.y)
    marked = []
    for j in range(rows.X.shape[1]):
        column = rows.X[:, j]
        if column.max() - column.min() >= n - 1 and np.all(column == np.floor(column)):
            steady = np.all(np.diff(column) > 0) or np.all(np.diff(column) < 0)
            if steady or (len(np.unique(column)) == n and column.max() - column.min() < 2 * n):
                marked.append(j)
    if not marked:
        return None
    return Finding(
        "UK112",
        f"Every row has its own whole number in {_named(rows, marked)}.",
        "If these number the rows, drop them: what they seem to predict will not hold for new rows.",
    )


def repeats(rows: Rows) -> Finding | None:
    """Rows of a dense table that appear more than once, among the first 20,000."""
    if scipy.sparse.issparse(rows.X):
        return None
    X = np.ascontiguousarray(rows.X[:20_000])
    kinds = len(np.unique(X.view(np.dtype((np.void, X.dtype.itemsize * X.shape[1]))).ravel()))
    share = 1 - kinds / len(X)
    if share < 0.05:
        return None
    return Finding(
        "UK116",
        f"{share:.0%} of rows repeat another row exactly.",
        "If they are copies, keep one of each: a model is judged on rows it has seen.",
    )


def rare_classes(rows: Rows) -> Finding | None:
    """Classes of fewer than eight rows."""
    count = np.bincount(rows.y, minlength=rows.n_classes)
    rare = np.flatnonzero(count < 8)
    if not len(rare):
        return None
    shown = ", ".join(f"{rows.classes[c]} ({count[c]})" for c in rare[:5])
    return Finding(
        "UK113",
        f"{len(rare)} of {rows.n_classes} classes have fewer than 8 rows: {shown}.",
        "Merge them, or bring more rows of them; a class of one row is trained on and never judged.",
    )


def imbalance(rows: Rows) -> Finding | None:
    """Nine rows in ten of one class."""
    count = np.bincount(rows.y, minlength=rows.n_classes)
    share = count.max() / len(rows.y)
    if share < 0.9:
        return None
    return Finding(
        "UK114",
        f"{share:.1%} of rows are of class {rows.classes[count.argmax()]}: always saying so is right as often.",
        "Choose a score that minds, such as scoring='balanced_accuracy' or 'roc_auc'.",
    )


def amounts(rows: Rows) -> Finding | None:
    """More than 20 classes that are whole numbers."""
    if rows.classes.dtype.kind not in "fiu" or rows.n_classes <= 20:
        return None
    return Finding(
        "UK115",
        f"y has {rows.n_classes} classes that are whole numbers.",
        "If they are amounts and not labels, pass scoring='r2': the check then compares regressions.",
    )


def _named(rows: Rows, columns: Any) -> str:
    shown = [repr(rows.names[j]) if rows.names else f"column {j}" for j in list(columns)[:5]]
    return ", ".join(shown) + (", ..." if len(columns) > 5 else "")
