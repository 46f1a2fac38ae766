"""Importing the library costs nothing: names are loaded on first use, and help needs none of them."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import unkernel

ROOT = Path(__file__).parent.parent
HEAVY = {"numba", "llvmlite", "sklearn", "scipy", "numpy", "pandas", "pyarrow", "polars", "dask", "distributed"}
HEAVY |= {"matplotlib", "altair", "jinja2", "joblib", "threadpoolctl"}


def loaded_by(code: str) -> set[str]:
    """Top-level modules in a fresh interpreter once the code has run."""
    tell = "import sys, json; print(json.dumps([*sys.modules]), file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", f"{code}\n{tell}"], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in json.loads(ran.stderr.splitlines()[-1])}


def test_the_measure_sees_what_is_loaded():
    assert "numpy" in loaded_by("import numpy")


def test_import_loads_nothing_heavy():
    assert not loaded_by("import unkernel; dir(unkernel); unkernel.__all__") & HEAVY


def command_paths(group=None, path=()):
    """Every command and group of the command line, as words after `unkernel`."""
    from unkernel.cli import main

    group = main if group is None else group
    yield path
    for name, command in getattr(group, "commands", {}).items():
        if hasattr(command, "commands"):
            yield from command_paths(command, (*path, name))
        else:
            yield (*path, name)


@pytest.mark.parametrize("words", list(command_paths()), ids=lambda words: " ".join(("unkernel", *words)))
def test_help_loads_nothing_heavy(words):
    modules = loaded_by(f"from unkernel.cli import main; main([*{words!r}, '--help'], standalone_mode=False)")
    assert not modules & (HEAVY | {"rich"})


def test_version_is_told_in_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert unkernel.__version__ == project["version"]
    assert not [f for f in (ROOT / "src").rglob("*.py") if project["version"] in f.read_text()]


@pytest.mark.parametrize("name", unkernel.__all__)
def test_each_name_on_the_shelf_is_there(name):
    thing = getattr(unkernel, name)
    assert thing.__module__.startswith("unkernel.")
    assert name in dir(unkernel)


def test_the_shelf_is_in_path_order():
    from test_architecture import PATH

    steps = [PATH.index(module.split(".")[0]) for module in unkernel._SHELF.values()]
    assert steps == sorted(steps)


def test_a_name_that_is_not_there_says_so():
    with pytest.raises(AttributeError, match="no attribute 'MinMaxMpa'"):
        unkernel.MinMaxMpa  # noqa: B018
