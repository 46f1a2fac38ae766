"""The group of commands: loads one when it is named, and turns what goes wrong into one line and an exit code."""

import os
import sys
import warnings
from importlib import import_module

import click

from .option import meant

COMMANDS = ("check", "compare", "fit", "predict", "transform", "data", "completion")
DEBUG = "UNKERNEL_DEBUG"  # in the environment: errors keep their traceback
STOPPED = 130  # what shells give to a command that Ctrl-C ended


class _Shelf(click.Group):
    """Commands by name, each in the module of that name."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        return import_module(f".{name}", __package__).command if name in COMMANDS else None

    def resolve_command(self, context: click.Context, args: list[str]):
        """The command, or what a misspelt one may have meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            context.fail(f"there is no command {args[0]!r}{meant(args[0], COMMANDS)}")
        return super().resolve_command(context, args)

    def invoke(self, context: click.Context):
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.showwarning = _say_warning
            try:
                return super().invoke(context)
            except KeyboardInterrupt:
                _leave("stopped; nothing was written", STOPPED)
            except BrokenPipeError:
                # Who read from us has gone: nothing to say, and nowhere to say it.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                context.exit(0)
            except Exception as error:
                if isinstance(error, (click.exceptions.Exit, click.Abort, click.ClickException)) or DEBUG in os.environ:
                    raise
                _leave(_in_one_line(error), 2 if _is_misuse(error) else 1)


def _is_misuse(error: Exception) -> bool:
    """Whether a column was named that is not there: the call is wrong, not the data."""
    base = sys.modules.get(f"{__package__.rpartition('.')[0]}.data.base")
    return base is not None and isinstance(error, base.ColumnError)


def _in_one_line(error: Exception) -> str:
    """What is wrong with the data in the error's own words; anything else is a fault of ours, and says so."""
    if isinstance(error, (ValueError, OSError, MemoryError)):
        return str(error) or type(error).__name__
    fault = f"{type(error).__name__}: {error}"
    return f"a fault of unkernel, not of your data ({fault}); {DEBUG}=1 shows where, for a report of it"


def _leave(text: str, code: int) -> None:
    click.echo(f"unkernel: {text}", err=True)
    raise click.exceptions.Exit(code)


def _say_warning(message, category, *where, **more) -> None:
    if not issubclass(category, (DeprecationWarning, PendingDeprecationWarning)):
        click.echo(f"unkernel: {message}", err=True)


@click.group(cls=_Shelf, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="unkernel", message="unkernel %(version)s")
def main() -> None:
    """Nonlinear accuracy at linear cost, and an honest answer to whether you need it.

    FILE is CSV, TSV, Parquet, LIBSVM text, npz or npy, packed or not, or - for standard input. Exit codes: 0 done,
    1 a problem with the data, 2 a problem with how the command was called, 130 stopped by Ctrl-C.
    """
