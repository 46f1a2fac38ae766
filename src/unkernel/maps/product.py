"""The product of two maps: features whose inner products estimate the product of two kernels."""

from typing import Any

import numpy as np
from sklearn.base import clone

from .._validate import InputError, check_choice, check_seed
from ..features import Codes, Dense, Sparse
from ..kernels.base import Product
from ..kernels.gram import free_bytes
from .base import Map
from .random import stream


class ProductMap(Map):
    """Features of left.kernel * right.kernel, also written `left * right`.

    Where both inner products are means of as many samples, sample j of one is paired with sample j of the other, and
    the mean of the products is unbiased as the two maps are independent. Codes with codes give codes of
    left levels * right levels; codes with waves put the wave where the one was; waves with waves are multiplied.
    Features that are no samples, such as those of `LandmarkMap`, are multiplied all with all.

    Parameters
    ----------
    left, right : map
        Unfitted. `MinMaxMap(256)` goes with `SignGaussianMap(256)` and with `FourierMap(512)`, which has two columns
        for each of 256 directions.
    output : "csr" or "codes", default="csr"
        What `transform` gives where features are codes.
    random_state : int, RandomState, Generator or None
        Seeds both members, differently. None leaves them the seeds they have; equal ones are set apart.
    n_jobs : int or None
        Threads, as in joblib.

    Attributes
    ----------
    left_, right_ : map
        Fitted.
    n_samples_ : int or None
        Samples paired; None where features are multiplied all with all.

    References
    ----------
    Li, A Comparison Study of Nonlinear Kernels, 2016, section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from unkernel import FourierMap, ProductMap, SignGaussianMap
    >>> X = np.array([[1.0, 0.0], [1.0, 1.0]])
    >>> phi = ProductMap(SignGaussianMap(4096), FourierMap(8192, gamma=0.5), random_state=0).fit(X)
    >>> Z = phi.transform(X)
    >>> Z.shape, bool(abs((Z @ Z.T).toarray() - phi.kernel(X)).max() < 0.05)
    ((2, 16384), True)
    """

    _scheme = "product-1"

    def __init__(
        self, left: Map, right: Map, *, output: str = "csr", random_state: Any = None, n_jobs: int | None = None
    ):
        self.left = left
        self.right = right
        self.output = output
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self) -> Product:
        """The product of the members' kernels."""
        return Product(getattr(self, "left_", self.left).kernel, getattr(self, "right_", self.right).kernel)

    @property
    def _takes_sparse(self) -> bool:
        return all(member._takes_sparse for member in self._members())

    @property
    def _nonnegative(self) -> str | None:
        left, right = self._members()
        return left._nonnegative or right._nonnegative

    def _members(self) -> tuple[Map, Map]:
        for name, member in (("left", self.left), ("right", self.right)):
            if not isinstance(member, Map):
                raise InputError(f"{name} is {member!r}; maps multiply with maps, as MinMaxMap() * SignGaussianMap()")
        return self.left, self.right

    def _samples(self):
        return self.n_samples_

    def _learn(self, X):
        check_choice("output", self.output, ("csr", "codes"))
        self.scheme_ = self._scheme
        self.left_, self.right_ = map(clone, self._members())
        if self.random_state is not None:
            seed = check_seed(self.random_state)
            _reseed(self.left_, stream(seed, 0))
            _reseed(self.right_, stream(seed, 1))
        self.left_.fit(X)
        self.right_.fit(X)
        if _seeds(self.left_) & _seeds(self.right_):
            _reseed(self.right_, stream(min(_seeds(self.right_)), 1))
            self.right_.fit(X)
        self.n_samples_ = _paired(*(_count_samples(member, X) for member in (self.left_, self.right_)))
        one = self._block(X[:1])
        self._n_features_out = one.shape[1]
        self.row_bytes_ = self.left_._row_bytes() + self.right_._row_bytes() + 3 * one.nbytes

    def _row_bytes(self):
        return self.row_bytes_

    def _afford(self, X):
        needed, free = X.shape[0] * self.row_bytes_ // 3, free_bytes()
        if needed > free:
            raise InputError(
                f"the features of {X.shape[0]} rows take {needed / 1e9:.1f} GB and {free / 1e9:.1f} GB of memory are "
                "free; transform fewer rows at once, or give the members fewer components"
            )

    def _block(self, X):
        left, right = self.left_._block(X), self.right_._block(X)
        if isinstance(left, Sparse) or isinstance(right, Sparse):
            which = self.left_ if isinstance(left, Sparse) else self.right_
            raise InputError(
                f"{type(which).__name__} gives sparse features, which do not multiply; use "
                "LandmarkMap(left.kernel * right.kernel)"
            )
        if isinstance(right, Codes) and not isinstance(left, Codes):
            left, right = right, left
        if isinstance(right, Codes):
            return _codes_with_codes(left, right)
        if isinstance(left, Codes):
            return _codes_with_dense(left, right.values, self.n_samples_ is not None)
        return _dense_with_dense(left.values, right.values, self.n_samples_)


def _seeds(map_: Map) -> set[int]:
    """Seeds in use by a fitted map, or by the members of a product."""
    if isinstance(map_, ProductMap):
        return _seeds(map_.left_) | _seeds(map_.right_)
    return {map_.seed_} if hasattr(map_, "seed_") else set()


def _count_samples(map_: Map, X) -> int | None:
    features = map_._block(X[:1])
    return features.codes.shape[1] if isinstance(features, Codes) else map_._samples()


def _paired(left: int | None, right: int | None) -> int | None:
    """How many samples are paired."""
    if left is None or right is None:
        return None
    if left != right:
        raise InputError(
            f"left has {left} samples and right {right}; give both as many: MinMaxMap(256) goes with "
            "SignGaussianMap(256) and with FourierMap(512), which has two columns for each direction"
        )
    return left


def _reseed(map_: Map, seed: int) -> None:
    if "random_state" in map_.get_params():
        map_.set_params(random_state=seed)


def _codes_with_codes(left: Codes, right: Codes) -> Codes:
    """Component j is equal where both members' are."""
    levels = left.levels * right.levels
    if levels > 65_536:
        raise InputError(
            f"codes of {left.levels} and {right.levels} levels make {levels}, and there is room for 65,536: "
            "give the members fewer bits"
        )
    dtype = np.uint8 if levels <= 256 else np.uint16
    codes = left.codes.astype(dtype)
    codes *= dtype(right.levels) if right.levels <= np.iinfo(dtype).max else dtype(0)
    codes += right.codes.astype(dtype, copy=False)
    value = left.value * right.value * left.codes.shape[1] ** 0.5
    return Codes(codes, left.filled & right.filled, levels, value)


def _codes_with_dense(left: Codes, right: np.ndarray, paired: bool) -> Sparse:
    """The one of component j becomes the values of sample j, or all values where they are no samples."""
    n, k = left.codes.shape
    if paired:
        values = right.reshape(n, -1, k).transpose(0, 2, 1)
    else:
        values = np.broadcast_to(right[:, None], (n, k, right.shape[1]))
    width = values.shape[2]
    value = left.value * k**0.5 if paired else left.value
    columns = k * left.levels * width
    index = np.int32 if columns <= np.iinfo(np.int32).max else np.int64
    ones = left.codes + np.arange(k, dtype=index) * index(left.levels)
    indices = ones[left.filled][:, :, None] * index(width) + np.arange(width, dtype=index)
    indptr = np.concatenate([[0], np.cumsum(left.filled, dtype=np.int64) * (k * width)])
    return Sparse((values[left.filled] * right.dtype.type(value)).ravel(), indices.ravel(), indptr, columns)


def _dense_with_dense(left: np.ndarray, right: np.ndarray, n_samples: int | None) -> Dense:
    """Every value of sample j with every one of its partner; column c is of sample c mod their number."""
    n = len(left)
    if n_samples is None:
        return Dense((left[:, :, None] * right[:, None, :]).reshape(n, -1))
    a, b = (part.reshape(n, -1, n_samples) for part in (left, right))
    both = (a[:, :, None] * b[:, None]).reshape(n, -1)
    both *= both.dtype.type(n_samples**0.5)
    return Dense(both)
