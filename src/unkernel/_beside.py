"""Outputs are written beside their place and renamed, so a file is whole or not there. The only place that does so."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ._validate import InputError


def check_place(path) -> None:
    """Refuse, before any work, a path in a folder that is not there or not to be written."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; name the file to write in it")
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is a device or a pipe, which a rename would replace; name a file")
    if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        why = "Permission denied" if path.parent.is_dir() else "No such file or directory"
        raise InputError(f"{path} cannot be written ({why}); name a folder that exists and is yours")


@contextmanager
def beside(path, mode: str = "w") -> Iterator[IO]:
    """Open a file that takes the name `path` when the block ends well, and vanishes when it does not."""
    check_place(path)
    path = Path(path).resolve()  # a link stays a link
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    how = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    try:
        file = open(part, mode, **how)  # noqa: SIM115
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror}); name a folder that exists and is yours"
        ) from error
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
