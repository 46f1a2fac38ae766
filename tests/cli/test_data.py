"""`unkernel data`: lists, shows and fetches named data sets."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from unkernel import read
from unkernel.cli import main


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    monkeypatch.setenv("UNKERNEL_DATA", str(tmp_path))
    monkeypatch.setenv("UNKERNEL_CACHE", str(tmp_path / "cache"))
    np.savez(tmp_path / "fourclass.npz", X_train=np.arange(1724.0).reshape(862, 2), y_train=np.arange(862) % 2)


def ran(*words, code=0):
    done = CliRunner().invoke(main, ["data", *words])
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


def test_list_names_sizes_and_marks_what_is_here():
    lines = ran("list").splitlines()
    assert len(lines) > 100
    assert "* fourclass                      862          -        2" in lines
    assert "  ijcnn5k                      5,000     91,701       22" in lines
    assert [line.split()[1] for line in ran("list", "--here").splitlines()[1:]] == [
        "digits",
        "fourclass",
        "fourclass_half",
    ]
    assert {row["name"] for row in json.loads(ran("list", "letter", "--json"))} == {
        "letter",
        "letter4k",
        "letter_libsvm",
    }


def test_show_says_what_is_known(tmp_path):
    told = ran("show", "ijcnn5k")
    for fact in (
        "5,000 to train, 91,701 to test",
        "made from  ijcnn1",
        "fixed seed",
        "Comparison Study",
        "csie.ntu.edu.tw",
    ):
        assert fact in told
    assert str(tmp_path / "cache" / "ijcnn1.npz") in told
    assert json.loads(ran("show", "fourclass", "--json"))["path"] == str(tmp_path / "fourclass.npz")
    assert "not to be had automatically" in ran("show", "timit")


def test_get_fetches_and_writes(tmp_path):
    told = ran("get", "fourclass_half", "-q", "-o", str(tmp_path / "half.npz"))
    assert "431 rows, 431 test rows, 2 columns" in told
    half = read(tmp_path / "half.npz")
    assert half.X.shape == half.X_test.shape == (431, 2)


def test_what_cannot_be_had_ends_with_one():
    assert "put it at" in ran("get", "timit", code=1)
    assert "did you mean 'covtype'" in ran("show", "covtyp", code=1)
    ran("get", code=2)
