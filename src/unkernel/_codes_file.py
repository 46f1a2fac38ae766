"""Codes on disk: a header, n * k codes, then n bytes that say which rows are filled. No mathematics."""

from contextlib import ExitStack
from pathlib import Path
from zlib import crc32

import numpy as np

from ._beside import beside
from ._validate import InputError

_MAGIC = b"UNKCODE1"
_HEADER = np.dtype(
    [("magic", "S8"), ("rows", "<u8"), ("components", "<u8"), ("levels", "<u8"), ("itemsize", "<u8"), ("value", "<f8")]
    + [("checksum", "<u8")]
)


def _read_header(path: Path) -> np.void:
    """The header, once it and the size of the file make sense."""
    size = path.stat().st_size
    head = np.fromfile(path, dtype=_HEADER, count=1) if size >= _HEADER.itemsize else np.empty(0, _HEADER)
    if not len(head) or head["magic"][0] != _MAGIC or head["itemsize"][0] not in (1, 2):
        raise InputError(f"{path} is not a file of codes; files of codes are written by Codes.save and CodesWriter")
    n, k, itemsize = (int(head[name][0]) for name in ("rows", "components", "itemsize"))
    due = _HEADER.itemsize + n * k * itemsize + n
    if size != due:
        raise InputError(
            f"{path} holds {size} bytes where {n} rows of {k} codes need {due}: it is truncated or damaged; "
            "write it again"
        )
    return head[0]


def _checksum(path: Path, head: np.void) -> int:
    """CRC-32 of all that follows the header, read in pieces, then of the header."""
    crc = 0
    with open(path, "rb") as file:
        file.seek(_HEADER.itemsize)
        while piece := file.read(1 << 22):
            crc = crc32(piece, crc)
    return crc32(head.tobytes()[: -_HEADER["checksum"].itemsize], crc)


def open_codes(path, verify: bool) -> tuple[np.ndarray, np.ndarray, int, float]:
    """Codes (mapped), filled, levels and value of a file."""
    path = Path(path)
    head = _read_header(path)
    n, k, levels, itemsize = (int(head[name]) for name in ("rows", "components", "levels", "itemsize"))
    if verify and _checksum(path, head) != head["checksum"]:
        raise InputError(f"{path} does not match its checksum: it is damaged; write it again")
    if not n:
        return np.empty((0, k), f"u{itemsize}"), np.empty(0, bool), levels, float(head["value"])
    codes = np.memmap(path, dtype=f"<u{itemsize}", mode="r", offset=_HEADER.itemsize, shape=(n, k)).view(np.ndarray)
    filled = np.fromfile(path, dtype=bool, count=n, offset=_HEADER.itemsize + codes.nbytes)
    return codes, filled, levels, float(head["value"])


class CodesWriter:
    """Append blocks of codes to a file; it takes its name only when the `with` block ends well.

    Examples
    --------
    >>> import numpy as np, tempfile, os
    >>> from unkernel import Codes, CodesWriter
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.codes")
    >>> with CodesWriter(path, 4, 16) as writer:
    ...     writer.append(Codes.of(np.array([[1, 2, 3, 15]]), 16))
    >>> Codes.open(path).shape
    (1, 64)
    """

    def __init__(self, path, n_components: int, levels: int, value: float | None = None, dtype=None):
        self.path = Path(path)
        self.dtype = np.dtype(dtype or (np.uint8 if levels <= 256 else np.uint16))
        self.n_components, self.levels = n_components, levels
        self.value = n_components**-0.5 if value is None else value

    def __enter__(self) -> "CodesWriter":
        self._place = ExitStack()
        self._file = self._place.enter_context(beside(self.path, "wb"))
        self._filled: list[np.ndarray] = []
        self._crc = 0
        self._file.write(bytes(_HEADER.itemsize))
        return self

    def append(self, block) -> None:
        """Write the next rows."""
        if block.codes.shape[1] != self.n_components or block.levels != self.levels:
            raise InputError(
                f"a block of {block.codes.shape[1]} codes with {block.levels} levels does not fit a file of "
                f"{self.n_components} codes with {self.levels} levels; make all blocks with one fitted map"
            )
        codes = np.ascontiguousarray(block.codes, dtype=self.dtype.newbyteorder("<"))
        codes.tofile(self._file)
        self._crc = crc32(codes, self._crc)
        self._filled.append(np.array(block.filled))

    def _finish(self) -> None:
        filled = np.concatenate(self._filled) if self._filled else np.empty(0, bool)
        filled.tofile(self._file)
        self._file.seek(0)
        row = (_MAGIC, len(filled), self.n_components, self.levels, self.dtype.itemsize, self.value)
        head = np.array([(*row, 0)], dtype=_HEADER)
        body = crc32(filled, self._crc)
        head["checksum"] = crc32(head.tobytes()[: -_HEADER["checksum"].itemsize], body)
        head.tofile(self._file)

    def __exit__(self, kind, error, trace) -> None:
        if kind is not None:
            self._place.__exit__(kind, error, trace)
        else:
            with self._place:
                self._finish()
