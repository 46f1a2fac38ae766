"""Least squares on landmarks: the kernel machine whose sums run over some rows while all rows teach it.

    f(x) = sum_j a_j K(x, z_j),    min over a   sum_i w_i (y_i - f(x_i))^2 + ridge a' K_zz a

Only K' W K and K' W Y of blocks of rows are kept, so memory does not grow with the rows. The ridge of the race, which
saw few rows, is tried again with its neighbours on rows held back, which join for the last solution.
"""

from time import perf_counter
from typing import Any

import numpy as np
import scipy.linalg

from .._blocks import map_tasks, one_blas_thread, row_blocks
from ..report.words import seconds_in_words
from .machine import ExactMachine, Tell, apart
from .scaling import Scale
from .selection import RIDGES, Target, mean_diagonal, order

MOST, LEAST = 4096, 1024  # landmarks
WORK = 2e12  # rows times squared landmarks that a fit may cost: half a minute of one core
BLOCK_ROWS = 4096
PANEL = 512
RANGE = 10.0 ** np.arange(-2, 1.1, 0.5)  # ridges tried, in units of the race's


def landmarks_for(rows: int) -> int:
    """How many landmarks a fit on so many rows takes: 4,096, fewer beyond 119,000 rows.

    Examples
    --------
    >>> landmarks_for(50_000), landmarks_for(200_000), landmarks_for(1_000_000)
    (4096, 3072, 1280)
    """
    return int(np.clip(np.sqrt(WORK / rows) // 256 * 256, LEAST, MOST))


class LandmarkMachine(ExactMachine):
    """Scores as `ExactMachine`, over landmarks instead of all rows.

    Cost: rows * landmarks kernel values and as many times `landmarks` multiplications; memory of 4 landmarks^2 numbers.

    Attributes
    ----------
    basis_ : landmarks, scaled
    dual_ : ndarray of shape (landmarks, q)
    left_out_ : ndarray of shape (held, q) or None
        Scores of the rows held back, by the model of the others; None where rows are few.
    held_ : ndarray of shape (held,)
        Those rows.

    References
    ----------
    Rudi, Carratino and Rosasco, "FALKON: an optimal large scale kernel method", 2017, whose problem this is.
    """

    def __init__(self, scale: Scale, kernel: Any, ridge: float, n_landmarks: int, seed: int = 0):
        super().__init__(scale, kernel, ridge)
        self.n_landmarks, self.seed = n_landmarks, seed

    def fit(self, X, target: Target, *, n_jobs: int | None = None, tell: Tell | None = None) -> "LandmarkMachine":
        """Solve on these rows, a block at a time; `tell` hears the share done and what is left."""
        m = min(self.n_landmarks, len(target.Y) // 2)
        basis = np.sort(order(target, self.seed)[:m])
        taught, self.held_ = apart(target, self.seed)
        self.scale_ = self.scale.fit(X)
        self.basis_ = self.scale_.transform(X[basis]).astype(np.float32)
        self.kernel_ = self.kernel.fit(self.basis_)
        K = np.asarray(self.kernel_(self.basis_, n_jobs=n_jobs), dtype=np.float64)
        self.unit_ = mean_diagonal(K)
        K += self.unit_
        with one_blas_thread():  # or the bits would depend on n_jobs
            G, R = self._sums(X, target, taught, n_jobs, tell)
        if len(self.held_):
            held, H = target.of(self.held_), self._against(X[self.held_], n_jobs)
            self.ridge, self.left_out_ = self._best_ridge(K, G, R, H, held)
            H = H.astype(np.float64)
            G += (H * held.weight[:, None]).T @ H
            R += H.T @ (held.weight[:, None] * held.Y)
        self.dual_ = solved(K, G, R, self.ridge * self.unit_).astype(np.float32)
        return self

    def _against(self, X, n_jobs) -> np.ndarray:
        """Kernel of canonical rows and landmarks, the intercept's column in it."""
        part = self.scale_.transform(X).astype(np.float32)
        return self.kernel_(part, self.basis_, n_jobs=n_jobs) + np.float32(self.unit_)

    def _sums(self, X, target: Target, taught, n_jobs, tell):
        """K' W K and K' W Y over rows `taught`."""
        m = self.basis_.shape[0]
        G, R = np.zeros((m, m)), np.zeros((m, target.Y.shape[1]))
        start = perf_counter()
        for block in row_blocks(len(taught), BLOCK_ROWS):
            rows = taught[block]
            B = self._against(X[rows], n_jobs).astype(np.float64)
            weighed = B if (target.weight[rows] == 1).all() else B * target.weight[rows, None]
            add_products(G, weighed, B, n_jobs)
            R += weighed.T @ target.Y[rows]
            if tell:
                share = block.stop / len(taught)
                left = seconds_in_words((perf_counter() - start) * (1 / share - 1))
                tell(share, f"{m:,} landmarks, {len(taught):,} rows, about {left} left")
        return np.triu(G) + np.triu(G, 1).T, R

    def _best_ridge(self, K, G, R, H, held: Target) -> tuple[float, np.ndarray]:
        """The ridge whose solution does best on the rows held back, and its scores of them."""
        tried = []
        for ridge in np.unique(np.clip(self.ridge * RANGE, RIDGES[0], RIDGES[-1]))[::-1]:
            scores = (H @ solved(K, G, R, ridge * self.unit_).astype(np.float32)).astype(np.float64)
            tried.append((np.average(held.blurred(scores), weights=held.weight), ridge, scores))
        _, ridge, scores = min(tried, key=lambda found: found[0])  # the strongest of equals
        return float(ridge), scores


def solved(K: np.ndarray, G: np.ndarray, R: np.ndarray, ridge: float) -> np.ndarray:
    """(G + ridge K)^-1 R, with a diagonal that rounding asks for."""
    A = G + ridge * K
    A[np.diag_indices_from(A)] += 1e-10 * np.trace(A) / len(A)
    return scipy.linalg.solve(A, R, assume_a="pos", overwrite_a=True, check_finite=False)


def add_products(G: np.ndarray, A: np.ndarray, B: np.ndarray, n_jobs: int | None = None) -> None:
    """G += A' B, its upper triangle by panels, which are the tasks."""

    def work(panel: slice) -> None:
        G[panel, panel.start :] += A[:, panel].T @ B[:, panel.start :]

    map_tasks(work, row_blocks(len(G), PANEL), n_jobs=n_jobs)
