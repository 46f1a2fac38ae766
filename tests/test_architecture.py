"""The path is the architecture: import order, where the compiler may be, and the budgets of size."""

import ast
import statistics
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "unkernel"
PATH = [
    "_jit", "_lanes", "_validate", "_beside", "_blocks", "_codes_file", "_model_file", "kernels", "monomials_hot",
    "monomials", "features", "features_hot", "maps", "linear", "exact", "data", "report", "tune", "check",
    "estimators", "persistence", "neighbors", "dist", "compare", "cli",
    "__main__",
]  # fmt: skip
NEVER = {("linear", "maps"), ("linear", "kernels"), ("maps", "linear"), ("_validate", "features")}
FILES = sorted(SOURCE.rglob("*.py"))
FOLDERS = sorted({f.parent for f in FILES} - {SOURCE})


def named(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def part_of(path: Path) -> str:
    """The step of the path a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def reached(path: Path):
    """Steps of the path that a file imports from."""
    depth = len(path.relative_to(SOURCE).parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            yield from [node.module.split(".")[0]] if node.module else [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module.split(".")[0] == "unkernel":
            pytest.fail(f"{named(path)} line {node.lineno}: inside the package imports are relative")


def functions(path: Path):
    """(function, lines without its docstring) of every function in a file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            doc = node.body[0].end_lineno - node.body[0].lineno + 1 if ast.get_docstring(node) else 0
            yield node, node.end_lineno - node.lineno + 1 - doc


@pytest.mark.parametrize("path", FILES, ids=named)
def test_imports_run_up_the_path(path):
    here = part_of(path)
    if here == "__init__":
        return
    for there in reached(path):
        assert PATH.index(there) <= PATH.index(here), f"{named(path)} looks back up at {there}"
        assert (here, there) not in NEVER, f"{here} must not know {there}"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_the_compiler_is_only_in_hot_files(path):
    allowed = path.stem.endswith("_hot") or path.stem in ("_jit", "_lanes")
    for node in ast.walk(ast.parse(path.read_text())):
        names = (
            [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        for name in names:
            top = name.split(".")[0]
            assert allowed or top not in ("numba", "llvmlite"), f"{named(path)} imports {name}"
            assert not path.stem.endswith("_hot") or top not in ("scipy", "sklearn"), f"{named(path)} imports {name}"


@pytest.mark.parametrize("path", [f for f in FILES if f.stem.endswith("_hot")], ids=named)
def test_hot_files_hold_no_classes_and_have_an_owner(path):
    assert not [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.ClassDef)]
    assert path.with_name(path.stem.removesuffix("_hot") + ".py").exists() or path.stem == "gram_hot"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_files_and_functions_stop_in_time(path):
    assert path.read_text().count("\n") <= 400
    for node, length in functions(path):
        where = f"{named(path)}:{node.lineno} {node.name}"
        assert length <= 60, f"{where} has {length} lines"
        given = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
        n_given = len([a for a in given if a.arg not in ("self", "cls")])
        many = path.stem.endswith("_hot") or part_of(path) == "cli"  # a command takes its options
        most = 12 if node.name in ("__init__", "__new__") else 16 if many else 8
        assert n_given <= most, f"{where} takes {n_given} arguments"


def test_sizes_keep_to_the_budget_as_a_whole():
    lines = [f.read_text().count("\n") for f in FILES]
    lengths = sorted(length for f in FILES for _, length in functions(f))
    assert statistics.median(lines) <= 120
    assert statistics.median(lengths) <= 8
    assert lengths[int(0.9 * len(lengths))] <= 30


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_a_folder_is_a_family(folder):
    if list(folder.glob("*.py")):
        assert len([f for f in folder.glob("*.py") if f.name not in ("__init__.py", "base.py")]) >= 3
    assert folder.name not in ("utils", "core", "common", "helpers", "misc")


def test_the_shelf_holds_nothing_else():
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    assert sum(isinstance(n, ast.FunctionDef) for n in ast.walk(tree)) == 2
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]


def test_every_idea_has_its_test_file():
    tests = {p.stem.removeprefix("test_") for p in Path(__file__).parent.rglob("test_*.py")}
    for path in FILES:
        idea = path.stem.removesuffix("_hot").removeprefix("_")
        if idea not in ("", "base", "__init__") and not path.name.startswith("__"):
            assert idea in tests, f"{named(path)} has no test_{idea}.py"
