"""Fits from a file, block by block, reach the optimum of every loss that fits in memory reach, and hold no file."""

import mmap
from pathlib import Path

import numpy as np
import pytest

from unkernel import Codes
from unkernel.linear import block_cd, dual_cd
from unkernel.linear.base import Problem, Status, certify
from unkernel.linear.losses import CLASSIFIERS, REGRESSORS, loss_of


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(block_cd, "BLOCK_BYTES", 60)
    monkeypatch.setattr(block_cd, "RUN_ROWS", 4)


def problem(name):
    rng = np.random.default_rng(0)
    codes = Codes.of(rng.integers(0, 4, (60, 6)), 4, filled=np.arange(60) != 7)
    loss = loss_of(name)
    numbers = codes.to_dense(np.float64) @ rng.normal(size=24) + 0.3 * rng.normal(size=60)
    y = np.digitize(numbers, [-0.5, 0.5]).astype(np.int32) if loss.classifies else numbers
    return Problem.of(codes, y, loss, 0.7, bias=1.0, weight=rng.choice([0.0, 1.0, 2.5], 60))


@pytest.mark.hot
@pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)
def test_the_optimum_is_that_of_rows_in_memory(name):
    p = problem(name)
    found, whole = block_cd.solve(p, tol=1e-5), dual_cd.solve(p, tol=1e-5)
    assert found.status == [Status.CONVERGED] * p.n_columns
    np.testing.assert_allclose(found.objective, whole.objective, rtol=2e-5)


def test_the_certificate_is_that_of_all_solvers():
    p = problem("squared_hinge")
    found = block_cd.solve(p, tol=1e-3)
    objective, gap = certify(p, found.W, found.v, found.dual.astype(np.float64))
    np.testing.assert_allclose(found.objective, objective, rtol=1e-6)
    np.testing.assert_allclose(found.gap, gap, atol=1e-6)


def test_threads_change_nothing_and_a_warm_start_saves_passes():
    p = problem("logistic")
    one, two = block_cd.solve(p, n_jobs=1), block_cd.solve(p, n_jobs=2)
    assert one.W.tobytes() == two.W.tobytes()
    again = block_cd.solve(p, start=one.dual)
    assert again.n_epochs.sum() < one.n_epochs.sum()
    assert again.objective == pytest.approx(one.objective, rel=2e-3)


def test_blocks_hold_every_row_once(tmp_path):
    p = problem("hinge")
    p.F.save(tmp_path / "codes")
    F = Codes.open(tmp_path / "codes")
    for rng in (None, np.random.default_rng(0)):
        rows, codes = zip(*block_cd.blocks(F, rng), strict=True)
        assert max(map(len, codes)) <= 60 // 6
        assert len(rows) > 5
        assert sorted(np.concatenate(rows)) == list(range(60))
        for at, block in zip(rows, codes, strict=True):
            np.testing.assert_array_equal(block.codes, p.F.codes[at])
            np.testing.assert_array_equal(block.filled, p.F.filled[at])


@pytest.mark.skipif(not hasattr(mmap, "MADV_DONTNEED"), reason="this system cannot be told to drop pages")
def test_pages_are_given_back_and_what_was_written_in_memory_is_kept(tmp_path):
    size = 4 << 20
    (tmp_path / "file").write_bytes(b"\1" * size)
    mapped = np.memmap(tmp_path / "file", mode="r")
    assert mapped.sum() == size
    assert _resident(tmp_path / "file") >= size
    block_cd.let_go(mapped[5:].view(np.ndarray))
    assert _resident(tmp_path / "file") == 0
    assert mapped.sum() == size
    own = np.memmap(tmp_path / "file", mode="c")
    own[:] = 2
    block_cd.let_go(own)
    assert own.sum() == 2 * size


def _resident(path) -> int:
    """Bytes of a mapped file that this process holds."""
    smaps = Path("/proc/self/smaps")
    if not smaps.exists():
        pytest.skip("this system does not say what is resident")
    lines = smaps.read_text().splitlines()
    held, here = 0, False
    for line in lines:
        if "-" in line.split(" ")[0]:
            here = line.endswith(str(path))
        elif here and line.startswith("Rss:"):
            held += 1024 * int(line.split()[1])
    return held
