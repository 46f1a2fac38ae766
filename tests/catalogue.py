"""One row per member of a family. A row enrols its member in every law of `tests/laws`."""

from typing import Any, NamedTuple

import numpy as np

# Kinds of data a member accepts, each a function of (seed) giving 40 rows or so, with a zero row and equal rows.


def signed(seed=0, n=40, d=7):
    """Real numbers of both signs, a third of them zero."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.67)
    X[3], X[5] = X[4], 0
    return X


def nonnegative(seed=0, n=40, d=7):
    """Counts and amounts: no negative value."""
    return np.abs(signed(seed, n, d))


class KernelRow(NamedTuple):
    """An exact kernel, its naive twin on one pair of rows, and the data it takes."""

    make: Any  # () -> kernel
    naive: Any  # (u, v) -> float
    data: Any = signed
    semidefinite: bool = True


class MapRow(NamedTuple):
    """A map, and how its estimates scatter about its kernel."""

    make: Any  # (n_components, random_state) -> unfitted map
    data: Any = signed
    variance: Any = None  # (K, n_components) -> variance of one estimate, where theory gives one
    bias: float = 0.0  # published bound of |E[estimate] - K|, where the map is not unbiased


KERNELS: dict[str, KernelRow] = {}
MAPS: dict[str, MapRow] = {}
LEARNERS: dict[str, Any] = {}

# --- kernels

# --- maps

# --- learners


def _classifier(loss):
    def make(**options):
        from unkernel import LinearClassifier

        return LinearClassifier(loss, **options)

    return make


for _loss in ("squared_hinge", "hinge", "logistic"):
    LEARNERS[f"LinearClassifier({_loss})"] = _classifier(_loss)
