"""What is written is true: code on the pages runs, commands on them exist, links lead somewhere, no page is stale."""

import doctest
import importlib
import importlib.util
import inspect
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

import unkernel
from unkernel.cli import main

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "unkernel"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
MODULES = sorted(SOURCE.rglob("*.py"))
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    """A fenced block of a page."""

    page: Path
    line: int  # of its first line of code, from 1
    language: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text()
    for found in re.finditer(r"^```([^\n]*)\n(.*?)^```$", text, re.M | re.S):
        yield Block(page, text.count("\n", 0, found.start(2)) + 1, found[1].strip(), found[2])


def run(block: Block, names: dict) -> None:
    """Execute a block; one that shows a session must print what it shows. Tracebacks point into the page."""
    if block.text.lstrip().startswith(">>>"):
        parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=OPTIONS)
        session = parser.get_doctest(block.text, names, block.page.name, str(block.page), block.line - 1)
        said: list[str] = []
        runner.run(session, out=said.append, clear_globs=False)
        names.update(session.globs)
        assert not runner.failures, "".join(said)
    else:
        exec(compile("\n" * (block.line - 1) + block.text, block.page, "exec"), names)


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_code_on_the_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "__main__"}
    for block in blocks(page):
        if block.language == "python":
            run(block, names)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_fences_say_what_they_hold(page):
    assert page.read_text().count("```") % 2 == 0
    for block in blocks(page):
        assert block.language in ("python", "console", "text"), f"{named(page)} line {block.line - 1}"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=named)
def test_no_page_keeps_the_marks_of_a_merge(page):
    assert not re.findall(r"^(?:<{7}|={7}|>{7})", page.read_text(), re.M)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_on_the_page_exist(page):
    for block in blocks(page):
        for line in block.text.splitlines() if block.language == "console" else ():
            if line.startswith("$ "):
                check_command(shlex.split(line[2:], comments=True), f"{named(page)}: {line}")


def check_command(words: list[str], where: str) -> None:
    """A command a page shows: ours must have that name and those options, make that target, pip that extra."""
    if words[0] == "unkernel":
        context, rest = find_command(words[1:])
        options = {name for p in context.command.get_params(context) for name in (*p.opts, *p.secondary_opts)}
        asked = {word.split("=")[0] for word in rest if word.startswith("-") and word != "-"}
        assert asked <= options, f"{where}: no option {asked - options}"
        assert not isinstance(context.command, click.Group) or asked, f"{where}: no such command"
    elif words[0] == "make":
        targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M)
        assert words[1] in targets, f"{where}: no such target"
    elif words[:2] == ["pip", "install"]:
        extras = re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(), re.M)
        for extra in re.findall(r"\[([\w,]+)\]", words[2]):
            assert set(extra.split(",")) <= set(extras), f"{where}: no such extra"
    elif words[0].startswith((".", "benchmarks", "examples")):
        assert (ROOT / words[0]).is_file(), f"{where}: no such file"
    else:
        assert words[0] in ("git", "cd", "python", "export"), f"{where}: a command nobody checks"
        if words[0] == "python":
            assert (ROOT / words[1]).is_file(), f"{where}: no such file"


def find_command(words: list[str]) -> tuple[click.Context, list[str]]:
    """The innermost command that words name, and the words left."""
    context = main.make_context("unkernel", [], resilient_parsing=True)
    while words and isinstance(context.command, click.Group):
        command = context.command.get_command(context, words[0])
        if command is None:
            break
        context = command.make_context(words[0], [], parent=context, resilient_parsing=True)
        words = words[1:]
    return context, words


def test_a_command_that_is_not_there_is_noticed():
    for line in ("unkernel dta list", "unkernel --colour", "make deom", "pip install 'unkernel[clj]'", "python no.py"):
        with pytest.raises(AssertionError):
            check_command(shlex.split(line), line)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page):
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if "://" not in target:
            file, _, anchor = target.partition("#")
            there = (page.parent / file).resolve() if file else page
            assert there.exists(), f"{named(page)} links to {target}"
            if anchor:
                heads = re.findall(r"^#+ (.*)$", there.read_text(), re.M)
                assert anchor in {re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in heads}, target


def test_every_page_is_on_the_index():
    index = (ROOT / "docs" / "index.md").read_text()
    for page in sorted((ROOT / "docs").glob("*.md")):
        assert page.name == "index.md" or f"]({page.name})" in index, f"docs/index.md does not link {page.name}"


def test_the_page_of_commands_is_fresh():
    spec = importlib.util.spec_from_file_location("make_cli", ROOT / "docs" / "make_cli.py")
    make_cli = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_cli)
    assert make_cli.PAGE.read_text() == make_cli.render(), "docs/cli.md is stale: run `make docs`"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_examples_in_docstrings_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    module = importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    for example in doctest.DocTestFinder(exclude_empty=True).find(module):
        if example.examples:
            runner, said = doctest.DocTestRunner(optionflags=OPTIONS), []
            runner.run(example, out=said.append)
            assert not runner.failures, "".join(said)


@pytest.mark.parametrize("name", unkernel.__all__)
def test_public_names_show_an_example(name):
    thing = getattr(unkernel, name)
    if not (inspect.isclass(thing) and issubclass(thing, Exception)):
        assert ">>>" in (thing.__doc__ or ""), f"{name} has no runnable Examples in its docstring"


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_examples_run_and_stay_short(path, tmp_path):
    assert path.read_text().count("\n") <= 60
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCE.parent), os.environ.get("PYTHONPATH", "")])}
    ran = subprocess.run([sys.executable, path], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()
    assert not list(tmp_path.iterdir()), "an example leaves files behind"
