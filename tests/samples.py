"""A summary as `Verdict.to_dict()` gives it, with labels that try to break out of the page."""

import math

NASTY = "</script><script>alert(1)</script>&\"'"


def candidate(name, family, score, seconds, **more) -> dict:
    path = [{"C": 2.0**k, "score": score - 0.004 * (k - 2) ** 2, "error": 0.006} for k in range(-4, 7)]
    return {"name": name, "family": family, "score": score, "low": score - 0.012, "high": score + 0.011,
            "seconds": seconds / 3, "full_seconds": seconds, "full_bytes": seconds * 9e7, "C": 4.0, "C_path": path,
            "n_components": None, "chosen": False, "params": {}} | more  # fmt: skip


def summary() -> dict:
    """Ten classes of which one has a nasty name, four candidates, every part filled."""
    labels = [*map(str, range(9)), NASTY]
    counts = [[90 if i == j else (i * j) % 3 for j in range(10)] for i in range(10)]
    curve = [
        {"name": name, "rows": 100 * 2**k, "score": top - drop / 2**k, "low": top - drop / 2**k - 0.02,
         "high": top - drop / 2**k + 0.02}
        for name, top, drop in (("linear", 0.955, 0.06), ("min-max", 0.985, 0.09)) for k in range(4)
    ]  # fmt: skip
    return {
        "title": "Is a kernel worth it on digits?",
        "measured": False,
        "data": {"rows": 1797, "columns": 64, "classes": 10, "task": "classification", "source": "digits"},
        "answer": {
            "worth": "yes", "gap": 0.028, "interval": [0.021, 0.035], "epsilon": 0.02, "scoring": "accuracy",
            "sentence": "A kernel is worth it: min-max features gain 2.8 points over the linear model "
                        "(95 % interval 2.1 to 3.5).",
            "test": "mcnemar", "p_value": 1e-6,
        },
        "candidates": [
            candidate("linear", "linear", 0.955, 0.11),
            candidate("degree 2", "degree2", 0.979, 2.3, n_components=2145),
            candidate("min-max", "minmax", 0.983, 0.35, n_components=1024, chosen=True),
            candidate("Fourier", "fourier", 0.981, 0.9, n_components=1024, low=None, high=None),
        ],
        "curve": curve,
        "components_curve": [
            {"name": "min-max", "components": 2**k, "score": 0.985 - 0.5 / 2**k} for k in range(5, 11)
        ],
        "confusion": {"labels": labels, "counts": counts},
        "disagreement": {"names": ["linear", "min-max"], "both_right": 850, "only_a": 4, "only_b": 29, "both_wrong": 16,
                         "rows": [{"row": 17, "truth": NASTY, "a": "3", "b": "8"}]},
        "findings": [{"code": "UK101", "title": f"A title {NASTY}", "text": "What was seen.", "do": "What to do."}],
        "how": ["A quarter of the rows was set aside to judge.", "Each candidate chose its C on the rest."],
        "reproduce": {"versions": {"unkernel": "0.1.0"}, "seeds": {"random_state": 0},
                      "command": "unkernel check digits"},
        "extra": math.pi,
    }  # fmt: skip
