"""The command line: parse, call one function, print. What a command needs is imported inside it, so help is instant."""

import sys

try:
    import click  # noqa: F401
except ImportError:
    sys.exit("The command line needs click and rich, which are an extra: pip install 'unkernel[cli]'")

from .base import main

__all__ = ["main"]
