"""Which solver solves: prepared once for the features, asked for every set of columns.

1. Codes mapped from a file of more than 32 MiB are read a block at a time: `block_cd`. Smaller files are read whole.
2. Codes in memory with few enough levels in use are put into tiles: `tile_cd`.
3. Dense features of more than 8 MiB are solved by `dense_cd`: a row is read once for all columns.
4. All else is solved by `dual_cd`, row by row.
5. Columns of 2 to 4 that 300 passes (LIBLINEAR's patience; small problems take all passes allowed) do not bring within
   tol, or that stall, are taken over by `direct` where its linear systems have at most 3,000 unknowns.
6. What is then still open goes to `newton` where the loss is smooth; else it goes on with what passes are left.
"""

from mmap import mmap

import numpy as np

from ..features import Codes, Dense, Features
from . import block_cd, dense_cd, direct, dual_cd, newton, tile_cd
from .base import Problem, Solution, Status
from .tiles import tile

PATIENCE = 300


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
        codes = isinstance(F, Codes)
        self.in_blocks = codes and F.nbytes > block_cd.BLOCK_BYTES and _mapped(F.codes)
        self.tiles = tile(F, seed=seed, n_jobs=n_jobs) if codes and not self.in_blocks else None

    def solve(
        self,
        problem: Problem,
        *,
        tol: float = 1e-3,
        max_epochs: int = 1000,
        start: np.ndarray | tuple[np.ndarray, np.ndarray] | None = None,
        polish: bool = True,
    ) -> Solution:
        """Solve every column of a problem on the features given; arguments as for `tile_cd.solve`."""
        settings = {"tol": tol, "max_epochs": max_epochs, "start": start, "polish": polish}
        if self.in_blocks:
            dual = start[0] if isinstance(start, tuple) else start
            alike = {"seed": self.seed, "n_jobs": self.n_jobs}
            return block_cd.solve(problem, tol=tol, max_epochs=max_epochs, start=dual, **alike)
        small = polish and problem.F.nbytes * PATIENCE < dual_cd.POLISH_WORK
        if max_epochs <= PATIENCE:
            return self._descend(problem, **settings)
        first = self._descend(problem, **settings | {"max_epochs": max_epochs if small else PATIENCE})
        open_ = _open(first)
        if len(open_) and not problem.stopped:
            rest, begin = problem.column(open_), first.dual[:, open_]
            first = _better(first, direct.solve(rest, tol=tol, start=begin, n_jobs=self.n_jobs), open_)
            open_ = _open(first)
        if small or not len(open_) or problem.stopped:
            return first
        rest, left = problem.column(open_), max_epochs - PATIENCE
        if problem.loss.smooth:
            start = np.vstack([first.W, first.v])[:, open_]
            second = newton.solve(rest, tol=tol, max_epochs=left, start=start, n_jobs=self.n_jobs)
        else:
            second = self._descend(rest, **settings | {"max_epochs": left, "start": first.dual[:, open_]})
        return _better(first, second, open_)

    def _descend(self, problem: Problem, **settings) -> Solution:
        """Dual coordinate descent on what the features are ready for."""
        if self.tiles is not None:
            return tile_cd.solve(problem, self.tiles, seed=self.seed, n_jobs=self.n_jobs, **settings)
        if isinstance(settings["start"], tuple):
            settings["start"] = settings["start"][0]  # these find the weights themselves
        if isinstance(problem.F, Dense) and problem.F.nbytes > dense_cd.LEAST_BYTES:
            settings.pop("polish")
            return dense_cd.solve(problem, seed=self.seed, n_jobs=self.n_jobs, **settings)
        return dual_cd.solve(problem, seed=self.seed, n_jobs=self.n_jobs, **settings)


def _open(solution: Solution) -> np.ndarray:
    """Columns that stopped short of tol and may go on."""
    return np.flatnonzero([status in (Status.OUT_OF_EPOCHS, Status.STALLED) for status in solution.status])


def _better(first: Solution, second: Solution, columns: np.ndarray) -> Solution:
    """The first solution with the second in some columns, where its gap is smaller; passes are added."""
    first.n_epochs[columns] += second.n_epochs
    won = second.gap < first.gap[columns]
    for whole, part in zip(first, second, strict=True):
        if isinstance(whole, np.ndarray) and whole is not first.n_epochs and part is not None:
            whole[..., columns[won]] = part[..., won]
    for j, k in zip(columns[won], np.flatnonzero(won), strict=True):
        first.status[j] = second.status[k]
    return first if second.decided is not None else first._replace(decided=None)


def _mapped(a) -> bool:
    """Whether an array is read from a file as it is used."""
    while a is not None:
        if isinstance(a, np.memmap | mmap):
            return True
        a = getattr(a, "base", None)
    return False
