"""Bytes, whatever they came from: a path, an open file or a stream; plain or compressed, told by content."""

import bz2
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .._validate import InputError
from .base import ReadError

_OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
_BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError)


class Source:
    """A file to read bytes from, as often as it can be opened.

    Parameters
    ----------
    file : str, path or binary file object
        A stream that cannot be rewound is read once. An object is left open.
    """

    def __init__(self, file: Any):
        is_object = hasattr(file, "read")
        if not is_object and not isinstance(file, str | os.PathLike):
            raise InputError(f"the file is {file!r}; give a path, or an object opened for reading in binary mode")
        if isinstance(file, io.TextIOBase):
            raise InputError(f"{file!r} is open as text; open it in binary mode: open(path, 'rb'), or sys.stdin.buffer")
        self.file = file
        self.path = None if is_object else Path(file)
        self.name = str(getattr(file, "name", "stream")) if is_object else str(self.path)
        self.repeatable = not is_object or bool(file.seekable())
        self._start = file.tell() if is_object and self.repeatable else 0
        self._head: bytes | None = None
        self._taken = False
        self._opened: Any = None

    def error(self, where: str, reason: str, line: int | None = None) -> ReadError:
        """A ReadError about this file."""
        return ReadError(self.name, where, reason, line)

    def head(self, n_bytes: int = 1 << 16) -> bytes:
        """The first bytes behind any compression, without using up a stream."""
        with self.open() as file:
            head = file.read(n_bytes)
            if not self.repeatable:
                self._head, self._rest, self._taken = head, file, False
        return head

    @contextmanager
    def open(self) -> Iterator[io.BufferedReader]:
        """A binary file of the bytes behind any compression; what breaks underneath becomes a ReadError."""
        if self._taken and not self.repeatable:
            raise InputError(f"{self.name} is a stream that has been read; give a file, which can be read twice")
        self._taken = True
        if self._head is not None:
            yield _Joined(self._head, self._rest, self.name).buffered()
            return
        raw = self._opened = self._raw()
        try:
            start = raw.read(8)
            opener = next((o for magic, o in _OPENERS.items() if start.startswith(magic)), None)
            plain = _Joined(start, raw, self.name)
            yield _Joined(b"", opener(plain, "rb"), self.name).buffered() if opener else plain.buffered()
        finally:
            if self.path is not None:
                raw.close()

    def position(self) -> tuple[int, int]:
        """Bytes of the file as it lies that have been read, and all of them; 0 of 0 where that is unknown."""
        if self.path is None or not self.path.is_file() or self._opened.closed:
            return 0, 0
        return self._opened.tell(), self.path.stat().st_size

    @property
    def plain_size(self) -> int | None:
        """Bytes of a path without compression, whose parts can be read apart; None for anything else."""
        if self.path is None or not self.path.is_file():
            return None
        with self.path.open("rb") as file:
            start = file.read(8)
        return None if any(start.startswith(magic) for magic in _OPENERS) else self.path.stat().st_size

    def _raw(self) -> Any:
        if self.path is None:
            if self.repeatable:
                self.file.seek(self._start)
            return self.file
        try:
            return open(self.path, "rb", buffering=0)
        except FileNotFoundError:
            raise self.error("", f"there is no such file (looked from {Path.cwd()}); check the path") from None
        except OSError as error:
            raise self.error("", f"the file cannot be opened: {error.strerror or error}") from None


class _Joined(io.RawIOBase):
    """Bytes already read, then the rest of a file that this object does not close."""

    def __init__(self, head: bytes, rest: Any, name: str):
        self._head, self._rest, self._name = memoryview(head), rest, name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        if len(self._head):
            n = min(len(buffer), len(self._head))
            buffer[:n], self._head = self._head[:n], self._head[n:]
            return n
        try:
            if hasattr(self._rest, "readinto"):
                return self._rest.readinto(buffer) or 0
            data = self._rest.read(len(buffer))
        except _BROKEN as error:
            raise ReadError(
                self._name, "", f"the file is truncated or damaged ({error}); get it again or compress it again"
            ) from None
        buffer[: len(data)] = data
        return len(data)

    def buffered(self) -> io.BufferedReader:
        """The same with the whole interface of a binary file."""
        return io.BufferedReader(self, 1 << 16)
