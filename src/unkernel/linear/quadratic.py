"""The quadratic model of a step of Newton on a small working set, written out and minimised exactly.

    min over d   1/2 d'Gd + g'd + penalty(w + d)        G = A' diag(h) A,  A the set's columns and the intercept's

Passes of coordinate descent find out which weights are zero. Where weights are lone, a linear system then gives the
rest: passes alone are slow on columns that resemble each other.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse

from .column import CodeColumns, Columns, DenseColumns
from .penalty import Penalty
from .quadratic_hot import descend, gram_codes, gram_sparse

WIDEST = 1200  # columns of a working set whose matrix is written out
ROUNDS = 40
PASSES = 20
CROSSINGS = 20  # weights that may become zero between passes
RIDGE = 1e-12


class Crop(NamedTuple):
    """The columns of a working set, with the intercept's last where there is one.

    Parameters
    ----------
    A : CSR, ndarray or CodeColumns with codes (n, p)
    columns : ndarray of shape (m,)
        Which column of the features each is, without the intercept.
    starts, size, lone
        The penalty on these columns, as in `Penalty`.
    bias : float
    """

    A: scipy.sparse.csr_array | np.ndarray | CodeColumns
    columns: np.ndarray
    starts: np.ndarray
    size: np.ndarray
    lone: bool
    bias: float

    def gram(self, h: np.ndarray) -> np.ndarray:
        """A' diag(h) A, the intercept's row and column with it."""
        m = len(self.columns)
        if isinstance(self.A, np.ndarray):
            G = np.zeros((m + 1, m + 1))
            G[:m, :m] = (self.A * h) @ self.A.T
            edge = self.A @ h
        elif isinstance(self.A, CodeColumns):
            G, edge = np.zeros((m + 1, m + 1)), np.empty(m)
            gram_codes(*self.A, h, G)
            for j, codes in enumerate(self.A.codes.T):
                at = slice(j * self.A.levels, (j + 1) * self.A.levels)
                edge[at] = np.bincount(codes, h * self.A.size, self.A.levels)
        else:
            G = np.zeros((m + 1, m + 1))
            gram_sparse(self.A.indptr, self.A.indices, self.A.data, h, G)
            edge = self.A.T @ h
        G += np.tril(G, -1).T if not isinstance(self.A, np.ndarray) else 0.0
        if not self.bias:
            return np.ascontiguousarray(G[:m, :m])
        G[m, :m] = G[:m, m] = self.bias * edge
        G[m, m] = self.bias**2 * h.sum()
        return G

    def slopes(self, r: np.ndarray) -> np.ndarray:
        """A' r."""
        if isinstance(self.A, CodeColumns):
            parts = [np.bincount(codes, r * self.A.size, self.A.levels) for codes in self.A.codes.T]
            g = np.concatenate(parts)
        else:
            g = self.A @ r if isinstance(self.A, np.ndarray) else self.A.T @ r
        return np.append(g, self.bias * r.sum()) if self.bias else g

    def change(self, d: np.ndarray) -> np.ndarray:
        """A d: what the predictions change by."""
        m = len(self.columns)
        if isinstance(self.A, CodeColumns):
            at = self.A.codes + self.A.levels * np.arange(self.A.codes.shape[1])
            f = d[at].sum(axis=1) * self.A.size
        else:
            f = self.A.T @ d[:m] if isinstance(self.A, np.ndarray) else self.A @ d[:m]
        return f + self.bias * d[m] if self.bias else f


def crop(F: Columns, penalty: Penalty, units: np.ndarray, n: int, bias: float) -> Crop | None:
    """The columns of some units, or None where they are too many to write out."""
    counts = np.diff(penalty.starts)[units]
    if counts.sum() > WIDEST:
        return None
    columns = np.concatenate([penalty.columns[penalty.starts[u] : penalty.starts[u + 1]] for u in units])
    if isinstance(F, DenseColumns):
        A = F.values[columns].astype(np.float64)
    elif isinstance(F, CodeColumns):
        A = CodeColumns(np.ascontiguousarray(F.codes[units].T), F.size, F.levels)
    else:
        whole = scipy.sparse.csc_array((F.data, F.rows, F.indptr), shape=(n, len(F.indptr) - 1))
        A = scipy.sparse.csr_array(whole[:, columns]).astype(np.float64)
    starts, size = np.concatenate([[0], np.cumsum(counts)]), penalty.size[units]
    if bias:
        starts, size = np.append(starts, starts[-1] + 1), np.append(size, penalty.intercept)
    return Crop(A, columns, starts, size, penalty.lone, bias)


def minimise(part: Crop, G: np.ndarray, g: np.ndarray, w: np.ndarray, eps: float) -> np.ndarray:
    """Weights at the minimum of the model, from w, until no unit misses its condition by more than eps."""
    G = G + np.diag(np.full(len(G), RIDGE * max(np.trace(G), 1e-300)))
    H, size = _steepness(part, G), np.repeat(part.size, np.diff(part.starts))
    q, w = g.copy(), w.copy()
    for _ in range(ROUNDS):
        if descend(G, H, part.starts, part.size, part.lone, q, w, eps, PASSES) <= eps:
            break
        if part.lone:
            _finish(G, size, q, w)
    return w


def _steepness(part: Crop, G: np.ndarray) -> np.ndarray:
    """Curvature of each weight, or of the whole unit where a unit's weights hang together."""
    H = np.diag(G).copy()
    if part.lone or isinstance(part.A, CodeColumns):
        return H
    for a, b in zip(part.starts[:-1], part.starts[1:], strict=True):
        if b - a > 1:
            H[a:b] = np.linalg.eigvalsh(G[a:b, a:b])[-1] * (1 + 1e-9)
    return H


def _finish(G: np.ndarray, size: np.ndarray, q: np.ndarray, w: np.ndarray) -> None:
    """Solve for the weights that are not zero, their signs kept: as far as the first that would change its sign."""
    for _ in range(CROSSINGS):
        used = np.flatnonzero((w != 0) | (size == 0))
        if not len(used):
            return
        now, sign = w[used], np.sign(w[used])
        step = np.linalg.solve(G[np.ix_(used, used)], -(q[used] + size[used] * sign))
        crosses = (sign * (now + step) <= 0) & (size[used] > 0)
        t = float(np.min(-now[crosses] / step[crosses], initial=1.0))
        w[used] = now + t * step
        if crosses.any():
            first = np.flatnonzero(crosses)[np.argmin(-now[crosses] / step[crosses])]
            w[used[first]] = 0.0
        q += G[:, used] @ (w[used] - now)
        if not crosses.any():
            return
