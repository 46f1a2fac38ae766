"""UnkernelClassifier() against tuned SVC, gradient boosting, a random forest and LinearSVC, on every set of a folder.

    python benchmarks/study_classifiers.py                      # every cell that is missing, cheapest sets first
    python benchmarks/study_classifiers.py --missing            # their names, one a line
    python benchmarks/study_classifiers.py letter unkernel      # one cell
    python benchmarks/study_classifiers.py --table              # the results as a table
    python benchmarks/study_classifiers.py --figure study.svg   # accuracy against time

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


def whole(cells: dict) -> list[str]:
    """Sets with a result of every method."""
    return [name for name in SETS if all((name, method) in cells for method in METHODS)]


def figure(path: str) -> None:
    """Mean accuracy against total seconds of fitting, one point per method, the Pareto front joined."""
    cells = done()
    names = whole(cells)
    points = {m: (sum(cells[n, m]["fit_seconds"] for n in names),
                  100 * np.mean([cells[n, m]["accuracy"] for n in names])) for m in METHODS}  # fmt: skip
    seconds, scores = np.array(list(points.values())).T
    left, right = np.log10(seconds.min()) - 0.3, np.log10(seconds.max()) + 0.6
    low, high = np.floor(scores.min()) - 1, np.ceil(scores.max()) + 1

    def place(s, a):
        return 60 + 520 * (np.log10(s) - left) / (right - left), 300 - 260 * (a - low) / (high - low)

    front = [m for m in points if not any(o[0] <= points[m][0] and o[1] > points[m][1] for o in points.values())]
    line = " ".join("{:.1f},{:.1f}".format(*place(*points[m])) for m in sorted(front, key=lambda m: points[m][0]))
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 350" font-family="sans-serif" font-size="13">',
        f"<title>Mean accuracy on {len(names)} sets against seconds of fitting, search included</title>",
        '<rect width="640" height="350" fill="white"/>',
        '<path d="M60 30V300H600" fill="none" stroke="#666"/>',
        f'<polyline points="{line}" fill="none" stroke="#999" stroke-dasharray="4 3"/>',
        '<text x="330" y="340" text-anchor="middle">processor seconds of fitting, all sets (logarithmic)</text>',
        f'<text x="60" y="20">mean accuracy, {len(names)} sets (%)</text>',
    ]
    for a in np.arange(low + 1, high, 2):
        lines.append(f'<text x="52" y="{place(1, a)[1] + 4:.1f}" text-anchor="end">{a:g}</text>')
    for t in 10.0 ** np.arange(np.ceil(left), right):
        lines.append(f'<text x="{place(t, low)[0]:.1f}" y="318" text-anchor="middle">{t:g}</text>')
    places = {m: place(*point) for m, point in sorted(points.items(), key=lambda entry: entry[1])}
    for i, (m, (x, y)) in enumerate(places.items()):
        point = points[m]
        crowded = any(o != m and abs(u - x) < 220 and abs(v - y) < 14 for o, (u, v) in places.items())
        aside = (18, -14)[i % 2] if crowded else 0  # below and above in turn
        color = "#d55e00" if m == "unkernel" else "#0072b2"
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{color}"/>')
        lines.append(f'<text x="{x + 9:.1f}" y="{y + 4 + aside:.1f}">{m} ({point[1]:.1f} %, {point[0]:.0f} s)</text>')
    Path(path).write_text("\n".join([*lines, "</svg>", ""]))


def table() -> None:
    """Accuracy of every method and time of ours and of the tuned SVC; what of the claims holds, last."""
    cells = done()
    rows = whole(cells)
    print(f"| set | rows | {' | '.join(METHODS)} | against the best | seconds, ours | seconds, svc |")
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
    elif asked[:1] == ["--figure"]:
        figure(asked[1])
    elif asked == ["--missing"]:
        print("\n".join(" ".join(cell) for cell in missing))
    elif asked:
        keep(*asked)
    else:
        heading("UnkernelClassifier against four rivals")
        for cell in missing:
            keep(*cell)
        table()
