"""Landmarks: features that reproduce any kernel exactly on a few chosen rows, and nearly so around them."""

import warnings
from typing import Any

import numpy as np
import scipy.sparse
from scipy.linalg import lapack
from sklearn.utils.validation import check_is_fitted

from .._validate import InputError, check_choice, check_integer, check_matrix, check_seed
from ..features import Dense
from ..kernels.base import Kernel
from ..kernels.gaussian import RBF
from .base import Map
from .random import bits, stream, uniforms

CANDIDATES = 20  # rows looked at per landmark, where a choice looks at rows at all
KMEANS_ROUNDS = 10
PANEL = 128  # columns of the triangle multiplied at once


class LandmarkMap(Map):
    """Features phi(x) = T' K(landmarks, x), where T T' inverts the Gram matrix of the landmarks: Nystroem's method.

    Inner products equal the kernel wherever one of the two rows is a landmark, and are its projection onto the
    landmarks elsewhere. Features are as many as landmarks and depend on the data, so they are fewer than those of the
    random maps for the same error where the rows are moderately many. T is triangular (Cholesky), so that the
    features of the first m landmarks are the first m features: `extend` adds landmarks and keeps the features there.

    Parameters
    ----------
    kernel : kernel or None
        Any kernel of this library, products and sums too; None is `RBF()`, with gamma from the rows of `fit`.
    n_components : int, default=256
        Landmarks; at most the rows given to `fit`.
    landmarks : "uniform", "kmeans", "leverage" or array-like of shape (m, d), default="uniform"
        Rows at random; centres of a short k-means that starts there; rows at random, more often those that the
        others do not explain (ridge leverage scores); or the landmarks themselves.
    random_state : int, RandomState, Generator or None
    n_jobs : int or None
        Threads, as in joblib.

    Attributes
    ----------
    kernel_ : kernel
        With every scale settled.
    landmarks_ : ndarray or CSR of shape (m, d)
    indices_ : ndarray of shape (m,), or None
        Which rows of `fit` the landmarks are, where they are rows.
    triangle_ : ndarray of shape (m, m)
        T, upper triangular.
    jitter_ : float
        What was added to the diagonal of the Gram matrix.

    Notes
    -----
    `fit` costs m^2 kernel values and m^3 / 2 multiplications, a row m kernel values and m^2 / 2 multiplications.
    "kmeans" and "leverage" look at 20 rows per landmark at most.

    References
    ----------
    Williams and Seeger, Using the Nystroem Method to Speed Up Kernel Machines, 2001.
    Musco and Musco, Recursive Sampling for the Nystroem Method, 2017, for "leverage".

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import GMM, LandmarkMap
    >>> X = np.random.default_rng(0).normal(size=(50, 4))
    >>> phi = LandmarkMap(GMM(), 30, random_state=0).fit(X)
    >>> Z = phi.transform(X)
    >>> Z.shape, bool(np.allclose(Z[phi.indices_] @ Z.T, GMM()(X[phi.indices_], X)))
    ((50, 30), True)
    """

    kernel: Any = None  # a property of other maps; this one is given its kernel
    _tables = ("_against", "_narrow")
    _scheme = "landmark-1"

    def __init__(
        self,
        kernel: Kernel | None = None,
        n_components: int = 256,
        *,
        landmarks: Any = "uniform",
        random_state: Any = None,
        n_jobs: int | None = None,
    ):
        self.kernel = kernel
        self.n_components = n_components
        self.landmarks = landmarks
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def _nonnegative(self) -> str | None:
        return getattr(self.kernel, "_nonnegative", None)

    def extend(self, rows) -> "LandmarkMap":
        """Append landmarks. The features there are stay as they are; each new landmark adds one.

        Costs what the new part of the triangle costs, O(m^2 q) multiplications, not a new fit.

        Parameters
        ----------
        rows : array-like or sparse of shape (q, d)
        """
        check_is_fitted(self)
        _check_some("rows", rows, self.n_features_in_)
        new = self._rows(rows, reset=False)
        self._grow(self.landmarks_, new)
        self.landmarks_ = _stack(self.landmarks_, new.astype(self.landmarks_.dtype, copy=False))
        if self.indices_ is not None:
            self.indices_ = np.append(self.indices_, np.full(new.shape[0], -1))
        self._tabulate()
        return self

    def _learn(self, X):
        self.seed_, self.scheme_ = check_seed(self.random_state), self._scheme
        kernel = RBF() if self.kernel is None else self.kernel
        if not isinstance(kernel, Kernel):
            raise InputError(f"kernel is {kernel!r}; a kernel object is needed, such as RBF() or GMM() * Acos()")
        check_integer("n_components", self.n_components, least=1)
        self.landmarks_, self.indices_ = self._choose(X, kernel)
        self.triangle_, self.jitter_ = np.empty((0, 0)), 0.0
        self._grow(None, self.landmarks_)

    def _tabulate(self) -> None:
        self._n_features_out = self.landmarks_.shape[0]
        self._against = self.kernel_._onto(self.landmarks_)
        self._narrow = self.triangle_.astype(np.float32)

    def _choose(self, X, kernel) -> tuple[Any, np.ndarray | None]:
        """Landmarks, and which rows they are; settles the kernel."""
        if not isinstance(self.landmarks, str):
            _check_some("landmarks", self.landmarks, X.shape[1])
            given = check_matrix(
                self.landmarks, name="landmarks", nonnegative=self._nonnegative, n_columns=X.shape[1], dtypes=(X.dtype,)
            )
            self.kernel_ = kernel._settled(X if X.shape[0] > 1 else given)
            return given, None
        check_choice("landmarks", self.landmarks, ("uniform", "kmeans", "leverage"))
        self.kernel_ = kernel._settled(X)
        m = min(self.n_components, X.shape[0])
        order = np.argsort(bits(stream(self.seed_, 0), np.arange(X.shape[0]), 0), kind="stable")
        if self.landmarks == "uniform" or m == X.shape[0]:
            return X[order[:m]], order[:m]
        candidates = order[: CANDIDATES * m]
        if self.landmarks == "kmeans":
            return _centres(X[candidates], m), None
        scores = self._leverage(X, candidates, m)
        keys = -np.log(uniforms(stream(self.seed_, 1), candidates, 0)) / scores  # the m first of races at these speeds
        chosen = candidates[np.argsort(keys, kind="stable")[:m]]
        return X[chosen], chosen

    def _leverage(self, X, candidates, m) -> np.ndarray:
        """Ridge leverage score of each candidate under the first m; the ridge is what m / 2 directions leave."""
        pilot = LandmarkMap(self.kernel_, m, landmarks=X[candidates[:m]], n_jobs=self.n_jobs).fit(X[candidates[:m]])
        Z = pilot.features(X[candidates]).values.astype(np.float64)
        missed = np.maximum(self.kernel_._diagonal(X[candidates]) - np.einsum("ij,ij->i", Z, Z), 0)
        S = Z.T @ Z
        spectrum = np.linalg.eigvalsh(S)
        half = max(1, m // 2)
        ridge = max((spectrum[: m - half].sum() + missed.sum()) / half, np.finfo(np.float64).eps * spectrum[-1])
        R = np.linalg.cholesky(S + ridge * np.eye(m))
        return np.sum(np.linalg.solve(R, Z.T) ** 2, axis=0) + missed / ridge + 1e-12

    def _grow(self, old, new) -> None:
        """Append to the triangle the part of new landmarks, in float64 whatever the rows are."""
        narrowest, T, n_jobs = np.finfo(new.dtype).eps, self.triangle_, self.n_jobs
        new = new.astype(np.float64)
        K = self.kernel_(new, n_jobs=n_jobs)
        m, q = len(T), len(K)
        cross = np.empty((q, 0)) if old is None else self.kernel_(new, old.astype(np.float64), n_jobs=n_jobs) @ T
        corner, jitter = _inverse_triangle(K - cross @ cross.T, narrowest * (np.diag(K).mean() or 1.0))
        self.triangle_ = np.zeros((m + q, m + q))
        self.triangle_[:m, :m], self.triangle_[m:, m:] = T, corner
        self.triangle_[:m, m:] = -T @ (cross.T @ corner)
        self.jitter_ = max(self.jitter_, jitter)

    def _block(self, X):
        K = self._against(X)
        Z = _times_triangle(K, self._narrow if K.dtype == np.float32 else self.triangle_)
        return Dense(Z.astype(X.dtype, copy=False))


def _check_some(name: str, rows: Any, d: int) -> None:
    """Refuse what is no row, or one row without its brackets."""
    shape = rows.shape if hasattr(rows, "shape") else np.array(rows, dtype=object).shape
    if len(shape) != 2 or shape[0] == 0:
        raise InputError(
            f"{name} has shape {tuple(shape)}; landmarks are an array of shape (m, {d}) with at least one row: give "
            "X[:1] for one row"
        )


def _inverse_triangle(K: np.ndarray, jitter: float) -> tuple[np.ndarray, float]:
    """T upper triangular with T T' = (K + jitter I)^-1, the jitter raised tenfold until there is one."""
    while True:
        lower, failed = lapack.dpotrf(K + jitter * np.eye(len(K)), lower=1, clean=1)
        if not failed:
            return lapack.dtrtri(lower, lower=1)[0].T.copy(), jitter
        jitter *= 10


def _times_triangle(K: np.ndarray, T: np.ndarray) -> np.ndarray:
    """K T, without the zeros below the diagonal of T."""
    out = np.empty_like(K)
    for start in range(0, len(T), PANEL):
        stop = min(start + PANEL, len(T))
        np.matmul(K[:, :stop], T[:stop, start:stop], out=out[:, start:stop])
    return out


def _centres(X, m: int) -> np.ndarray:
    """Centres of a few rounds of k-means that starts at the first m rows."""
    from sklearn.cluster import KMeans

    start = X[:m].toarray() if scipy.sparse.issparse(X) else X[:m]
    with warnings.catch_warnings():  # equal rows make empty clusters, which the jitter takes care of
        warnings.simplefilter("ignore")
        centres = KMeans(m, init=start, n_init=1, max_iter=KMEANS_ROUNDS).fit(X).cluster_centers_.astype(X.dtype)
    least = X.min(axis=0)  # rounding must not make a mean negative where no row is
    return np.maximum(centres, least.toarray() if scipy.sparse.issparse(least) else least)


def _stack(above, below):
    """Rows under rows: CSR where all are, else an array."""
    if scipy.sparse.issparse(above) and scipy.sparse.issparse(below):
        return scipy.sparse.csr_array(scipy.sparse.vstack([above, below]))
    return np.vstack([part.toarray() if scipy.sparse.issparse(part) else part for part in (above, below)])
