"""One file from the network to the disk: resumed where it broke off, whole or not there, its checksum remembered."""

import hashlib
import os
from pathlib import Path

from .._blocks import Progress
from .._validate import InputError

PIECE, PATIENCE = 1 << 16, 30  # bytes; seconds without any


class DownloadError(InputError):
    """A file that could not be had; the message says where to put it by hand."""


def fetch(url: str, path: Path, *, sha256: str | None = None, progress: Progress | None = None) -> Path:
    """The file of an address under this path, downloaded unless it is there.

    A broken download leaves `path.part`, and the next call asks for the rest of it. The checksum is compared with
    `sha256` where that is known; else it is written to `path.sha256` at the first download, and `verify` compares with
    that later.
    """
    if path.exists():
        return verify(path, sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    try:
        _download(url, part, progress)
    except OSError as error:  # URLError, timeouts and broken connections all are
        kept = f"; {part.stat().st_size:,} bytes are kept, and the next try goes on from there" if part.exists() else ""
        raise DownloadError(
            f"{url} cannot be had ({getattr(error, 'reason', None) or error}){kept}. Without a network: get it "
            f"elsewhere and put it at {path}"
        ) from error
    found = _digest(part)
    if sha256 is not None and found != sha256:
        part.unlink()
        raise DownloadError(f"{url} has checksum {found}, and {sha256} is expected; try again, or put it at {path}")
    path.with_name(path.name + ".sha256").write_text(found + "\n")
    os.replace(part, path)
    return path


def verify(path: Path, sha256: str | None = None) -> Path:
    """The path, once its contents match the checksum known or remembered; without one it is trusted."""
    beside = path.with_name(path.name + ".sha256")
    if sha256 is None and beside.exists():
        sha256 = beside.read_text().strip()
    if sha256 is not None and _digest(path) != sha256:
        raise DownloadError(f"{path} does not match its checksum: it was damaged or changed; delete it to get it again")
    return path


def _download(url: str, part: Path, progress: Progress | None) -> None:
    from urllib.request import Request, urlopen

    done = part.stat().st_size if part.exists() else 0
    request = Request(url, headers={"User-Agent": "unkernel", **({"Range": f"bytes={done}-"} if done else {})})
    with urlopen(request, timeout=PATIENCE) as answer:
        if getattr(answer, "status", None) != 206:  # the whole file again
            done = 0
        total = done + int(answer.headers.get("Content-Length") or 0)
        with open(part, "ab" if done else "wb") as file:
            while piece := answer.read(PIECE):
                file.write(piece)
                done += len(piece)
                if progress:
                    progress(done, total)
    if total and done < total:
        raise ConnectionError(f"the connection broke after {done:,} of {total:,} bytes")


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
