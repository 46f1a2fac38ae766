"""Claim of Cotter, Keshet and Srebro (2011): at equal cost, Taylor features reach lower objectives than Fourier ones.

Primal objective per row (hinge, no intercept) and test error on a9a, covtype (type 1 against the rest) and mnist (8
against the rest), at the paper's C and bandwidths, against multiplications per row and measured seconds of one
core: Taylor degrees 2 to 4 where they fit, Fourier features 2^5 to 2^14, plain and structured, and the exact kernel.
Prints a table and writes the figure docs/taylor_claim.svg.
"""

from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import scipy.sparse
from contest import heading, real
from sklearn.svm import SVC

from unkernel import FourierMap, LinearClassifier, TaylorMap

ROWS = 5000  # of training; as many, at most, of testing
PAPER = [("a9a", 1.0, 40.0), ("covtype", 3.0, 0.125), ("covtype", 128.0, 0.5), ("mnist", 1.0, 100.0)]  # C, sigma^2
POSITIVE = {"a9a": 1, "covtype": 1, "mnist": 8}


def task(name: str):
    """Training and test rows, float32 CSR, and their labels."""
    X, y = real(name)
    order = np.random.default_rng(0).permutation(len(y))
    if name == "covtype":
        X, held = X / np.maximum(np.abs(X).max(axis=0), 1), order[ROWS : 2 * ROWS]
        T, t = X[held], y[held]
    else:
        T, t = real(name, "test")
        X, T = (X / 255, T / 255) if name == "mnist" else (X, T)
    X, y, T, t = X[order[:ROWS]], y[order[:ROWS]], T[:ROWS], t[:ROWS]
    X, T = (scipy.sparse.csr_array(A).astype(np.float32) for A in (X, T))
    return X, y == POSITIVE[name], T, t == POSITIVE[name]


def maps(name: str, gamma: float, X):
    """(Family, size, map, multiplications per row) of every contestant."""
    s, d = X.nnz / X.shape[0], X.shape[1]
    for degree in (2, 3, 4) if name != "mnist" else (2,):
        phi = TaylorMap(degree, gamma=gamma, output="sparse", n_jobs=1).fit(X)
        yield "Taylor", degree, phi, phi.mean_cost_
    for power in range(5, 15):
        size = 2**power
        for variant in ("gaussian", "structured"):
            each = s if variant == "gaussian" else 3 * np.log2(2 ** np.ceil(np.log2(d)))
            phi = FourierMap(size, gamma=gamma, variant=variant, random_state=0, n_jobs=1)
            yield f"Fourier, {variant}", size, phi, size / 2 * each


def run(name: str, C: float, square: float) -> list[dict]:
    """All contestants on one data set."""
    title = f"{name}, sigma^2 {square:g}"
    X, y, T, t = task(name)
    heading(f"{name}: {X.shape[0]} rows, {X.nnz / X.shape[0]:.1f} nonzeros of {X.shape[1]}, C {C}, sigma^2 {square}")
    found = []
    for family, size, phi, work in maps(name, 0.5 / square, X):
        phi.fit(X).features(X[:64])
        seconds = np.inf
        for _ in range(3):
            start = process_time()
            F = phi.features(X)
            seconds = min(seconds, process_time() - start)
        start = perf_counter()
        model = LinearClassifier(
            "hinge", C=C, fit_intercept=False, tol=1e-2, n_jobs=1, callbacks=lambda step: step.passes >= 200
        ).fit(F, y)
        fit = perf_counter() - start
        margin = np.where(y, 1, -1) * model.decision_function(F)
        objective = 0.5 * np.sum(model.coef_**2) / (C * len(y)) + np.maximum(0, 1 - margin).mean()
        error = 1 - model.score(phi.features(T), t)
        found.append(row(title, family, size, work, seconds, fit, objective, error))
        del F
    start = perf_counter()
    exact = SVC(C=C, gamma=0.5 / square, cache_size=2000).fit(X, y)
    fit = perf_counter() - start
    a, K = exact.dual_coef_.toarray().ravel(), exact.decision_function(X)
    norm = a @ (K[exact.support_] - exact.intercept_)
    objective = 0.5 * norm / (C * len(y)) + np.maximum(0, 1 - np.where(y, 1, -1) * K).mean()
    work = len(a) * X.nnz / X.shape[0]
    found.append(row(title, "exact kernel", len(a), work, 0.0, fit, objective, 1 - exact.score(T, t)))
    return found


def row(name, family, size, work, seconds, fit, objective, error) -> dict:
    """One line of the table, printed."""
    print(
        f"{family:<20} {size:>6} {work:>12.0f} multiplications/row  features {seconds:8.3f} s  fit {fit:8.2f} s  "
        f"objective {objective:.4f}  test error {100 * error:.2f} %",
        flush=True,
    )
    return {
        "data": name,
        "features": family,
        "size": size,
        "multiplications per row": work,
        "core seconds for the features": seconds,
        "primal objective per row": objective,
        "test error": error,
    }


def draw(rows: list[dict], path: Path) -> None:
    """Objective and test error against work and against seconds, a panel each."""
    import altair as alt

    panels = []
    for name in dict.fromkeys(r["data"] for r in rows):
        here = [r for r in rows if r["data"] == name]
        lines = [r for r in here if r["features"] != "exact kernel"]
        exact = next((r for r in here if r["features"] == "exact kernel"), None)
        for y in ("primal objective per row", "test error"):
            for x in ("multiplications per row", "core seconds for the features"):
                base = alt.Chart(alt.Data(values=lines)).encode(
                    x=alt.X(f"{x}:Q", scale=alt.Scale(type="log"), title=x),
                    y=alt.Y(f"{y}:Q", scale=alt.Scale(zero=False), title=y),
                    color=alt.Color("features:N", legend=alt.Legend(orient="bottom")),
                )
                marks = base.mark_line() + base.mark_point(filled=True)
                if exact is not None:
                    floor = alt.Chart(alt.Data(values=[exact])).mark_rule(strokeDash=[4, 3]).encode(y=f"{y}:Q")
                    marks += floor
                panels.append(marks.properties(width=240, height=170, title=name))
    alt.concat(*panels, columns=4).save(str(path))


if __name__ == "__main__":
    rows = [line for which in PAPER for line in run(*which)]
    draw(rows, Path(__file__).parent.parent / "docs" / "taylor_claim.svg")
