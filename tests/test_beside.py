"""Outputs are whole or not there."""

import pytest

from unkernel import InputError
from unkernel._beside import beside


def test_the_name_is_taken_at_the_end(tmp_path):
    path = tmp_path / "out.txt"
    with beside(path) as file:
        file.write("whole\n")
        assert not path.exists()
    assert path.read_text() == "whole\n"
    assert list(tmp_path.iterdir()) == [path]


def test_bytes_too(tmp_path):
    with beside(tmp_path / "out.bin", "wb") as file:
        file.write(b"\x00\r\n")
    assert (tmp_path / "out.bin").read_bytes() == b"\x00\r\n"


@pytest.mark.parametrize("interruption", [ValueError, KeyboardInterrupt])
def test_what_was_there_stays_when_writing_fails(tmp_path, interruption):
    path = tmp_path / "out.txt"
    path.write_text("before")
    with pytest.raises(interruption), beside(path) as file:
        file.write("half")
        raise interruption
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be_written_are_refused(tmp_path):
    with pytest.raises(InputError, match="is a folder"), beside(tmp_path):
        pass
    with pytest.raises(InputError, match="name a folder that exists"), beside(tmp_path / "no" / "out.txt"):
        pass
