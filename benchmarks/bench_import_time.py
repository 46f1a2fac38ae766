"""Claim: `import unkernel` takes under 0.15 s and `unkernel --help` under 0.4 s on a warm disk, interpreter included.

No rival: Python's own start is measured beside them, and scikit-learn's import to show what laziness saves.
"""

import subprocess
import sys

from contest import contest, heading

CLAIMS = {"import unkernel": 0.15, "unkernel --help": 0.4}
CODE = {
    "python alone": "pass",
    "import unkernel": "import unkernel",
    "unkernel --help": "from unkernel.cli import main; main(['--help'])",
    "import sklearn.svm": "import sklearn.svm",
}


def start(code: str) -> int:
    """Exit code of a fresh interpreter that runs the code and says nothing."""
    return subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode


if __name__ == "__main__":
    heading("seconds from start to exit of a fresh interpreter, best of 15")
    results = contest({name: lambda code=code: start(code) for name, code in CODE.items()}, repeats=15)
    assert not any(result.answer for result in results.values()), "a contestant did not run"
    for name, claim in CLAIMS.items():
        seconds = results[name].seconds
        print(f"TIME {name}: {seconds:.3f} s (claim < {claim:g} s) {'holds' if seconds < claim else 'FALLS SHORT'}")
