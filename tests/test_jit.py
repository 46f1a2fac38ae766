"""The compiler: lazy, cached on disk, and never older than a source it rests on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import unkernel
from unkernel._jit import kernel

PACKAGE = Path(unkernel.__file__).parent
COMPILED = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is off")

CALLER = """
import numpy as np
from ._jit import kernel
from .features import Sparse
from .features_hot import row_dot

@kernel
def both(F, w):
    return row_dot(F, 0, w) + row_dot(F, 1, w)

def answer():
    F = Sparse(np.array([1.0, 2.0]), np.array([0, 1], np.int32), np.array([0, 1, 2]), 2)
    value = both(F, np.array([10.0, 100.0]))
    return value, sum(both.stats.cache_hits.values())
"""


@pytest.fixture
def house(tmp_path):
    """A copy of the package with one more hot file, and a way to ask it in a new process."""
    shutil.copytree(PACKAGE, tmp_path / "unkernel", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "unkernel" / "caller_hot.py").write_text(CALLER)

    def ask():
        code = "from unkernel.caller_hot import answer; print(*answer())"
        environment = dict(os.environ, PYTHONPATH=str(tmp_path), NUMBA_DISABLE_JIT="0")
        environment.pop("NUMBA_CACHE_DIR", None)
        out = subprocess.run(
            [sys.executable, "-c", code], env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
        )
        value, hits = out.stdout.split()
        return float(value), int(hits)

    ask.folder = tmp_path / "unkernel"
    return ask


def edit(path: Path, old: str, new: str):
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


@COMPILED
def test_an_edited_callee_changes_a_cached_caller_in_the_next_process(house):
    assert house() == (210.0, 0)
    assert house() == (210.0, 1)
    edit(house.folder / "features_hot.py", "s += F.data[p] * w[F.indices[p]]", "s += 2 * F.data[p] * w[F.indices[p]]")
    assert house() == (420.0, 0)


@COMPILED
def test_a_source_it_does_not_rest_on_leaves_the_cache_alone(house):
    house()
    (house.folder / "cli_of_tomorrow.py").write_text("x = 1\n")
    assert house() == (210.0, 1)


@COMPILED
def test_a_folder_that_cannot_be_written_is_no_obstacle(monkeypatch):
    def refuse(*args, cache=False, **kwargs):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return numba.njit(*args, **kwargs)

    monkeypatch.setattr("unkernel._jit.njit", refuse)
    assert kernel(lambda x: x + 1)(2) == 3


@COMPILED
def test_kernels_let_go_of_the_gil_and_compile_on_first_call():
    from unkernel.maps.random_hot import bits

    assert bits.targetoptions["nogil"]
    assert not bits.targetoptions.get("fastmath")


def test_a_kernel_computes_what_its_python_says():
    def triple(x):
        return 3 * x

    assert kernel(triple)(4) == triple(4)
