"""`unkernel data`: the named data sets, what is known of them, and fetching one."""

import json

import click

from .meter import Meter
from .option import option


@click.group("data")
def command():
    """Data sets by name: those of the papers, and others."""


@command.command("list")
@click.argument("part", default="")
@option("--here", is_flag=True, help="Only sets that are on this machine.")
@option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_names(part, here, as_json):
    """Name the data sets whose name holds PART, with their sizes; * marks those that are on this machine."""
    from ..data.registry import find, is_here, names

    found = [(find(name), is_here(name)) for name in names() if part in name]
    found = [(entry, there) for entry, there in found if there or not here]
    if as_json:
        click.echo(json.dumps([{**entry._asdict(), "here": there} for entry, there in found], indent=1))
        return
    click.echo(f"{'':2}{'name':<24}{'rows':>10}{'test rows':>11}{'columns':>9}")
    for entry, there in found:
        test = f"{entry.test:,}" if entry.test else "-"
        click.echo(f"{'* '[not there]} {entry.name:<24}{entry.train:>10,}{test:>11}{entry.columns:>9,}")


@command.command("show")
@click.argument("name")
@option("--json", "as_json", is_flag=True, help="Print as JSON.")
def show(name, as_json):
    """Say what is known of the data set NAME: sizes, papers, source, and what is assumed."""
    from ..data.registry import cache_folder, find, locate

    entry = find(name)
    path = locate(entry.base)
    if as_json:
        click.echo(json.dumps({**entry._asdict(), "path": path and str(path)}, indent=1))
        return
    place = f"nowhere on this machine; {cache_folder() / entry.base}.npz is where it would be"
    facts = {
        "rows": f"{entry.train:,} to train" + (f", {entry.test:,} to test" if entry.test else ""),
        "columns": f"{entry.columns:,}",
        "made from": "" if entry.base == name else entry.base,
        "source": entry.where or "not to be had automatically",
        "found": str(path) if path else "in scikit-learn" if name == "digits" else place,
        **{("used by" if i == 0 else " " * (i + 1)): paper for i, paper in enumerate(entry.papers)},
        "note": entry.note,
    }
    click.echo(name)
    for word, fact in facts.items():
        if fact:
            click.echo(f"  {word.strip():<10} {fact}")


@command.command("get")
@click.argument("name")
@option("-o", "--output", type=click.Path(dir_okay=False), help="Also write it, cut as its paper cuts it, to this npz.")
@option("--quiet", "-q", is_flag=True, help="Say nothing while working.")
def get(name, output, quiet):
    """Fetch the data set NAME unless it is on this machine, and check its size."""
    from ..data.registry import load, write

    with Meter(f"get {name}", quiet) as meter:
        data = load(name, progress=meter.count)
    if output:
        write(output, data)
    click.echo(repr(data)[1:-1])
