"""Few rows: codes are compared bit by bit as one by one, and descent on them is descent on rows."""

import numpy as np
import pytest

import naive
from unkernel import Codes
from unkernel.linear import gram_cd, tile_cd
from unkernel.linear.base import Problem, Status, certify
from unkernel.linear.gram_cd import Few
from unkernel.linear.losses import CLASSIFIERS, REGRESSORS, loss_of
from unkernel.linear.tiles import tile


def codes(n=40, k=70, levels=9, dtype=None):
    rng = np.random.default_rng(0)
    values = rng.integers(0, levels, (n, k))
    values[3] = values[8]
    return Codes.of(values if dtype is None else values.astype(dtype), levels, filled=np.arange(n) != 7)


@pytest.mark.hot
@pytest.mark.parametrize(("k", "levels"), [(5, 2), (70, 9), (128, 300)])
def test_rows_are_compared_as_one_by_one_and_may_join_later(k, levels):
    F = codes(k=k, levels=levels)
    few = Few(F, tile(F) or stand_in(F))
    few.admit(np.arange(0, 21))
    few.admit(np.arange(11, 37))
    assert sorted(few.kept) == list(range(37))
    rows = few.tiles.row[few.kept]
    meant = np.array(naive.equal_codes(F.codes[rows].tolist())) * F.filled[rows] * F.filled[rows][:, None]
    np.testing.assert_array_equal(few.alike[:37, :37], meant)


def stand_in(F):
    """Tiles of codes that have too many levels for them: only what is asked of them here."""
    plain = tile(Codes.of(F.codes % 2, 2, filled=F.filled))
    return plain._replace(origin=np.arange(len(plain.origin)))


def test_without_room_those_here_make_way(monkeypatch):
    monkeypatch.setattr(gram_cd, "LEAST_BYTES", 2 * 32**2)
    F = codes()
    few = Few(F, tile(F))
    few.admit(np.arange(20))
    few.admit(np.arange(15, 35))
    np.testing.assert_array_equal(few.kept, np.arange(15, 35))


@pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)
@pytest.mark.parametrize("room", [0, 48, 1000])
def test_solutions_do_not_depend_on_the_room(name, room, monkeypatch):
    rng = np.random.default_rng(1)
    F = Codes.of(rng.integers(0, 16, (400, 20)), 16)
    numbers = F.to_csr(np.float64) @ rng.normal(size=F.shape[1]) + 0.2 * rng.normal(size=400)
    loss = loss_of(name)
    y = (numbers > 0.3).astype(np.int32) if loss.classifies else numbers
    problem = Problem.of(F, y, loss, 5.0, bias=1.0, weight=rng.choice([0.0, 1.0, 2.0], 400))
    usual = tile_cd.solve(problem, tile(F), tol=1e-5)
    monkeypatch.setattr(gram_cd, "LEAST_BYTES", 2 * room**2)
    monkeypatch.setattr(gram_cd, "JOIN", 16)
    found = tile_cd.solve(problem, tile(F), tol=1e-5)
    assert found.status == [Status.CONVERGED]
    np.testing.assert_allclose(found.objective, usual.objective, rtol=2e-5)
    np.testing.assert_allclose(certify(problem, found.W, found.v, found.dual)[1], found.gap, atol=3e-6)
