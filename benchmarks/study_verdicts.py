"""Study: the verdicts of `check` against the truth. Three parts, one JSON line per result, resumable.

    python benchmarks/study_verdicts.py paper sets coverage --out FILE   run what FILE does not hold yet
    python benchmarks/study_verdicts.py tables --out FILE                print the tables for docs/check.md

`paper`: ten sets of paper 003's Table 3, its own probes without and ours with an intercept, all rows, and the time of
a processor beside LinearClassifier(C="auto") on the same rows (at most 10,000). `sets`: thirty more; at most 1,500
rows are given, at most 4,000 others test. `coverage`: the interval of the gap of 700 random rows against the gap of the
very same models on thousands of others, over random samples.

The truth is a linear model (LIBLINEAR, C) against a Gaussian SVM (LIBSVM, a grid of 20 points) and against one with the
exact min-max kernel (five C), each tuned on a quarter of the training rows held out, refitted on all (at most 1,500, at
most 3,000 for `paper`), judged on the test rows.
"""

import argparse
import json
import os
import subprocess
import tempfile
import warnings
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import scipy.sparse
from contest import real

SEED = 2026
GIVEN, TESTED, TRUTH_PAPER, TIMED = 1500, 4000, 3000, 10_000
PAPER = ("fourclass", "svmguide1", "german_numer", "madelon", "ijcnn1", "a9a", "poker", "mnist_odd_even", "covtype",
         "news20_bydate")  # fmt: skip
# paper 003, Table 3: (linear, degree2, its decision, MultiLinear, its decision, kernel, decision)
PRINTED = {
    "ijcnn1": (92.4, 97.5, "Y", 98.3, "Y", 98.6, "Y"), "madelon": (58.6, 56.6, "N", 68.4, "Y", 67.2, "Y"),
    "mnist_odd_even": (89.2, 98.2, "Y", 97.0, "Y", 99.1, "Y"), "poker": (50.0, 59.5, "Y", 55.1, "Y", 61.3, "Y"),
    "svmguide1": (82.9, 95.4, "Y", 95.4, "Y", 96.4, "Y"), "fourclass": (75.0, 77.5, "Y", 97.3, "Y", 100.0, "Y"),
    "covtype": (75.7, 79.9, "Y", 80.9, "Y", 96.1, "Y"), "a9a": (85.1, 85.3, "N", 84.7, "N", 84.9, "N"),
    "german_numer": (77.2, 75.9, "N", 68.5, "N", 77.3, "N"), "news20_bydate": (90.2, None, "X", 90.1, "N", 88.6, "N"),
}  # fmt: skip
SETS = (
    "ann_thyroid", "diabetes_pima", "heart", "higgs_12k", "ionosphere", "letter", "mfeat_fourier", "mfeat_karhunen",
    "mfeat_pixel", "mushrooms", "musk2", "optdigits", "pendigits", "phoneme_esl", "satimage", "segment", "shuttle",
    "sonar", "spambase", "splice", "usps", "vehicle", "vowel", "w8a", "reg_abalone", "reg_california_housing",
    "reg_cpusmall", "reg_fried", "reg_kin40k", "reg_puma8NH",
)  # fmt: skip
COVERED = ("spambase", "ijcnn1", "letter", "a9a", "reg_california_housing")


def load(name):
    """(X, y, X_test, y_test) with the test part None where there is no conventional one."""
    source = {"mnist_odd_even": "mnist", "poker": "poker_train"}.get(name, name)
    X, y = real(source)
    try:
        test = real(source, "test")
    except KeyError:
        test = None, None
    relabel = {"mnist_odd_even": lambda y: y % 2, "poker": lambda y: (y > 0).astype(int),
               "covtype": lambda y: (y == 2).astype(int)}.get(name, lambda y: y)  # fmt: skip
    as_rows = lambda X: X if X is None or scipy.sparse.issparse(X) else np.asarray(X, dtype=np.float32)  # noqa: E731
    return as_rows(X), relabel(y), as_rows(test[0]), None if test[1] is None else relabel(test[1])


def parts(name, given, tested):
    """Rows given and rows that test: random, fixed; from the conventional test part where there is one."""
    X, y, X_test, y_test = load(name)
    order = np.random.default_rng(SEED).permutation(len(y))
    if X_test is None:
        given = min(given, 3 * len(y) // 4)
        train, test = order[:given], order[given : given + tested]
        return X[train], y[train], X[test], y[test]
    train, test = order[:given], np.random.default_rng(SEED).permutation(len(y_test))[:tested]
    return X[train], y[train], X_test[test], y_test[test]


# --- the truth


def truth(X, y, X_test, y_test, regression):
    """Scores of tuned models on the test rows, gaps with 95 % intervals, and what each took."""
    scores, said, seconds = {}, {}, {}
    for name, grid in (("linear", _linear_grid), ("kernel", _kernel_grid), ("minmax", _minmax_grid)):
        start = perf_counter()
        scores[name], said[name] = _best(grid(X, regression), X, y, X_test, y_test)
        seconds[f"seconds_{name}"] = perf_counter() - start
    gaps = {name: _gap(y_test, said["linear"], said[name], regression) for name in ("kernel", "minmax")}
    return scores | gaps["kernel"] | {"of_minmax": gaps["minmax"]} | seconds


def _gap(y, a, b, regression):
    """Gap of two models on the same rows, and its interval."""
    if regression:
        gap, low, high = _bootstrap(y, a, b)
    else:
        from unkernel.check.evidence import of_counts

        seen = of_counts(a == y, b == y)
        gap, low, high = seen.gap, seen.low, seen.high
    return {"gap": gap, "low": low, "high": high}


def _best(models, X, y, X_test, y_test):
    from sklearn.model_selection import train_test_split

    regression = y.dtype.kind == "f" and len(np.unique(y)) > 30
    counts = None if regression else np.unique(y, return_counts=True)[1]
    split = train_test_split(X, y, test_size=0.25, random_state=SEED,
                             stratify=y if not regression and counts.min() > 1 else None)  # fmt: skip
    best, chosen = -np.inf, None
    for model in models:
        score = model.fit(split[0], split[2]).score(split[1], split[3])
        if score > best:
            best, chosen = score, model
    chosen.fit(X, y)
    return chosen.score(X_test, y_test), chosen.predict(X_test)


def _scale(X):
    from sklearn.preprocessing import MaxAbsScaler, StandardScaler

    return [MaxAbsScaler()] if scipy.sparse.issparse(X) else [StandardScaler(), MaxAbsScaler()]


def _linear_grid(X, regression):
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler, StandardScaler
    from sklearn.svm import LinearSVC

    for C in 4.0 ** np.arange(-6, 3):
        scale = StandardScaler(with_mean=False) if regression is None else StandardScaler()
        learner = Ridge(1 / (2 * C)) if regression else LinearSVC(C=C, dual="auto", tol=1e-2, max_iter=600)
        yield make_pipeline(MaxAbsScaler() if regression is None else scale, learner)


def _kernel_grid(X, regression):
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.metrics.pairwise import euclidean_distances
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, SVR

    for scale in _scale(X):
        Z = scale.fit_transform(X[:400])
        middle = 1 / np.median(euclidean_distances(Z, squared=True)[np.triu_indices(Z.shape[0], 1)])
        for gamma in middle * np.array([1 / 16, 1 / 4, 1, 4, 16]):
            for C in (1, 30) if len(_scale(X)) == 2 else (0.3, 1, 10, 100):
                learner = SVC(C=C, gamma=gamma, cache_size=500)
                if regression:
                    learner = TransformedTargetRegressor(SVR(C=C, gamma=gamma), transformer=StandardScaler())
                yield make_pipeline(type(scale)(), learner)


def _minmax_grid(X, regression):
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler
    from sklearn.svm import SVC, SVR

    from unkernel import GMM

    for C in (0.3, 1, 3, 10, 30):
        learner = SVC(C=C, kernel=GMM())
        if regression:
            learner = TransformedTargetRegressor(SVR(C=C, kernel=GMM()), transformer=StandardScaler())
        yield make_pipeline(MaxAbsScaler() if scipy.sparse.issparse(X) else MinMaxScaler(clip=True), learner)


def _bootstrap(y, a, b):
    from unkernel.check.evidence import Judged, weigh
    from unkernel.check.score import Score

    seen = weigh([Judged(y.astype(float), a, b)], Score("r2", None))
    return seen.gap, seen.low, seen.high


# --- the parts


def ours(X, y, name):
    """One verdict and its time."""
    import unkernel

    scoring = "r2" if name.startswith("reg_") else None
    start = process_time()
    verdict = unkernel.check(X, y, random_state=SEED, scoring=scoring)
    seconds = process_time() - start
    data = verdict.to_dict()
    return {"worth": verdict.worth, "gap": verdict.gap, "low": verdict.interval[0], "high": verdict.interval[1],
            "seconds": seconds, "splits": data["data"]["splits"], "judged": data["data"]["judged"],
            "rival": data["disagreement"]["names"][1] if data["disagreement"] else "",
            "candidates": {c["name"]: [c["score"], c["seconds"]] for c in data["candidates"]}}  # fmt: skip


def automatic(X, y):
    """Seconds of a linear fit with automatic C on scaled rows, at most 10,000: ours, and LIBLINEAR's `-s 2 -C`."""
    from sklearn.preprocessing import MaxAbsScaler, StandardScaler

    from unkernel import LinearClassifier

    chosen = np.random.default_rng(SEED).permutation(len(y))[:TIMED]
    X, y = X[chosen], y[chosen]
    start = process_time()
    X = MaxAbsScaler().fit_transform(X) if scipy.sparse.issparse(X) else StandardScaler().fit_transform(X)
    scaling = process_time() - start
    start = process_time()
    LinearClassifier(C="auto").fit(X, y)
    found = {"seconds": scaling + process_time() - start, "rows": len(chosen)}
    interpreter = os.environ.get("UNKERNEL_LIBLINEAR")
    return found | {"liblinear": scaling + liblinear(interpreter, X, y) if interpreter else None}


LIBLINEAR = """
import sys, time, numpy as np, scipy.sparse
from liblinear.liblinearutil import parameter, problem, train
with np.load(sys.argv[1]) as f:
    X = scipy.sparse.csr_matrix((f["data"], f["indices"], f["indptr"]), shape=tuple(f["shape"]))
    data = problem(f["y"], X, bias=1)
start = time.process_time()
C = train(data, parameter("-s 2 -C -B 1 -q"))[0]
train(data, parameter(f"-s 2 -c {C} -B 1 -q"))
print(time.process_time() - start)
"""


def liblinear(interpreter, X, y):
    """Seconds of LIBLINEAR's search of C (primal, five folds) and its last fit, its copy of the data apart."""
    X = scipy.sparse.csr_matrix(X).astype(float)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.npz"
        y = np.unique(y, return_inverse=True)[1].astype(float)
        np.savez(path, data=X.data, indices=X.indices, indptr=X.indptr, shape=np.array(X.shape), y=y)
        run = subprocess.run([interpreter, "-c", LIBLINEAR, path], capture_output=True, text=True, check=True)
    return float(run.stdout.splitlines()[-1])


def faithful(X, y):
    """Paper 003's three models on a 3 to 1 split of at most 12,000 rows: largest-size scaling, no intercept."""
    from unkernel.check.base import Pool, Task
    from unkernel.check.degree2 import Degree2Probe
    from unkernel.check.linear import LinearProbe
    from unkernel.check.multilinear import MultilinearProbe
    from unkernel.check.sample import plan
    from unkernel.check.score import Score

    classes, y = np.unique(y, return_inverse=True)
    split = plan(y, epsilon=0.02, seed=SEED, most_train=9000)
    score, X, y = Score(None, classes), X[split.rows], y[split.rows].astype(np.int32)
    task = Task(Pool(X, y, split.parts, n_classes=len(classes), score=score, seed=SEED, n_jobs=None))
    judged, found = y[task.judge], {}
    for probe in (
        LinearProbe("unit", intercept=False),
        MultilinearProbe(5, faithful=True),
        Degree2Probe(most_columns=8000, every=1),
    ):
        if probe.name == "degree2" and task.n_columns > 120:
            found["degree2"] = None if task.sparse else _degree2_by_gram(task)
            continue
        trial = probe.fit(task)
        runs = trial.params.get("f_of_runs", [trial.f])
        found[probe.name] = {
            "val": float(np.mean([score(judged, f) for f in runs])),
            "seconds": trial.seconds / len(runs),
        }
    return found | {"trained": task.n_rows, "judged": len(judged)}


def _degree2_by_gram(task):
    """The same model where products are too many: features of the exact kernel on at most 2,500 landmarks."""
    from unkernel import Polynomial
    from unkernel.check.nystroem import whitened
    from unkernel.check.search import learn

    start, X = perf_counter(), task.pool.scaled("unit").astype(np.float64)
    K = Polynomial(2)(X, X[:2500])
    K /= np.mean(np.diag(K))
    got = learn(task, whitened(K, K[: K.shape[1]]))
    judged = task.pool.y[task.judge]
    return {"val": task.score(judged, got.f), "seconds": perf_counter() - start, "rows": K.shape[1]}


def paper(name, known=None):
    """One row of Table 3; loops are compiled before the clocks run."""
    X, y, _, _ = load(name)
    for part in (X[:200], scipy.sparse.csr_array(X[:200])):
        ours(part, np.arange(200) % len(np.unique(y)), name)
        automatic(part, np.arange(200) % len(np.unique(y)))
    mixed = np.random.default_rng(SEED).permutation(len(y))
    X, y = X[mixed], y[mixed]
    found = {"ours": ours(X, y, name), "automatic": automatic(X, y), "faithful": faithful(X, y)}
    kind = None if scipy.sparse.issparse(X) else False
    found["truth"] = known or truth(*parts(name, TRUTH_PAPER, TESTED), kind)
    return found | {"rows": len(y)}


def sets(name, known=None):
    """One of the thirty."""
    X, y, X_test, y_test = parts(name, GIVEN, TESTED)
    kind = name.startswith("reg_") or (None if scipy.sparse.issparse(X) else False)
    if kind is True:
        y, y_test = y.astype(float), y_test.astype(float)
    found = known or truth(X, y, X_test, y_test, kind)
    return {"ours": ours(X, y, name), "truth": found, "rows": len(y), "tested": len(y_test)}


def coverage(name, known=None, repeats=40, given=700, most_pool=4000):
    """Share of intervals that hold the gap of the same models on rows from a large pool."""
    from unkernel.check import run
    from unkernel.check.evidence import Judged, Scales
    from unkernel.check.rows import open_rows
    from unkernel.check.sample import plan
    from unkernel.check.score import Score

    X, y, _, _ = load(name)
    whole = open_rows(X, y, "regression" if name.startswith("reg_") else "auto")
    score = Score(None, whole.classes)
    results = []
    for repeat in range(repeats):
        chosen = np.random.default_rng([SEED, repeat]).permutation(len(y))[: given + most_pool]
        rows = whole._replace(X=whole.X[chosen], y=whole.y[chosen])
        split = plan(rows.strata[:given], epsilon=0.02, seed=repeat, most_train=9000)
        split = split._replace(extra=np.arange(given, len(chosen)))
        study = run.Study(rows, score, split, 0.02, repeat, None, np.inf, lambda *_: None)
        scales, pool, members, turns = Scales(score, repeat), [], run.probes(), []
        shared = run.pool_of(study)
        for turn_number in range(4):
            turns.append(turn := run._turn(study, shared, turn_number, members))
            members = [p for p in turns[0].probes.values() if run._hopeful(turns[0], p.name)]
            own = turn.rows < given
            every = turn.judged(turn.rival)
            scales.add(Judged(*(part[own] for part in every)))
            rest = Judged(*(part[~own] for part in every))
            pool.append(score(rest.y, rest.b) - score(rest.y, rest.a))
            if scales.evidence(run.SURE).answer(0.02) != "undecided":
                break
        seen, real_gap = scales.evidence(), float(np.mean(pool))
        results.append([seen.gap, seen.low, seen.high, real_gap, len(pool)])
    held = [low <= gap <= high for _, low, high, gap, _ in results]
    return {"coverage": float(np.mean(held)), "repeats": repeats, "results": results}


# --- bookkeeping


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="+", choices=["paper", "sets", "coverage", "tables"])
    parser.add_argument("--out", type=Path, default=Path("study_verdicts.jsonl"))
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--truth", type=Path, help="a file of earlier results whose truths are taken over")
    asked = parser.parse_args()
    done = [json.loads(line) for line in asked.out.read_text().splitlines()] if asked.out.exists() else []
    lines = asked.truth.read_text().splitlines() if asked.truth else []
    truths = {(row["part"], row["name"]): row.get("truth") for row in map(json.loads, lines)}
    names = {"paper": PAPER, "sets": SETS, "coverage": COVERED}
    for part in asked.parts:
        if part == "tables":
            tables(done)
            continue
        for name in names[part]:
            if any(row["part"] == part and row["name"] == name for row in done) or (
                asked.only and name not in asked.only
            ):
                continue
            start = perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                row = {"part": part, "name": name} | globals()[part](name, truths.get((part, name)))
            row["total_seconds"] = perf_counter() - start
            done.append(row)
            with asked.out.open("a") as file:
                file.write(json.dumps(row) + "\n")
            print(f"{part} {name}: {row['total_seconds']:.0f} s", _short(row), flush=True)


def _short(row):
    if row["part"] == "coverage":
        return f"coverage {row['coverage']:.2f}"
    o, t = row["ours"], row["truth"]
    return f"{o['worth']} {_points(o)} in {o['seconds']:.1f} s; truth {_points(t)}"


def true_answer(t, epsilon=0.02):
    """What the test rows say by the same rule: yes if either kernel is surely better, no if neither may be."""
    gaps = [t, t["of_minmax"]] if "of_minmax" in t else [t]
    if any(gap["low"] > epsilon for gap in gaps):
        return "yes"
    return "no" if all(gap["high"] < epsilon for gap in gaps) else "open"


def tables(done):
    """Markdown for the page."""
    rows = {part: [r for r in done if r["part"] == part] for part in ("paper", "sets", "coverage")}
    heads = (
        "set",
        "linear",
        "degree-2",
        "MultiLinear",
        "paper's",
        "ours",
        "gap",
        "truth: linear, kernel",
        "s",
        "linear, s",
    )
    _table(heads, [_of_paper(r) for r in rows["paper"]])
    heads = "set", "rows", "verdict", "gap", "true gap, Gaussian", "true gap, min-max", "truth"
    _table(heads, [_of_sets(r) for r in rows["sets"]])
    _table(("set", "samples", "intervals that hold the gap"), [_of_coverage(r) for r in rows["coverage"]])


def _table(heads, rows):
    print("\n| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def _of_paper(r):
    f, o, t, printed = r["faithful"], r["ours"], r["truth"], PRINTED[r["name"]]
    base, auto = f["linear"]["val"], r["automatic"]
    shown = ["X" if v is None else f"{100 * v['val']:.1f} {'Y' if v['val'] - base >= 0.02 else 'N'}"
             for v in (f["degree2"], f["multilinear"])]  # fmt: skip
    papers = f"{printed[0]}; {printed[1] or ''} {printed[2]}; {printed[3]} {printed[4]}"
    truths = f"{100 * t['linear']:.1f}, {100 * t['kernel']:.1f} {true_answer(t)}"
    timed = f"{auto['seconds']:.2f}" + ("" if auto["rows"] == r["rows"] else f" ({auto['rows']:,} rows)")
    return r["name"], f"{100 * base:.1f}", *shown, papers, o["worth"], _points(o), truths, f"{o['seconds']:.2f}", timed


def _of_sets(r):
    o, t = r["ours"], r["truth"]
    wrong = "WRONG" if (o["worth"], true_answer(t)) in (("yes", "no"), ("no", "yes")) else ""
    minmax = _points(t["of_minmax"]) if "of_minmax" in t else ""
    return r["name"], f"{r['rows']:,}", o["worth"], _points(o), _points(t), minmax, f"{true_answer(t)} {wrong}".strip()


def _of_coverage(r):
    return r["name"], str(r["repeats"]), f"{100 * r['coverage']:.0f} %"


def _points(o):
    return f"{100 * o['gap']:+.1f} [{100 * o['low']:+.1f}, {100 * o['high']:+.1f}]"


if __name__ == "__main__":
    main()
