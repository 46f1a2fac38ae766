"""Write cli.md from the commands themselves. `make docs` runs it; a test fails when the page is stale."""

from collections.abc import Iterator
from pathlib import Path

import click

from unkernel.cli import main

PAGE = Path(__file__).parent / "cli.md"


def commands(command: click.Command, words: str, above: click.Context | None = None) -> Iterator[click.Context]:
    """The command and all below it, in order, each in its context."""
    here = click.Context(command, info_name=words, parent=above, terminal_width=100, **command.context_settings)
    yield here
    if isinstance(command, click.Group):
        for name in command.list_commands(here):
            yield from commands(command.get_command(here, name), name, here)


def render() -> str:
    """The page as text."""
    parts = ["# The command line\n\nWritten from the commands by `make docs`; each says the same with `--help`.\n"]
    for context in commands(main, "unkernel"):
        usage = context.command.get_help(context)
        text = "\n".join(line.rstrip() for line in usage.splitlines())
        parts.append(f"## {context.command_path}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(render())
    print(f"wrote {PAGE}")
