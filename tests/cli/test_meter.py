"""Progress in a pipe and on a terminal."""

import io

import pytest

from unkernel.cli import meter
from unkernel.cli.meter import Meter


class Terminal(io.StringIO):
    def isatty(self):
        return True


def told(monkeypatch, stream, quiet=False) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    with Meter("check", quiet) as shown:
        shown.tell(0.0, "linear")
        shown.tell(0.5, "landmarks")
        shown.count(10, None)
        shown.tell(1.0, "done")
    return stream.getvalue()


def test_plain_lines_now_and_then(monkeypatch):
    assert told(monkeypatch, io.StringIO()) == "check:   0%  linear\ncheck: 100%  done\n"
    monkeypatch.setattr(meter, "EVERY", 0.0)
    assert told(monkeypatch, io.StringIO()).count("\n") == 4


def test_the_first_price_is_never_held_back(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with Meter("fit") as shown:
        shown.tell(0.0, "candidates")
        shown.tell(0.2, "all rows, about 30 s")
        shown.tell(0.3, "all rows, about 28 s")
    assert stream.getvalue() == "fit:   0%  candidates\nfit:  20%  all rows, about 30 s\n"


def test_no_share_where_nobody_knows_it(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with Meter("predict") as shown:
        shown.count(1000, None)
    assert stream.getvalue() == "predict: 1,000\n"


def test_a_bar_on_a_terminal_leaves_nothing_behind(monkeypatch):
    shown = told(monkeypatch, Terminal())
    assert "check" in shown
    assert shown.rstrip("\n").endswith("\x1b[2K")


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_quiet_is_quiet(monkeypatch, stream):
    assert told(monkeypatch, stream(), quiet=True) == ""
