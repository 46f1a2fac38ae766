"""Published accuracies of exact kernels, once more: ours beside the paper's, cell by cell, resumable.

Protocol of the papers: the best accuracy on the test rows over C (and gamma), so optimistic by design; linear machines
on rows of length one (LIBLINEAR's squared hinge, no intercept); all other kernels in LIBSVM through a Gram matrix; no
column is scaled. Ours: C at 1e-2, 1e-1, ... 1e3, gamma at 1, 10, 100 and the paper's best one; on large sets C at 1,
10, 100, 1000 and the paper's gamma; on fine ones four C a decade and the paper's gammas near its best. A C beyond which
no dual variable is at its bound ends the grid: larger ones have the same solution. LIBSVM stops after 2e6 steps; a cell
whose best machine stopped so says "capped".

    python benchmarks/reproduce_papers.py RESULTS.jsonl                 every cell not yet there, small sets first
    python benchmarks/reproduce_papers.py RESULTS.jsonl --table PAPERS  the table, against the csv files in PAPERS
"""

import csv
import json
import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from sklearn.svm import SVC, LinearSVC

from unkernel import GMM, Acos, AcosChi2, CosineRBF, FoldedRBF, LinearClassifier
from unkernel.exact.grid import GAMMAS as FIFTY_EIGHT

CS = 10.0 ** np.arange(-2, 4)
GAMMAS = (1.0, 10.0, 100.0)
FINE_CS = 10.0 ** np.arange(-1, 3.1, 0.25)
NEAR = 4.0  # fine tasks try those of the paper's 58 gammas that lie within this factor of its best
MOST_STEPS = 2_000_000
TEST_ROWS = 4000  # rows of a test Gram at a time


class Task(NamedTuple):
    """A data set as a paper used it."""

    paper: str  # "000" or "004", whose table
    name: str  # its row there
    file: str
    n_train: int | None = None  # None is the conventional split; else rows drawn from the training file
    n_test: int | None = None  # None is the test file, else drawn from what is left
    shape: str = "as it is"  # what is done to the values
    draws: int = 1
    columns: int | None = None
    swapped: bool = False
    large: bool = False  # C at 1, 10, 100, 1000 only, and the paper's gamma only
    fine: bool = False  # four values of C per decade, and every gamma of the paper near its best

    @property
    def costs(self) -> np.ndarray:
        """Values of C."""
        return CS[2:] if self.large else FINE_CS if self.fine else CS

    def gammas(self, best: float) -> list[float]:
        """Values of gamma, where the paper's best is known."""
        if self.fine:
            return [g for g in FIFTY_EIGHT if best / NEAR <= g <= best * NEAR]
        return sorted({*(() if self.large else GAMMAS), best})


TASKS = [
    Task("004", "fourclass", "fourclass", 431, 431, draws=5, fine=True),
    Task("004", "fourclass", "fourclass", 431, 431, shape="columns to -1..1", draws=5, fine=True),
    Task("004", "vowel", "vowel", fine=True),
    Task("004", "vowel", "vowel", shape="columns to -1..1", fine=True),
    Task("000", "vowel", "vowel", shape="columns to 0..1", fine=True),
    Task("000", "splice", "splice"),
    Task("000", "shuttle1k", "shuttle", 1000, shape="columns to 0..1"),
    Task("004", "segment", "segment", 1155, 1155, draws=3),
    Task("004", "segment", "segment", 1155, 1155, shape="columns to -1..1", draws=3),
    Task("000", "segment", "segment", 1155, 1155, shape="columns to 0..1", draws=3),
    Task("004", "svmguide1", "svmguide1", fine=True),
    Task("000", "spam", "spambase", 3065, 1536, columns=54, draws=2),
    Task("004", "satimage", "satimage", 2218, 2217, fine=True),
    Task("004", "satimage", "satimage", 2218, 2217, shape="columns to -1..1", fine=True),
    Task("000", "optdigits", "optdigits"),
    Task("000", "phoneme", "phoneme_esl", shape="shifted to 0"),
    Task("000", "satimage", "satimage"),
    Task("000", "satimage", "satimage", shape="columns to 0..1"),
    Task("004", "musk", "musk2", 3299, 3299),
    Task("000", "letter4k", "letter", 4000, shape="rest tested"),
    Task("000", "pendigits", "pendigits"),
    Task("000", "isolet", "isolet", shape="shifted to 0"),
    Task("000", "usps", "usps", shape="shifted to 0"),
    Task("004", "usps", "usps"),
    Task("004", "ijcnn5k", "ijcnn1", 5000),
    Task("000", "ijcnn5k", "ijcnn1", 5000, shape="columns to 0..1"),
    Task("000", "mnist10k", "mnist", swapped=True, large=True),
    Task("004", "letter", "letter_libsvm", large=True),
    Task("000", "letter", "letter", large=True),
    Task("000", "covertype10k", "covtype", 10000, 50000, shape="columns to 0..1", large=True),
]


def rows_of(task: Task, draw: int):
    """X_train, y_train, X_test, y_test of one draw."""
    with np.load(Path(os.environ["UNKERNEL_DATA"]) / f"{task.file}.npz") as file:
        X, y = file["X_train"], file["y_train"]
        rest = (file["X_test"], file["y_test"]) if "X_test" in file else None
    if task.shape == "rest tested":
        X, y, rest = np.vstack([X, rest[0]]), np.append(y, rest[1]), None
    if task.n_train is not None:
        order = np.random.default_rng(draw).permutation(len(y))
        chosen, left = order[: task.n_train], order[task.n_train :]
        if rest is None or task.n_test is not None:
            left = left[: task.n_test]
            rest = X[left], y[left]
        X, y = X[chosen], y[chosen]
    X, Z = (np.asarray(part, dtype=np.float64)[:, : task.columns] for part in (X, rest[0]))
    if task.swapped:
        X, y, Z, rest = Z, rest[1], X, (None, y)
    return *shaped(task.shape, X, Z), y, rest[1]


def shaped(shape: str, X, Z):
    """Values as the task says: the papers do not say how signed sets were made amounts, nor which were scaled."""
    if "columns to" in shape:
        low, high = np.minimum(X.min(axis=0), Z.min(axis=0)), np.maximum(X.max(axis=0), Z.max(axis=0))
        width = np.where(high > low, high - low, 1)
        X, Z = (X - low) / width, (Z - low) / width
        if "-1..1" in shape:
            X, Z = 2 * X - 1, 2 * Z - 1
    elif shape == "shifted to 0":
        low = min(X.min(), Z.min())
        X, Z = X - low, Z - low
    return X, Z


def kernels_of(task: Task, gamma: dict[str, float]) -> dict[str, Callable]:
    """Column of the table -> list of (label, kernel) of one base each."""
    grids = {name: task.gammas(gamma.get(name, 1.0)) for name in ("rbf", "frbf")}
    kernels = {"minmax": [("", GMM())]}
    if task.paper == "000":
        kernels |= {
            "acos": [("", Acos())],
            "acos_chi2": [("", AcosChi2())],
            "mm_acos": [("", GMM() * Acos())],
            "mm_acos_chi2": [("", GMM() * AcosChi2())],
            "frbf": [(g, FoldedRBF(g)) for g in grids["frbf"]],
        }
    kernels["rbf"] = [(g, CosineRBF(g)) for g in grids["rbf"]]
    return kernels


def best_linear(kind: str, X, y, Z, t) -> dict:
    """The best of the C grid on rows of length one; "loose" is LIBLINEAR with the hinge, stopped early."""
    X, Z = normalize(X), normalize(Z)
    make = LinearClassifier if kind == "linear" else partial(LinearSVC, loss="hinge", tol=0.1, random_state=0)
    scores = {C: make(C=C, fit_intercept=False).fit(X, y).score(Z, t) for C in CS}
    C = max(scores, key=scores.get)
    return {"accuracy": scores[C], "C": C}


def best_kernel(members: list, values, X, y, Z, t) -> dict:
    """The best of C and gamma; members differ in their formula only, so one base serves them all."""
    machines, first = [], members[0][1]
    base = first.base(X)
    for label, kernel in members:
        K = kernel.of_base(base)
        for C in values:
            machine = SVC(C=C, kernel="precomputed", cache_size=500, max_iter=MOST_STEPS).fit(K, y)
            machines.append((label, kernel, C, machine))
            if np.abs(machine.dual_coef_).max() < C * (1 - 1e-9):
                break
    del base
    right = np.zeros(len(machines))
    for start in range(0, len(Z), TEST_ROWS):
        block = first.base(Z[start : start + TEST_ROWS], X)
        last = None
        for m, (_, kernel, _, machine) in enumerate(machines):
            if kernel is not last:
                K, last = kernel.of_base(block), kernel
            right[m] += np.sum(machine.predict(K) == t[start : start + TEST_ROWS])
    m = int(right.argmax())
    capped = bool(machines[m][3].fit_status_)
    return {"accuracy": right[m] / len(Z), "C": machines[m][2], "gamma": machines[m][0], "capped": capped}


def run(results: Path, gammas: dict) -> None:
    """Every cell that is not there yet."""
    done = {(r["paper"], r["name"], r["shape"], r["draw"], r["kernel"]) for r in read(results)}
    for task in TASKS:
        for draw in range(task.draws):
            rows = None
            linear = {"linear": None} if task.large else {"linear": None, "linear_loose": None}
            cells = linear | kernels_of(task, gammas.get((task.paper, task.name), {}))
            for kernel, members in cells.items():
                if (task.paper, task.name, task.shape, draw, kernel) in done:
                    continue
                rows = rows or rows_of(task, draw)
                X, Z, y, t = rows
                start = perf_counter()
                best = best_kernel(members, task.costs, X, y, Z, t) if members else best_linear(kernel, X, y, Z, t)
                cell = {"paper": task.paper, "name": task.name, "draw": draw, "kernel": kernel, **best}
                cell |= {"rows": [len(y), len(t)], "shape": task.shape, "seconds": round(perf_counter() - start, 1)}
                with results.open("a") as file:
                    file.write(json.dumps(cell) + "\n")
                print(json.dumps(cell), flush=True)


def read(results: Path) -> list[dict]:
    """Finished cells."""
    return [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []


def published(folder: Path) -> dict:
    """(paper, set, column) -> printed number."""
    cells = {}
    for paper, files in {
        "000": ("seed000_table1", "seed000_table2", "seed000_table3"),
        "004": ("seed004_table1",),
    }.items():
        for file in files:
            with (folder / f"{file}.csv").open() as lines:
                for row in csv.DictReader(lines):
                    for column, value in row.items():
                        column = {"gmm": "minmax", "linear_pct": "linear"}.get(column, column)
                        if value and value.replace(".", "").isdigit():
                            cells[paper, row["dataset"], column] = float(value)
    return cells


def table(results: Path, folder: Path) -> None:
    """Print ours, the paper's and the difference, as a page shows them."""
    cells, paper = read(results), published(folder)
    print("| set | paper | rows | values | kernel | ours | paper's | difference | C | gamma |\n" + "|---" * 10 + "|")
    for task in TASKS:
        for kernel in ("linear", "linear_loose", *kernels_of(task, {})):
            key = task.paper, task.name, task.shape, kernel
            mine = [c for c in cells if (c["paper"], c["name"], c["shape"], c["kernel"]) == key]
            if not mine:
                continue
            ours = 100 * np.mean([c["accuracy"] for c in mine])
            theirs = paper.get((task.paper, task.name, kernel.removesuffix("_loose")))
            spread = f" ± {100 * np.std([c['accuracy'] for c in mine]):.1f}" if len(mine) > 1 else ""
            gap = "" if theirs is None else f"{ours - theirs:+.1f}"
            row = [task.name, task.paper, " / ".join(map(str, mine[0]["rows"])), task.shape, kernel]
            row += [f"{ours:.1f}{spread}", theirs or "", gap, f"{mine[0]['C']:g}", mine[0].get("gamma", "")]
            print("|", " | ".join(map(str, row)), "|")


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    results = Path(sys.argv[1])
    papers = Path(sys.argv[3] if "--table" in sys.argv else os.environ.get("UNKERNEL_PAPERS", "papers"))
    if "--table" in sys.argv:
        table(results, papers)
    else:
        best = {}
        for (paper, name, column), value in published(papers).items() if papers.exists() else ():
            if column.endswith("_gamma"):
                best.setdefault((paper, name), {})[column.removesuffix("_gamma")] = value
        run(results, best)
