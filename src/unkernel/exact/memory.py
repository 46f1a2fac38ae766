"""What learning takes, in Gram matrices, so that it is refused before any work and not killed half-way."""

import numpy as np

from .._validate import InputError, count_threads
from ..kernels import gram
from ..kernels.base import Kernel
from .base import Targets
from .folds import Split
from .grid import shaping

CACHE = 500  # MB that LIBSVM may keep of one problem
WORK = 2.0  # Gram matrices that an eigendecomposition in place works with


def refuse_beyond(kernel: Kernel, n: int, grams: float) -> None:
    """Refuse n rows whose learning takes more Gram matrices than memory holds."""
    needed, free = grams * n * n * 8, gram.free_bytes()
    if needed > free:
        raise InputError(
            f"learning from {n} rows takes {needed / 1e9:.1f} GB, {grams:.1f} Gram matrices of {n} x {n} at its peak, "
            f"and {free / 1e9:.1f} GB of memory are free; {kernel._refusal()}, or give fewer rows"
        )


def of_fit(targets: Targets, n_jobs: int | None) -> float:
    """Gram matrices at the peak of a fit at one C."""
    n = len(targets.y)
    return 1 + (1.0 if targets.loss == "squared" else _of_machines(targets, n_jobs) / n**2)


def of_search(
    kernel: Kernel, grid: dict[str, list], targets: Targets, splits: list[Split], n_jobs: int | None
) -> float:
    """Gram matrices at the peak of a search; no splits mean that every row is left out alone."""
    n = len(targets.y)
    leaves = _leaves(kernel, grid)
    shares = len(shaping(kernel, grid)) < len(grid)
    making = 2 * leaves + 1 if shares else 1  # the bases, and finished members with what their formulas work in
    scoring = [WORK] if not splits else [_of_fold(targets, *split, n_jobs) / n**2 for split in splits]
    return max(making, 1 + (leaves if shares else 0) + max(scoring))


def _of_fold(targets: Targets, train: np.ndarray, test: np.ndarray, n_jobs: int | None) -> float:
    """Values held for one fold beside the whole Gram matrix."""
    m = len(train)
    machines = WORK * m**2 if targets.loss == "squared" else _of_machines(targets.of(train), n_jobs)
    return m**2 + m * len(test) + machines


def _of_machines(targets: Targets, n_jobs: int | None) -> float:
    """Values that support vector machines hold beside their Gram matrix: copies of it, and LIBSVM's cache."""
    n, q = targets.y.shape
    sizes = np.sort(targets.counted.sum(axis=0))[::-1][: min(count_threads(n_jobs), q)].astype(float)
    copies = np.where((sizes < n) | (targets.loss == "squared_hinge"), sizes**2, 0)
    return float(np.sum(copies + np.minimum(sizes**2 / 2, CACHE * 2**20 / 8)))


def _leaves(kernel: Kernel, grid: dict[str, list], name: str = "") -> int:
    """Simple kernels that a kernel is made of, the most that a grid makes of it."""
    tried = [value for value in grid.get(name, []) if isinstance(value, Kernel)] if name else []
    return max(
        sum(_leaves(getattr(k, side), grid, f"{name}__{side}" if name else side) for side in ("left", "right"))
        if hasattr(k, "left")
        else 1
        for k in (tried or [kernel])
    )
