"""Bytes from paths, objects and streams, compressed or not."""

import bz2
import gzip
import io
import lzma

import pytest

from unkernel.data.base import ReadError
from unkernel.data.source import Source

TEXT = b"+1 1:0.5\n-1 2:1\n" * 5000
PACKERS = {"plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


class Pipe(io.RawIOBase):
    """A stream that gives a few bytes at a time and cannot be rewound."""

    def __init__(self, data):
        self._file = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, buffer):
        return self._file.readinto(memoryview(buffer)[:777])


@pytest.mark.parametrize("pack", PACKERS)
def test_bytes_come_back_whatever_they_are_packed_in(pack, tmp_path):
    packed = PACKERS[pack](TEXT)
    (tmp_path / "misnamed.dat").write_bytes(packed)
    for file in (tmp_path / "misnamed.dat", str(tmp_path / "misnamed.dat"), io.BytesIO(packed), Pipe(packed)):
        source = Source(file)
        assert source.head(100) == TEXT[:100]
        with source.open() as opened:
            assert opened.read() == TEXT
    assert (Source(tmp_path / "misnamed.dat").plain_size is None) == (pack != "plain")


@pytest.mark.parametrize("pack", ["gz", "bz2", "xz"])
@pytest.mark.parametrize("keep", [0.2, 0.9, 0.999])
def test_a_truncated_compressed_file_is_refused(pack, keep, tmp_path):
    packed = PACKERS[pack](TEXT)
    (tmp_path / "rows").write_bytes(packed[: int(len(packed) * keep)])
    with pytest.raises(ReadError, match="truncated or damaged") as caught, Source(tmp_path / "rows").open() as file:
        file.read()
    assert caught.value.path == str(tmp_path / "rows")


def test_an_object_is_left_open_and_read_from_where_it_stands():
    file = io.BytesIO(b"header" + TEXT)
    file.seek(6)
    source = Source(file)
    for _ in range(2):
        with source.open() as opened:
            assert opened.read() == TEXT
    assert not file.closed


def test_what_is_not_a_file_is_refused(tmp_path):
    with pytest.raises(ReadError, match="no such file"), Source(tmp_path / "missing").open():
        pass
    with pytest.raises(ReadError, match="cannot be opened"), Source(tmp_path).open():
        pass
    with pytest.raises(ValueError, match="binary mode"):
        Source(io.StringIO("text"))
    with pytest.raises(ValueError, match="give a path"):
        Source(3)
    source = Source(Pipe(TEXT))
    with source.open() as file:
        file.read()
    with pytest.raises(ValueError, match="read twice"), source.open():
        pass
