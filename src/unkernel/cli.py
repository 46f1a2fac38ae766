"""The command line: parse, call one function, print. What a command needs is imported inside it, so help is instant."""

import sys

try:
    import click
except ImportError:
    sys.exit("The command line needs click and rich, which are an extra: pip install 'unkernel[cli]'")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="unkernel", message="unkernel %(version)s")
def main() -> None:
    """Nonlinear accuracy at linear cost, and an honest answer to whether you need it."""


if __name__ == "__main__":
    main()
