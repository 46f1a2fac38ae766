"""Progress on standard error: a bar with the time left on a terminal, a plain line now and then in a pipe."""

import sys
from time import monotonic
from typing import Any

import click

EVERY = 2.0  # seconds between two plain lines


class Meter:
    """Told (share done, what comes next) or (done, in all); shows it until the `with` block ends.

    Parameters
    ----------
    title : str
        What is being done.
    quiet : bool
        Show nothing.
    """

    def __init__(self, title: str, quiet: bool = False):
        self.title, self.quiet = title, quiet
        self._bar: Any = None
        self._said, self._last = "", -EVERY

    def __enter__(self) -> "Meter":
        if not self.quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[next]}"),
            )
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(self.title, total=1.0, next="")
            self._bar.start()
        return self

    def __exit__(self, *error) -> None:
        if self._bar:
            self._bar.stop()

    def tell(self, share: float, text: str) -> None:
        """Share done so far, and what comes next."""
        if self._bar:
            self._bar.update(self._task, completed=share, next=text)
        elif (
            not self.quiet
            and text != self._said
            and (monotonic() - self._last >= EVERY or share >= 1 or not self._said)
        ):
            click.echo(f"{self.title}: {share:4.0%}  {text}", err=True)
            self._said, self._last = text, monotonic()

    def count(self, done: int, total: int | None) -> None:
        """Rows or bytes done, of how many."""
        words = f"{done:,}" + (f" of {total:,}" if total else "")
        self.tell(min(done / total, 1.0) if total else 0.0, words)
