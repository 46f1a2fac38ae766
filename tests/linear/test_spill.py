"""Blocks that come once: the fit is that of all rows, and the file is whole or not there."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from unkernel import Codes, Dense, InputError, LinearClassifier, LinearRegressor, load_model
from unkernel.linear import block_cd
from unkernel.linear.spill import spilled


def rows(n=300):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 8, (n, 20))
    return Codes.of(codes, 8, filled=np.arange(n) != 5), np.array(["a", "b", "c"])[codes[:, :5].sum(axis=1) // 12]


def parts(F, *others, size=70):
    return ((F[s : s + size], *(part[s : s + size] for part in others)) for s in range(0, len(F), size))


@pytest.mark.parametrize("in_blocks", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_fit_is_that_of_all_rows_in_memory(in_blocks, weighted, tmp_path, monkeypatch):
    F, y = rows()
    weight = (np.random.default_rng(1).integers(0, 3, len(F)),) if weighted else ()
    whole = LinearClassifier(tol=1e-5).fit(F, y, *weight)
    if in_blocks:
        monkeypatch.setattr(block_cd, "BLOCK_BYTES", 2000)
        monkeypatch.setattr(block_cd, "RUN_ROWS", 16)
    found = LinearClassifier(tol=1e-5).fit_blocks(parts(F, y, *weight), path=tmp_path / "codes")
    np.testing.assert_allclose(found.coef_, whole.coef_, atol=5e-3 * abs(whole.coef_).max())
    assert (found.predict(F) == whole.predict(F)).all()
    assert found.gap_.max() <= 1e-5
    again = LinearClassifier(tol=1e-5).fit(Codes.open(tmp_path / "codes"), y, *weight)
    assert again.coef_.tobytes() == found.coef_.tobytes()


@pytest.mark.parametrize("targets", [1, 2])
def test_regressions_are_those_of_all_rows_in_memory(targets, monkeypatch):
    F, _ = rows()
    y = F.codes[:, :targets].astype(np.float64).squeeze() + 10
    whole = LinearRegressor(C=10.0, tol=1e-6).fit(F, y)
    monkeypatch.setattr(block_cd, "BLOCK_BYTES", 2000)
    monkeypatch.setattr(block_cd, "RUN_ROWS", 16)
    found = LinearRegressor(C=10.0, tol=1e-6).fit_blocks(parts(F, y))
    np.testing.assert_allclose(found.predict(F), whole.predict(F), atol=0.02)
    assert found.gap_.max() <= 1e-6


def test_C_is_chosen_from_a_file_as_in_memory(monkeypatch):
    F, y = rows()
    whole = LinearClassifier(C=[0.01, 1.0], cv=3).fit(F, y)
    monkeypatch.setattr(block_cd, "BLOCK_BYTES", 2000)
    monkeypatch.setattr(block_cd, "RUN_ROWS", 16)
    found = LinearClassifier(C=[0.01, 1.0], cv=3).fit_blocks(parts(F, y))
    assert found.C_ == whole.C_
    np.testing.assert_allclose(found.C_path_["score"], whole.C_path_["score"], atol=0.05)


def test_a_temporary_file_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    F, y = rows()
    with spilled(parts(F, y)) as (codes, targets, weight):
        assert len(list(tmp_path.iterdir())) == 1
        assert weight is None
        np.testing.assert_array_equal(codes.codes, F.codes)
        np.testing.assert_array_equal(targets, y)
    assert not list(tmp_path.iterdir())


F, Y = rows(20)
WRONG = {
    "none": [],
    "codes alone": [F],
    "not codes": [(Dense(np.eye(3)), [0, 1, 2])],
    "a target short": [(F, Y[1:])],
    "other width": [(F, Y), (Codes.of(np.zeros((20, 3), int), 8), Y)],
    "other value": [(F, Y), (Codes(F.codes, F.filled, F.levels, 1.0), Y)],
    "weights at times": [(F, Y, np.ones(20)), (F, Y)],
    "weights, then None": [(F, Y, np.ones(20)), (F, Y, None)],
    "labels of two kinds": [(F, np.arange(20) % 2), (F, (np.arange(20) % 2).astype(str))],
    "strings and bytes": [(F, Y), (F, Y.astype(bytes))],
    "targets of two shapes": [(F, np.arange(20)), (F, np.arange(20)[:, None])],
}


@pytest.mark.parametrize("case", list(WRONG))
def test_wrong_blocks_are_refused_and_leave_no_file(case, tmp_path):
    with pytest.raises(InputError):
        LinearClassifier().fit_blocks(iter(WRONG[case]), path=tmp_path / "codes")
    assert not list(tmp_path.iterdir())


def test_blocks_that_are_refused_say_what_they_hold():
    numbers = np.arange(20) % 2
    with pytest.raises(InputError, match=r"y of block 1 holds strings, of the first numbers; make them one kind"):
        LinearClassifier().fit_blocks([(F, numbers), (F, numbers.astype(str))])
    with pytest.raises(InputError, match=r"y of block 1 has shape \(20, 1\), of the first \(20,\)"):
        LinearRegressor().fit_blocks([(F, numbers), (F, numbers[:, None])])
    with pytest.raises(InputError, match="blocks is 5; give an iterable"):
        LinearClassifier().fit_blocks(5)


def test_labels_of_one_kind_are_joined_and_weights_may_be_none():
    flags, texts = np.arange(20) % 2 == 0, Y.astype(object)
    assert LinearClassifier().fit_blocks([(F, flags, None), (F, flags.astype(float))]).classes_.tolist() == [0, 1]
    assert LinearClassifier().fit_blocks([(F, Y), (F, texts)]).classes_.tolist() == np.unique(Y).tolist()


JOB = """
import os, signal, sys, numpy as np
from unkernel import Codes, LinearClassifier, save
from unkernel.linear.spill import spilled
rng = np.random.default_rng(0)
def blocks(last=None):
    for number in range(50):
        if number == last:
            os.kill(os.getpid(), signal.SIGKILL)
        codes = rng.integers(0, 4, (500, 64))
        yield Codes.of(codes, 4), codes[:, 0] > 1
model = LinearClassifier(C=0.01)
if sys.argv[2] == "while writing":
    model.fit_blocks(blocks(last=25), path=sys.argv[1] + "/codes")
model.fit(Codes.of(rng.integers(0, 4, (20, 64)), 4), np.arange(20) % 2)
print("ready", flush=True)
while True:
    save(model, sys.argv[1] + "/model")
    with spilled(blocks(), path=sys.argv[1] + "/codes"):
        pass
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills in another way")
@pytest.mark.parametrize("moment", ["while writing", "0.01", "0.1"])
def test_a_kill_at_any_moment_leaves_whole_files_or_none(moment, tmp_path):
    command = [sys.executable, "-c", JOB, str(tmp_path), moment]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as job:
        if moment != "while writing":
            assert job.stdout.readline() == b"ready\n"
            time.sleep(float(moment))
            job.kill()
    assert job.returncode == -signal.SIGKILL
    names = {path.name for path in tmp_path.iterdir()}
    assert names & {"codes", "model"} or moment != "0.1"
    if moment == "while writing":
        assert names == {f".codes.{job.pid}.part"}
    if "codes" in names:
        assert len(Codes.open(tmp_path / "codes")) == 25_000
    if "model" in names:
        assert load_model(tmp_path / "model").n_features_in_ == 256
