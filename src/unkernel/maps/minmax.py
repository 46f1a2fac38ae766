"""Min-max hashing: rows become k small codes, equal as often as their generalised min-max kernel says."""

import warnings

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._validate import InputError, check_choice, check_integer, check_matrix, check_real, check_seed
from ..features import Codes
from ..kernels.gram import free_bytes
from ..kernels.minmax import GMM
from .amount import Amounts, amounts, shifted
from .base import Map
from .choice import ALGORITHMS, STEPPING, Plan, choose, make
from .estimate import Estimate, check_pair, column_chance, estimate, geometric_chance
from .sampler import Settings

NEGATIVE = (
    "X has negative values and the rows of fit had none: bits tell the columns of fit apart, and a negative value may "
    "share the code of a positive one; fit on rows of both signs, or set bits"
)
CODE_BITS = 16  # of a code, at most


class MinMaxMap(Map):
    """Features of the generalised min-max kernel `GMM(p, center)`: k one-hot blocks a row, of a few bits each.

    Each of the k components draws one consistent sample of a row's amounts: two rows draw the same with probability
    sum min / sum max. A few bits of a sample are its code, and the share of equal codes estimates the kernel with
    variance K (1 - K) / k. Negative values have amounts in columns of their own. A row of zeros has the empty code.

    Parameters
    ----------
    n_components : int, default=1024
        Samples a row, k.
    bits : int or "auto"
        Bits a code keeps of the sample, between 1 and 16. "auto" takes what tells the columns apart, or the darts,
        up to one byte in all. Fewer bits make a smaller linear model and let unequal samples agree, one in 2^bits at
        most.
    t_bits : int or "auto"
        Bits of the step t* that codes carry beside those of the column i*. "auto" is 1, or up to 3 in few
        columns. With 0, the papers' 0-bit code, the step is ignored: harmless in many columns, harmful in few.
        Samplers without steps take none: "rejection" and "dart" refuse more than 0, and "auto" passes them over.
    p : float, default=1.0
        Power of the amounts, above 0. It costs nothing.
    center : array-like of shape (d,) or None
        Subtracted from every row first. Needs dense rows.
    algorithm : {"auto", "icws", "counter", "rejection", "dart"}
        Which sampler. All estimate the same kernel; `algorithm_` is what "auto" found cheapest for the rows of `fit`:
        consistent weighted sampling with tables, the same without tables (wide rows), rejection sampling (full rows),
        or darts (very many nonzeros).
    stratified : bool, default=True
        Spread the darts of rejection sampling evenly: the same mean, less variance, at no cost. False makes components
        independent, with variance K (1 - K) / k exactly.
    output : {"csr", "codes"}
        What `transform` returns: CSR for scikit-learn, or `Codes`, a byte a component.
    random_state : int, RandomState, Generator or None
    n_jobs : int or None
        Threads, as in joblib. The codes do not depend on it.

    Attributes
    ----------
    algorithm_ : str
    bits_, t_bits_ : int
    seed_ : int
        All codes follow from it, from the rows and, for "rejection", from the bounds of the rows of `fit`.
    held_ : float
        Nonzeros of a row of `fit`.
    bounds_ : ndarray of shape (2d,) or None
        Largest amount of each column in the rows of `fit`, where the sampler uses them.
    scheme_ : str
        Names how codes follow from seeds; it changes whenever the codes do.

    References
    ----------
    Li, Generalized Min-Max Kernel and Generalized Consistent Weighted Sampling, 2016.

    Examples
    --------
    >>> from unkernel import MinMaxMap
    >>> X = [[4.0, -1.0], [4.0, -2.0], [0.0, 3.0]]
    >>> map_ = MinMaxMap(4096, random_state=0).fit(X)
    >>> A = map_.transform(X)
    >>> bool(abs((A @ A.T).toarray() - map_.kernel(X)).max() < 0.05)
    True
    """

    _tables = ("sampler_",)
    _scheme = "minmax-1"

    def __init__(
        self,
        n_components: int = 1024,
        *,
        bits="auto",
        t_bits="auto",
        p: float = 1.0,
        center=None,
        algorithm: str = "auto",
        stratified: bool = True,
        output: str = "csr",
        random_state=None,
        n_jobs: int | None = None,
    ):
        self.n_components = n_components
        self.bits = bits
        self.t_bits = t_bits
        self.p = p
        self.center = center
        self.algorithm = algorithm
        self.stratified = stratified
        self.output = output
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def kernel(self) -> GMM:
        """The exact kernel."""
        return GMM(p=self.p, center=self.center)

    def samples(self, X) -> tuple[np.ndarray, np.ndarray]:
        """Samples in full, before bits are dropped: equal with probability exactly the kernel.

        Parameters
        ----------
        X : array-like or sparse of shape (n, d)

        Returns
        -------
        columns, steps : ndarray of shape (n, k)
            Column i* (d + i is the negative part of column i) and step t* of each sample; -1 in rows of zeros.
        """
        check_is_fitted(self)
        return self.sampler_.samples(self._amounts(self._rows(X, reset=False)))

    def estimate(self, A: Codes, B: Codes) -> Estimate:
        """Kernel estimates of rows A[i] and B[i] from their codes, with standard errors.

        Agreements that few bits bring by chance are taken out; with 0-bit codes the estimate is of the probability
        that two rows draw the same column, a little above the kernel.

        Parameters
        ----------
        A, B : Codes
            What `features` gives, as many rows each.

        Returns
        -------
        value, error : ndarray of shape (n,)
        """
        check_is_fitted(self)
        check_pair(A, B)
        chance = 0.5**self.bits_
        if self.algorithm_ == "rejection":
            chance = geometric_chance(A, B)
        elif self.algorithm_ in STEPPING:
            chance = column_chance(self.n_columns_, 1 << self.bits_)  # steps are no help: most are alike
        return estimate(A, B, chance)

    def _learn(self, X):
        k = check_integer("n_components", self.n_components, least=1)
        self._check_options(X)
        self.seed_, self.scheme_ = check_seed(self.random_state), self._scheme
        moved = shifted(X, self._center(X))
        self.n_columns_ = X.shape[1] * (1 + bool(moved.min() < 0))  # where amounts live
        among = STEPPING if self._wants_steps() else ALGORITHMS
        plan = choose(self.algorithm, self._settings(), moved, among=among)
        self.algorithm_, bits, self.bounds_, self.darts_, self.scale_, self.held_ = plan[:6]
        self.t_bits_, self.bits_ = 0, bits
        if self.algorithm_ in STEPPING:
            spare = int(np.clip(6 - bits, 1, 3)) if self.bits == "auto" else 1
            self.t_bits_ = spare if self.t_bits == "auto" else self.t_bits
            self.bits_ = max(1, min(bits, 8 - self.t_bits_))
        self.bits_ = self.bits_ if self.bits == "auto" else self.bits
        self._n_features_out = k << (self.bits_ + self.t_bits_)

    def _tabulate(self):
        plan = Plan(self.algorithm_, self.bits_, self.bounds_, self.darts_, self.scale_, stratified=self.stratified)
        self.sampler_ = make(plan, self._settings())

    def _settings(self) -> Settings:
        return Settings(self.n_components, self.n_features_in_, float(self.p), self.seed_)

    def _check_options(self, X) -> None:
        check_real("p", self.p, above=0)
        check_choice("algorithm", self.algorithm, ("auto", *ALGORITHMS))
        check_choice("output", self.output, ("csr", "codes"))
        check_choice("stratified", self.stratified, (True, False))
        if self.bits != "auto":
            check_integer("bits", self.bits, least=1, most=CODE_BITS)
        if self.t_bits != "auto":
            self._check_steps()
        if 2 * X.shape[1] >= 2**31:
            raise InputError(f"X has {X.shape[1]} columns; at most 2^30 are told apart: hash the columns first")
        if self.center is not None and not isinstance(X, np.ndarray):
            raise InputError("center shifts every zero and X is sparse; call X.toarray() first, or use center=None")

    def _check_steps(self) -> None:
        check_integer("t_bits", self.t_bits, least=0)
        bits = 1 if self.bits == "auto" else self.bits
        if bits + self.t_bits > CODE_BITS:
            raise InputError(
                f"t_bits is {self.t_bits} and bits is {self.bits!r}; a code has {CODE_BITS} bits for both, so t_bits "
                f"must be at most {CODE_BITS - bits}: take fewer of either"
            )
        if self._wants_steps() and self.algorithm not in ("auto", *STEPPING):
            raise InputError(
                f"t_bits is {self.t_bits} and samples of algorithm={self.algorithm!r} have no step; use t_bits='auto', "
                "or algorithm='icws' or 'counter'"
            )

    def _wants_steps(self) -> bool:
        return self.t_bits != "auto" and self.t_bits > 0

    def _center(self, X) -> np.ndarray | None:
        if self.center is None:
            return None
        return check_matrix(np.reshape(self.center, (1, -1)), name="center", n_columns=X.shape[1])[0]

    def _afford(self, X):
        needed, free = X.shape[0] * self.n_components * (1 + (self.bits_ + self.t_bits_ > 8)), free_bytes()
        if needed > free:
            raise InputError(
                f"{self.n_components} codes of {X.shape[0]} rows take {needed / 1e9:.1f} GB and {free / 1e9:.1f} GB of "
                "memory are free; transform fewer rows at once, or use fewer components"
            )

    def _amounts(self, X) -> Amounts:
        return amounts(shifted(X, self._center(X)))

    def _row_bytes(self):
        shared = 8 if self.algorithm_ == "counter" else 1  # the more rows, the more often a number drawn is used
        each = {"dart": 13}.get(self.algorithm_, 1)  # bytes of a component while a block is made
        return int(24 * self.held_ + each * self.n_components + 512) // shared

    def _block(self, X):
        block, d = self._amounts(X), self.n_features_in_
        if self.n_columns_ == d and self.algorithm_ != "rejection" and block.columns.max(initial=0) >= d:
            warnings.warn(NEGATIVE, stacklevel=2)
        codes = self.sampler_.codes(block, self.bits_, self.t_bits_)
        return Codes(codes, block.filled, 1 << (self.bits_ + self.t_bits_), float(self.n_components**-0.5))
