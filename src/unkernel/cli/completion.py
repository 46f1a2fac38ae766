"""`unkernel completion`: the script that lets a shell complete commands and options."""

import click


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell):
    """Print the script that completes unkernel's commands in SHELL, to be sourced by it."""
    from click.shell_completion import get_completion_class

    from .base import main

    made = get_completion_class(shell)(main, {}, "unkernel", "_UNKERNEL_COMPLETE")
    if shell == "bash":
        made._check_version = lambda: None  # the script may be for another machine
    click.echo(made.source())
