"""What the commands share: opening files and saying what went wrong."""

import warnings

import click
import pytest

from unkernel import InputError
from unkernel.cli import base
from unkernel.cli.option import opened, with_target


def test_targets_by_name_and_number(table):
    assert opened(str(table), target="kind").y[0] in ("same", "differ")
    assert opened(str(table), target="0").feature_names.tolist()[:2] == ["b", "c"]
    assert opened(str(table), target="-1").y[0] in ("same", "differ")


def test_columns_left_out(table):
    assert opened(str(table), drop=("a", "b")).X.shape == (160, 1)


def test_nothing_to_predict_is_refused(tmp_path):
    import numpy as np

    np.save(tmp_path / "x.npy", np.eye(3))
    with pytest.raises(InputError, match="--target"):
        with_target(opened(str(tmp_path / "x.npy")))


def test_warnings_are_one_line(call, table, monkeypatch):
    @click.command("completion")
    def warns():
        warnings.warn("mind the gap", UserWarning, stacklevel=1)
        warnings.warn("old", DeprecationWarning, stacklevel=1)

    monkeypatch.setattr("unkernel.cli.completion.command", warns)
    ran = call("completion")
    assert ran.stderr == "unkernel: mind the gap\n"


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [(InputError("bad"), 1, "bad"), (MemoryError(), 1, "MemoryError"), (KeyboardInterrupt(), base.STOPPED, "stopped")],
)
def test_what_goes_wrong_is_one_line_and_a_code(call, monkeypatch, error, code, said):
    @click.command("completion")
    def fails():
        raise error

    monkeypatch.setattr("unkernel.cli.completion.command", fails)
    ran = call("completion")
    assert ran.exit_code == code
    assert ran.stderr == f"unkernel: {said}{'; nothing was written' if said == 'stopped' else ''}\n"


def test_a_fault_of_ours_says_so_and_shows_where_when_asked(call, monkeypatch):
    @click.command("completion")
    def fails():
        raise TypeError("odd")

    monkeypatch.setattr("unkernel.cli.completion.command", fails)
    ran = call("completion")
    assert ran.exit_code == 1
    assert ran.stderr.startswith("unkernel: a fault of unkernel, not of your data (TypeError: odd); UNKERNEL_DEBUG=1")
    monkeypatch.setenv("UNKERNEL_DEBUG", "1")
    assert isinstance(call("completion").exception, TypeError)
