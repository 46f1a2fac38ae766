"""The solver is chosen by the form of the features, and every choice solves the same problem."""

import numpy as np
import pytest

from unkernel import Codes, Dense, Sparse
from unkernel.linear.base import Problem, Status
from unkernel.linear.losses import loss_of
from unkernel.linear.solver import Solver


@pytest.fixture
def codes():
    return Codes.of(np.random.default_rng(0).integers(0, 8, (60, 9)), 8)


def test_codes_are_tiled_unless_they_are_mapped_from_a_large_file(codes, tmp_path, monkeypatch):
    assert Solver(codes).tiles is not None
    codes.save(tmp_path / "codes")
    assert Solver(Codes.open(tmp_path / "codes")).tiles is not None
    monkeypatch.setattr("unkernel.linear.block_cd.BLOCK_BYTES", 500)
    assert Solver(codes).tiles is not None
    large = Solver(Codes.open(tmp_path / "codes"))
    assert large.tiles is None
    assert large.in_blocks
    assert Solver(Codes.of(np.arange(4000).reshape(4, 1000) % 997, 1000)[:4]).tiles is not None


def test_every_choice_solves_the_same_problem(codes, tmp_path):
    X = codes.to_csr(np.float64)
    y = (np.arange(60) % 3).astype(np.int32)
    codes.save(tmp_path / "codes")
    found = [
        Solver(F).solve(Problem.of(F, y, loss_of("squared_hinge"), bias=1.0), tol=1e-5).objective
        for F in (codes, Codes.open(tmp_path / "codes"), Sparse.of(X), Dense(X.toarray()))
    ]
    for objective in found:
        np.testing.assert_allclose(objective, found[0], rtol=1e-4)


@pytest.mark.parametrize("name", ["squared_hinge", "hinge", "logistic"])
@pytest.mark.parametrize("form", ["codes", "dense"])
def test_columns_that_do_not_end_are_taken_over(codes, monkeypatch, name, form):
    F = codes if form == "codes" else Dense(codes.to_dense(np.float64))
    y = (np.arange(60) * 7 % 11 < 5).astype(np.int32)
    monkeypatch.setattr("unkernel.linear.solver.PATIENCE", 2)
    found = Solver(F).solve(Problem.of(F, y, loss_of(name), C=100.0, bias=1.0), tol=1e-3, polish=False)
    monkeypatch.setattr("unkernel.linear.solver.PATIENCE", 10_000)
    alone = Solver(F).solve(Problem.of(F, y, loss_of(name), C=100.0, bias=1.0), tol=1e-4, max_epochs=10_000)
    assert found.status == [Status.CONVERGED]
    assert found.objective[0] <= alone.objective[0] * (1 + 1.1e-3)
