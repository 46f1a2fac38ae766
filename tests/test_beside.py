"""Outputs are whole or not there."""

import os

import pytest

from unkernel import InputError
from unkernel._beside import beside, check_place


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


def test_a_place_is_refused_before_any_work(tmp_path):
    check_place(tmp_path / "new.txt")
    for path, why in ((tmp_path, "is a folder"), (tmp_path / "no" / "x", "cannot be written")):
        with pytest.raises(InputError, match=why):
            check_place(path)


def test_what_is_no_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="device or a pipe"), beside(tmp_path / "pipe"):
        pass


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to("there.txt")
    with beside(tmp_path / "link") as file:
        file.write("x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there.txt").read_text() == "x"
