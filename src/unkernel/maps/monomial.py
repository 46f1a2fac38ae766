"""Monomials up to a degree as features: what the Taylor and the polynomial map share."""

import math

import numpy as np
import scipy.sparse
from sklearn.utils.validation import check_is_fitted

from .._blocks import block_rows_for, map_blocks
from .._validate import InputError, check_choice, check_integer, check_seed
from ..features import Dense, Monomials, Sparse
from ..kernels.gram import free_bytes
from .base import Map
from .monomial_hot import hash_rows, write_rows
from .random import stream

MOST_DEGREE = 30  # of any monomial; features of more would be beyond counting anyway
WIDEST = 2**62  # columns that 64-bit indices can count, with room to spare
HASHED = "set n_components, for example 2**20, to hash monomials into that many columns"


class MonomialMap(Map):
    """All distinct monomials of the columns up to `degree`, each weighted by its degree and its multinomial number.

    With z = factor * x, the feature of the multiset with counts m_i and size k is

        scale(x) * weight_k * prod_i z_i^m_i / sqrt(m_i!)

    so that inner products are scale(u) scale(v) sum_k weight_k^2 <z_u, z_v>^k / k!. A row with s nonzeros has
    C(s + degree, degree) features; absent columns cost nothing. A member implements `kernel`, `_scale_rows` and
    `_weigh`, which gives the factor and the weights.
    """

    _scheme = "monomial-1"
    _tables = ("_offset", "_first")

    def _weigh(self, X) -> tuple[float, np.ndarray]:
        """The factor of the columns, and a weight for each degree from 0 on; learns scales from X."""
        raise NotImplementedError

    def _scale_rows(self, X) -> np.ndarray:
        """What multiplies all features of each row."""
        raise NotImplementedError

    def _check_sizes(self, X) -> None:
        """Refuse rows whose features would not be numbers, or would all be lost."""

    def cost(self, X) -> np.ndarray:
        """Nonzero features of each row: the multiplications it costs to make them, or to use them once.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)

        Returns
        -------
        ndarray of shape (n,), int64
        """
        check_is_fitted(self)
        return self._counts(self._rows(X, reset=False))

    def implicit(self, X) -> Monomials:
        """The same features, made by a learner row by row as it uses them and never kept.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)
        """
        check_is_fitted(self)
        if self.n_components is not None:
            raise InputError(
                f"n_components is {self.n_components}; hashed monomials are summed where they meet and so must be "
                "kept: use features(X), or drop n_components"
            )
        X = self._rows(X, reset=False)
        self._check_sizes(X)
        z, columns, indptr, scale, terms = self._scaled(X if scipy.sparse.issparse(X) else scipy.sparse.csr_array(X))
        return Monomials(z, columns, indptr, scale, terms, self._first, self._offset, self._n_features_out)

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Monomials as scikit-learn writes them, "1", "x0", "x0^2", "x0 x1"; numbers where columns are hashed.

        Parameters
        ----------
        input_features : array-like of str or None
        """
        check_is_fitted(self)
        if self.n_components is not None:
            return super().get_feature_names_out(input_features)
        from itertools import combinations_with_replacement

        from sklearn.utils.validation import _check_feature_names_in

        names, found = _check_feature_names_in(self, input_features), []
        for k in np.flatnonzero(self.weights_):
            for members in combinations_with_replacement(range(len(names)), int(k)):
                powers = [(names[j], members.count(j)) for j in sorted(set(members))]
                found.append(" ".join(name if m == 1 else f"{name}^{m}" for name, m in powers) or "1")
        return np.array(found, dtype=object)

    def _learn(self, X):
        self.seed_ = check_seed(self.random_state)
        self.scheme_ = self._scheme
        check_choice("output", self.output, ("auto", "sparse", "dense"))
        self.factor_, self.weights_ = self._weigh(X)
        full = sum(_multisets(X.shape[1], k) for k in np.flatnonzero(self.weights_))
        if self.n_components is None:
            if full > WIDEST:
                raise InputError(
                    f"{X.shape[1]} columns have {full:.2g} monomials up to degree {self.degree}, too many to number: "
                    f"{HASHED}, or lower degree"
                )
            self._n_features_out = full
        else:
            self._n_features_out = check_integer("n_components", self.n_components, least=1, most=2**31 - 1)
            if self.output == "dense":
                raise InputError('output is "dense" and n_components is set; hashed monomials are sparse: drop one')
        self.mean_cost_ = float(self._counts(X).mean())
        mostly = self.output == "auto" and self.n_components is None and self.mean_cost_ > full / 2
        dense = self.output == "dense" or mostly
        self.output_ = "dense" if dense else "sparse"

    def _tabulate(self):
        # N(i, m), the multisets of size m from i members, is a running sum of N(i, m - 1); modulo 2^64 where hashed.
        d, sizes = self.n_features_in_, [np.ones(self.n_features_in_, np.uint64), np.arange(self.n_features_in_)]
        for _ in range(2, len(self.weights_)):
            sizes.append(np.cumsum(sizes[-1].astype(np.uint64), dtype=np.uint64))
        self._offset = np.array([s[::-1].astype(np.uint64) for s in sizes]).view(np.int64)
        used = [_multisets(d, k) if w else 0 for k, w in enumerate(self.weights_)]
        begin = [sum(used[:k]) for k in range(len(used))]
        last = [b + u - (d if k else u) for k, (b, u) in enumerate(zip(begin, used, strict=True))]
        self._first = np.array([x % 2**64 for x in last], dtype=np.uint64).view(np.int64)

    def _counts(self, X) -> np.ndarray:
        """Nonzero features of each row before hashing, int64."""
        s = np.diff(X.indptr) if scipy.sparse.issparse(X) else np.count_nonzero(X, axis=1)
        most = int(s.max(initial=0))
        table = [sum(_multisets(i, k) for k in np.flatnonzero(self.weights_)) for i in range(most + 1)]
        if table[-1] > WIDEST:
            raise InputError(
                f"a row with {most} nonzeros has {table[-1]:.2g} monomials up to degree {self.degree}: lower degree"
            )
        return np.array(table, dtype=np.int64)[s]

    def _afford(self, X):
        self._check_sizes(X)
        counts = self._counts(X)
        if self.output_ == "dense":
            needed = X.shape[0] * self._n_features_out * X.dtype.itemsize
        else:
            needed = int(np.minimum(counts, self._n_features_out).sum()) * (X.dtype.itemsize + self._index.itemsize)
        free = free_bytes()
        if needed > free:
            raise InputError(
                f"{X.shape[0]} rows have {needed / 1e9:.1f} GB of monomials up to degree {self.degree} and "
                f"{free / 1e9:.1f} GB of memory are free; lower degree, transform fewer rows at once, or train on "
                "implicit(X), which makes them as they are used"
            )

    def _mapped(self, X, progress=None):
        if self.output_ == "dense" or self.n_components is not None:
            return super()._mapped(X, progress)
        self._afford(X)
        indptr = np.concatenate([[0], np.cumsum(self._counts(X))])  # sizes are known: threads write where rows belong
        whole = Sparse(np.empty(indptr[-1], X.dtype), np.empty(indptr[-1], self._index), indptr, self._n_features_out)
        z, columns, pointers, scale, terms = self._scaled(X if scipy.sparse.issparse(X) else scipy.sparse.csr_array(X))

        def write(rows):
            ends, shape = slice(rows.start, rows.stop + 1), (terms, self._first, self._offset)
            write_rows(z, columns, pointers[ends], scale[rows], *shape, indptr[ends], whole.data, whole.indices)

        map_blocks(
            write,
            X.shape[0],
            block_rows=block_rows_for(self._row_bytes(), X.shape[0], n_jobs=self.n_jobs),
            n_jobs=self.n_jobs,
            progress=progress,
        )
        return whole

    def _row_bytes(self):
        return max(1, int(self.mean_cost_ * 48))

    @property
    def _index(self) -> np.dtype:
        """Type of the columns: 32 bits while they fit."""
        return np.dtype(np.int32 if self._n_features_out <= np.iinfo(np.int32).max else np.int64)

    def _scaled(self, X) -> tuple[np.ndarray, ...]:
        """The rows as the loops take them: factor times CSR values, columns, pointers, scale of rows, weights."""
        terms = np.array([self.weights_, np.arange(len(self.weights_))])
        terms[1, 1:] **= -0.5
        z = (self.factor_ * X.data.astype(np.float64, copy=False)).astype(X.dtype, copy=False)
        return z, X.indices.astype(self._index), X.indptr.astype(np.int64), self._scale_rows(X), terms

    def _write(self, X, starts, data, out) -> None:
        X = X if scipy.sparse.issparse(X) else scipy.sparse.csr_array(X)  # one order of sums, whatever the form
        write_rows(*self._scaled(X), self._first, self._offset, starts, data, out)

    def _block(self, X):
        n, width = X.shape[0], self._n_features_out
        if self.output_ == "dense":  # rows without absent columns, so that features come in the order of columns
            dense = X.toarray() if scipy.sparse.issparse(X) else X
            columns, indptr = np.tile(np.arange(X.shape[1]), n), np.arange(n + 1) * X.shape[1]
            full = scipy.sparse.csr_array((dense.ravel(), columns, indptr), shape=X.shape)
            data = np.empty((n, width), X.dtype)
            self._write(full, np.arange(n + 1) * width, data.ravel(), np.empty(n * width, self._index))
            return Dense(data)
        starts = np.concatenate([[0], np.cumsum(self._counts(X))])
        data = np.empty(starts[-1], X.dtype)
        if self.n_components is None:
            out = np.empty(starts[-1], self._index)
            self._write(X, starts, data, out)
            return Sparse(data, out, starts, width)
        X = X if scipy.sparse.issparse(X) else scipy.sparse.csr_array(X)
        out, where = np.empty(starts[-1], np.int64), np.zeros(width, np.int64)
        seed = np.uint64(stream(self.seed_, 0))
        z, columns, *rest = self._scaled(X)
        hash_rows(z, columns.astype(np.int64), *rest, self._first, self._offset, seed, where, data, out, starts)
        return Sparse(data[: starts[-1]], out[: starts[-1]].astype(self._index), starts, width)


def _multisets(n: int, size: int) -> int:
    """How many multisets of a size n members have."""
    return math.comb(n + int(size) - 1, int(size)) if size else 1
