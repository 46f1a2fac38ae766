"""Options that several commands share, and the opening of files."""

import sys
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any

import click

READS = ("target", "drop", "format", "max_categories")  # the options of `reading`
FORMATS = ("svmlight", "csv", "tsv", "parquet", "npz", "npy")


class Near(click.Choice):
    """One of some words; a word that is near to one of them is told so."""

    name = "word"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """The word, or misuse."""
        if value not in self.choices:
            words = f"{value!r} is not one of {', '.join(self.choices)}{meant(value, self.choices)}"
            raise click.BadParameter(words, context, parameter)
        return value


def meant(word: str, words: Iterable[str]) -> str:
    """What a misspelt word may have been, as the end of a sentence.

    Examples
    --------
    >>> meant("acuracy", ["accuracy", "r2"])
    "; did you mean 'accuracy'?"
    """
    near = get_close_matches(word, list(words), n=3)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def option(*names: str, **how: Any) -> Callable:
    """An option whose help says its default."""
    return click.option(*names, **{"show_default": how.get("default") not in (None, False), **how})


def reading(command: Callable) -> Callable:
    """FILE and how to read it."""
    for add in reversed((
        click.argument("file"),
        option("--target", metavar="COLUMN", help="Column to predict: its name or number. Default: the last one; "
               "the label of LIBSVM text; y of an npz file."),
        option("--drop", metavar="COLUMN", multiple=True, help="Leave this column out. Repeatable."),
        option("--format", type=click.Choice(FORMATS), help="Of FILE. Default: found out from its contents and name."),
        option("--max-categories", metavar="NUMBER", type=click.IntRange(min=1),
               help="Most words a column of text may hold, each of which becomes a column. Default: 256."),
    )):  # fmt: skip
        command = add(command)
    return command


def finite(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """A number that is one: ranges let NaN through."""
    if value is not None and not isfinite(value):
        raise click.BadParameter(f"{value} is no finite number")
    return value


def _not_zero(context: click.Context, parameter: click.Parameter, value: int) -> int:
    if value == 0:
        raise click.BadParameter("0 threads do nothing; 1 is one thread, -1 is one per core")
    return value


def running(command: Callable) -> Callable:
    """Threads, seed and quiet."""
    for add in reversed((
        option("--jobs", type=int, default=-1, callback=_not_zero,
               help="Threads; -1 is one per core. Never changes a result."),
        option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, help="Of everything random."),
        option("--quiet", "-q", is_flag=True, help="Say nothing while working."),
    )):  # fmt: skip
        command = add(command)
    return command


def opened(file: str, *, quiet: bool = True, like: Any = None, **how: Any) -> Any:
    """The data set in a file, in standard input, or of that name in the registry.

    `how` holds what `reading` adds: target, which may be a number, drop, format and max_categories. `like` is the
    layout of another file to read this one by.
    """
    from ..data.reader import read
    from .meter import Meter

    if file != "-" and not Path(file).exists() and not Path(file).suffix and "/" not in file:
        return _named(file)
    options = {name: value for name, value in how.items() if value not in (None, ())}
    target = options.get("target", "")
    if target.lstrip("-").isdigit():
        options["target"] = int(target)
    with Meter("read", quiet) as meter:
        return read(_source(file), like=_empty(like), progress=meter.count, **options)


def opened_blocks(file: str, rows: int, *, like: Any = None, **how: Any) -> Iterator[Any]:
    """The same in blocks of rows."""
    from ..data.reader import iter_blocks

    options = {name: value for name, value in how.items() if value is not None}
    return iter_blocks(_source(file), rows=rows, like=_empty(like), **options)


def _source(file: str) -> Any:
    return sys.stdin.buffer if file == "-" else file


def _empty(layout: Any) -> Any:
    """A data set without rows that another file can be read like."""
    import numpy as np

    from ..data.base import Dataset

    return layout and Dataset(np.empty((0, layout.n_columns)), layout=layout)


def _named(name: str) -> Any:
    from .._validate import InputError
    from ..data.registry import load, names

    if name not in names():
        raise InputError(f"{name} is neither a file nor a named data set; `unkernel data list` names those there are")
    return load(name)


def with_target(data: Any) -> Any:
    """The data set, refused when there is nothing to predict."""
    from .._validate import InputError

    if data.y is None:
        raise InputError(f"{data.source} has no column to predict; name it with --target")
    return data
