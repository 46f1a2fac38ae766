"""Progress on standard error: a bar with the time left on a terminal, a plain line now and then in a pipe."""

import sys
from time import monotonic
from typing import Any

import click

EVERY = 2.0  # seconds between two plain lines
PRICE = "about "  # what a text that says how long a step takes holds


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
        self._said, self._last, self._priced = "", -EVERY, False

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

    def tell(self, share: float | None, text: str) -> None:
        """Share done so far, None where nobody knows, and what comes next."""
        if self._bar:
            self._bar.update(self._task, completed=share or 0, total=1.0 if share is not None else None, next=text)
            return
        price = PRICE in text and not self._priced  # said before it is spent, whatever was said just before
        due = price or monotonic() - self._last >= EVERY or (share or 0) >= 1 or not self._said
        if not self.quiet and text != self._said and due:
            click.echo(f"{self.title}: {'' if share is None else f'{share:4.0%}  '}{text}", err=True)
            self._said, self._last = text, monotonic()
            self._priced |= price

    def count(self, done: int, total: int | None) -> None:
        """Rows or bytes done, of how many."""
        words = f"{done:,}" + (f" of {total:,}" if total else "")
        self.tell(min(done / total, 1.0) if total else None, words)
