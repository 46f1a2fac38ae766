"""The ruler of every benchmark: contestants alternate in one process, the minimum of several runs counts.

A benchmark is one file per claim, `bench_<claim>.py`, run without arguments. It uses the public API only, gives the
rivals their best settings, checks that the answers agree, and prints the ratio last.
"""

import os
import platform
import resource
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

REST = 0.1  # s; the threads of a BLAS spin on for about 0.03 s after a product and would slow whoever comes next


class Result(NamedTuple):
    """What one contestant did: its best time, the time of its first run, and its last answer."""

    seconds: float
    first_seconds: float
    answer: Any


def contest(contestants: dict[str, Callable[[], Any]], *, repeats: int = 5) -> dict[str, Result]:
    """Run contestants in turn, `repeats` times after one untimed first run (compilation), and print a line each."""
    first, best, answers = {}, dict.fromkeys(contestants, float("inf")), {}
    for name, run in contestants.items():
        start = perf_counter()
        answers[name] = run()
        first[name] = perf_counter() - start
    for _ in range(repeats):
        for name, run in contestants.items():
            sleep(REST)
            start = perf_counter()
            answers[name] = run()
            best[name] = min(best[name], perf_counter() - start)
    for name in contestants:
        print(f"{name:<48} {best[name]:10.4f} s   (first run {first[name]:.2f} s)")
    return {name: Result(best[name], first[name], answers[name]) for name in contestants}


def ratio(results: dict[str, Result], ours: str, rival: str, *, claim: float) -> float:
    """Print, and return, how many times faster `ours` is than `rival`, beside what is claimed."""
    value = results[rival].seconds / results[ours].seconds
    print(f"RATIO {rival} / {ours}: {value:.2f} (claim >= {claim:g}) {'holds' if value >= claim else 'FALLS SHORT'}")
    return value


def peak_megabytes() -> float:
    """Largest resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def heading(title: str) -> None:
    """Print what is measured and on what."""
    import numba
    import sklearn

    cores = len(os.sched_getaffinity(0))
    versions = f"numpy {np.__version__}, scikit-learn {sklearn.__version__}, numba {numba.__version__}"
    print(f"# {title}\n# {platform.machine()}, {cores} cores, Python {platform.python_version()}, {versions}")


def real(name: str, part: str = "train"):
    """Rows and labels of a real data set from the folder that UNKERNEL_DATA names."""
    folder = os.environ.get("UNKERNEL_DATA")
    if not folder:
        raise SystemExit("set UNKERNEL_DATA to the folder of data sets (<name>.npz) that this benchmark reads")
    with np.load(Path(folder) / f"{name}.npz") as file:
        if f"X_{part}_indptr" in file:
            parts = tuple(file[f"X_{part}_{what}"] for what in ("data", "indices", "indptr"))
            X = scipy.sparse.csr_array(parts, shape=tuple(file[f"X_{part}_shape"]))
        else:
            X = file[f"X_{part}"]
        return X, file[f"y_{part}"]
