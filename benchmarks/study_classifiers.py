"""UnkernelClassifier() against tuned SVC, gradient boosting, a random forest and LinearSVC, on every set of a folder.

    python benchmarks/study_classifiers.py                      # every cell that is missing, cheapest sets first
    python benchmarks/study_classifiers.py --missing            # their names, one a line
    python benchmarks/study_classifiers.py letter unkernel      # one cell
    python benchmarks/study_classifiers.py --table              # the results as a table

One line of JSON per cell goes to `results/study_classifiers.jsonl` beside this file, so a run can be stopped and goes
on where it was. Times are processor seconds of fitting, search included, on one thread. Accuracy is on the test part
of a set, or on three tenths of its rows drawn with a fixed seed.
"""

import json
import os
import sys
import warnings
from pathlib import Path
from time import process_time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from contest import heading, real
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC

RESULTS = Path(__file__).parent / "results" / "study_classifiers.jsonl"
SETS = [
    "sonar", "heart", "ionosphere", "movement_libras", "vowel", "diabetes_pima", "vehicle", "fourclass",
    "german_numer", "splice", "svmguide1", "a1a", "segment", "mfeat_fourier", "mfeat_karhunen", "mfeat_pixel",
    "ann_thyroid", "mushrooms", "phoneme_esl", "optdigits", "satimage", "spambase", "madelon", "pendigits", "usps",
    "musk2", "isolet", "letter", "higgs_12k",
]  # fmt: skip
TEST_ROWS = 10_000


def data(name: str):
    """Training and test rows and labels."""
    X, y = real(name)
    try:
        Xt, yt = real(name, "test")
    except KeyError:
        X, Xt, y, yt = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
    return X.astype(np.float64), y, Xt[:TEST_ROWS].astype(np.float64), yt[:TEST_ROWS]


def folds():
    """Three folds, the same for every rival."""
    return StratifiedKFold(3, shuffle=True, random_state=0)


def svc(X):
    """RBF kernel on scaled columns, 20 points."""
    scaler = StandardScaler() if isinstance(X, np.ndarray) else MaxAbsScaler()
    pipe = make_pipeline(scaler, SVC(cache_size=1000))
    gammas = np.array([0.03, 0.1, 0.3, 1.0, 3.0]) / X.shape[1]
    return GridSearchCV(pipe, {"svc__C": [1, 10, 100, 1000], "svc__gamma": gammas}, cv=folds())


def linear_svc(X):
    """Scaled columns, C of five, iterations as they come."""
    scaler = StandardScaler() if isinstance(X, np.ndarray) else MaxAbsScaler()
    pipe = make_pipeline(scaler, LinearSVC(dual="auto", max_iter=1000))
    return GridSearchCV(pipe, {"linearsvc__C": [0.001, 0.01, 0.1, 1, 10]}, cv=folds())


def unkernel(X):
    """No arguments."""
    from unkernel import UnkernelClassifier

    return UnkernelClassifier()


METHODS = {
    "unkernel": unkernel,
    "boosting": lambda X: HistGradientBoostingClassifier(random_state=0),
    "forest": lambda X: RandomForestClassifier(300, random_state=0),
    "linear_svc": linear_svc,
    "svc": svc,
}


def run(name: str, method: str) -> dict:
    """One cell."""
    X, y, Xt, yt = data(name)
    dense = method in ("boosting", "forest")
    if dense and not isinstance(X, np.ndarray):
        X, Xt = X.toarray(), Xt.toarray()
    if method == "unkernel":  # compilation apart
        METHODS[method](X).fit(X[:: max(1, len(y) // 100)], y[:: max(1, len(y) // 100)]).predict(Xt[:10])
    model = METHODS[method](X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = process_time()
        model.fit(X, y)
        fitted = process_time()
        right = model.predict(Xt) == yt
    note = str(model.chosen_.candidate) if method == "unkernel" else str(getattr(model, "best_params_", ""))
    return {
        "set": name, "method": method, "rows": len(y), "columns": X.shape[1], "classes": len(np.unique(y)),
        "test_rows": len(yt), "accuracy": float(right.mean()), "fit_seconds": fitted - start,
        "predict_seconds": process_time() - fitted, "note": note,
    }  # fmt: skip


def done() -> dict:
    """(set, method) -> the last result."""
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return {(r["set"], r["method"]): r for r in map(json.loads, lines)}


def keep(name: str, method: str) -> None:
    """Run a cell and write its line."""
    result = run(name, method)
    RESULTS.parent.mkdir(exist_ok=True)
    with open(RESULTS, "a") as file:
        file.write(json.dumps(result) + "\n")
    print(
        f"{name:16} {method:12} {result['accuracy']:.4f} {result['fit_seconds']:9.2f} s  {result['note']}", flush=True
    )


def table() -> None:
    """Accuracy of every method and time of ours and of the tuned SVC; what of the claims holds, last."""
    cells = done()
    rows = [name for name in SETS if all((name, method) in cells for method in METHODS)]
    print(f"| set | rows | {' | '.join(METHODS)} | best of the others | seconds, ours | svc |")
    print("|---|---|" + "---|" * (len(METHODS) + 3))
    near = above = 0
    for name in rows:
        accuracy = [100 * cells[name, m]["accuracy"] for m in METHODS]
        best = max(accuracy[1:])
        near += accuracy[0] >= best - 0.5
        above += accuracy[0] >= 100 * cells[name, "linear_svc"]["accuracy"] - 2
        seconds = [cells[name, m]["fit_seconds"] for m in ("unkernel", "svc")]
        shown = " | ".join(f"{a:.2f}" for a in accuracy)
        times = " | ".join(f"{s:.1f}" for s in seconds)
        print(f"| {name} | {cells[name, 'svc']['rows']} | {shown} | {accuracy[0] - best:+.2f} | {times} |")
    total = [sum(cells[name, m]["fit_seconds"] for name in rows) for m in ("unkernel", "svc")]
    print(f"\nwithin 0.5 point of the best: {near} of {len(rows)} ({near / max(len(rows), 1):.0%}, claim >= 80%)")
    print(f"not more than 2 points below linear: {above} of {len(rows)}")
    print(f"RATIO svc / unkernel, total time: {total[1] / max(total[0], 1e-9):.2f} (claim >= 5)")


if __name__ == "__main__":
    asked = sys.argv[1:]
    missing = [(name, method) for name in SETS for method in METHODS if (name, method) not in done()]
    if asked == ["--table"]:
        table()
    elif asked == ["--missing"]:
        print("\n".join(" ".join(cell) for cell in missing))
    elif asked:
        keep(*asked)
    else:
        heading("UnkernelClassifier against four rivals")
        for cell in missing:
            keep(*cell)
        table()
