"""Which solver solves: prepared once for the features, asked for every set of columns.

1. Codes in memory with few enough levels in use are put into tiles: `tile_cd`.
2. All else is solved by `dual_cd`, row by row.
"""

from mmap import mmap

import numpy as np

from ..features import Codes, Features
from . import dual_cd, tile_cd
from .base import Problem, Solution
from .tiles import tile


class Solver:
    """Features made ready for as many solutions as wanted.

    Parameters
    ----------
    F : Codes, Sparse or Dense
    seed : int
        Orders of rows are a function of it.
    n_jobs : int or None

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import Codes
    >>> from unkernel.linear.losses import loss_of
    >>> F = Codes.of(np.array([[0, 1, 3], [0, 1, 2], [2, 2, 0], [2, 3, 0]]), levels=4)
    >>> problem = Problem.of(F, np.array([0, 0, 1, 1], dtype=np.int32), loss_of("hinge"), C=10.0)
    >>> Solver(F).solve(problem).status
    [<Status.CONVERGED: 'The relative duality gap is within tol.'>]
    """

    def __init__(self, F: Features, *, seed: int = 0, n_jobs: int | None = None):
        self.seed = seed
        self.n_jobs = n_jobs
        in_memory = isinstance(F, Codes) and not _mapped(F.codes)
        self.tiles = tile(F, seed=seed, n_jobs=n_jobs) if in_memory else None

    def solve(
        self,
        problem: Problem,
        *,
        tol: float = 1e-3,
        max_epochs: int = 1000,
        start: np.ndarray | None = None,
        polish: bool = True,
    ) -> Solution:
        """Solve every column of a problem on the features given; arguments as for `dual_cd.solve`."""
        settings = {"tol": tol, "max_epochs": max_epochs, "start": start, "polish": polish}
        if self.tiles is not None:
            return tile_cd.solve(problem, self.tiles, seed=self.seed, n_jobs=self.n_jobs, **settings)
        return dual_cd.solve(problem, seed=self.seed, n_jobs=self.n_jobs, **settings)


def _mapped(a) -> bool:
    """Whether an array is read from a file as it is used."""
    while a is not None:
        if isinstance(a, np.memmap | mmap):
            return True
        a = getattr(a, "base", None)
    return False
