"""One row per member of a family. A row enrols its member in every law of `tests/laws`."""

from typing import Any, NamedTuple

import numpy as np

import naive
import unkernel

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


def distinct(seed=0, n=40, d=7):
    """Real numbers, no two rows equal."""
    return np.random.default_rng(seed).normal(size=(n, d)) * (np.arange(n) != 5)[:, None]


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
    same_bits: bool = True  # a row has the same bits in any block and form; False: to rounding (say why in the row)


KERNELS: dict[str, KernelRow] = {}
MAPS: dict[str, MapRow] = {}
LEARNERS: dict[str, Any] = {}

# --- kernels

CENTER = np.array([0.3, -0.2, 0.1, 0.0, 0.5, -1.0, 0.2])

KERNELS["linear"] = KernelRow(unkernel.Linear, naive.linear)
KERNELS["cosine"] = KernelRow(unkernel.Cosine, naive.cosine)
KERNELS["minmax"] = KernelRow(unkernel.MinMax, naive.gmm, nonnegative)
KERNELS["minmax_p"] = KernelRow(lambda: unkernel.MinMax(p=2.5), lambda u, v: naive.gmm(u, v, 2.5), nonnegative)
KERNELS["gmm"] = KernelRow(unkernel.GMM, naive.gmm)
KERNELS["gmm_p"] = KernelRow(lambda: unkernel.GMM(p=0.3), lambda u, v: naive.gmm(u, v, 0.3))
KERNELS["acos"] = KernelRow(unkernel.Acos, naive.acos)
KERNELS["acos_chi2"] = KernelRow(unkernel.AcosChi2, naive.acos_chi2, nonnegative)
KERNELS["rbf"] = KernelRow(lambda: unkernel.RBF(0.2), lambda u, v: naive.rbf(u, v, 0.2))
KERNELS["cosine_rbf"] = KernelRow(lambda: unkernel.CosineRBF(3.0), lambda u, v: naive.cosine_rbf(u, v, 3.0))
KERNELS["folded_rbf"] = KernelRow(lambda: unkernel.FoldedRBF(3.0), lambda u, v: naive.folded_rbf(u, v, 3.0))
KERNELS["exp_chi2"] = KernelRow(lambda: unkernel.ExpChi2(0.5), lambda u, v: naive.exp_chi2(u, v, 0.5), nonnegative)
KERNELS["skewed_chi2"] = KernelRow(
    lambda: unkernel.SkewedChi2(0.7, sigma=1.5), lambda u, v: naive.skewed_chi2(u, v, 0.7, 1.5), nonnegative
)
KERNELS["skewed_intersection"] = KernelRow(
    lambda: unkernel.SkewedIntersection(0.7, sigma=0.5),
    lambda u, v: naive.skewed_intersection(u, v, 0.7, 0.5),
    nonnegative,
)
KERNELS["polynomial"] = KernelRow(
    lambda: unkernel.Polynomial(3, gamma=0.5, coef0=2.0), lambda u, v: naive.polynomial(u, v, 3, 0.5, 2.0)
)
KERNELS["taylor_rbf"] = KernelRow(lambda: unkernel.TaylorRBF(3, gamma=0.2), lambda u, v: naive.taylor_rbf(u, v, 3, 0.2))
KERNELS["product"] = KernelRow(
    lambda: unkernel.MinMax() * unkernel.AcosChi2(), lambda u, v: naive.gmm(u, v) * naive.acos_chi2(u, v), nonnegative
)
KERNELS["sum"] = KernelRow(
    lambda: unkernel.GMM() + unkernel.RBF(0.2), lambda u, v: naive.gmm(u, v) + naive.rbf(u, v, 0.2)
)

# --- maps


def _pairs(K, n):
    return (1 - K**2) ** 2 / n


def _offset(K, n):
    return (1 + (1 - K**2) ** 2) / (2 * n)  # Li, theorem 2


def _bits(K, n):
    return K * (1 - K) / n


def _folded(gamma):
    def variance(K, n):
        # E cos^2 cos^2 - K^2, where a^2 + b^2 and a^4 + b^4 of a, b = exp(-gamma (1 -+ rho)) follow from K.
        twos = 4 * K**2 - 2 * np.exp(-2 * gamma)
        fours = twos**2 - 2 * np.exp(-4 * gamma)
        return ((1 + 2 * np.exp(-2 * gamma) + fours / 2) / 4 - K**2) / n

    return variance


def _fourier(**options):
    return lambda k, seed: unkernel.FourierMap(k, gamma=0.2, random_state=seed, **options)


MAPS["fourier"] = MapRow(_fourier())
MAPS["fourier_gaussian"] = MapRow(_fourier(variant="gaussian"), variance=_pairs)
MAPS["fourier_offset"] = MapRow(_fourier(variant="offset"), variance=_offset)
MAPS["fourier_orthogonal"] = MapRow(_fourier(variant="orthogonal"))
MAPS["fourier_aligned"] = MapRow(
    lambda k, seed: unkernel.FourierMap(k, gamma=0.01, variant="aligned", random_state=seed),
    lambda seed=0: signed(seed, d=100),
)
MAPS["fourier_structured"] = MapRow(_fourier(variant="structured"))
MAPS["fourier_sobol"] = MapRow(_fourier(variant="sobol"))
MAPS["fourier_unit_rows"] = MapRow(_fourier(variant="gaussian", unit_rows=True), variance=_pairs)
MAPS["folded_fourier"] = MapRow(
    lambda k, seed: unkernel.FoldedFourierMap(k, gamma=1.5, variant="gaussian", random_state=seed),
    variance=_folded(1.5),
)
MAPS["sign_gaussian"] = MapRow(
    lambda k, seed: unkernel.SignGaussianMap(k, variant="gaussian", random_state=seed), variance=_bits
)
MAPS["sign_gaussian_orthogonal"] = MapRow(
    lambda k, seed: unkernel.SignGaussianMap(k, variant="orthogonal", random_state=seed)
)
MAPS["sign_gaussian_structured"] = MapRow(
    lambda k, seed: unkernel.SignGaussianMap(k, variant="structured", random_state=seed)
)
MAPS["skewed_chi2"] = MapRow(
    lambda k, seed: unkernel.SkewedChi2Map(k, c=0.7, sigma=0.6, random_state=seed), nonnegative
)
MAPS["skewed_intersection"] = MapRow(
    lambda k, seed: unkernel.SkewedIntersectionMap(k, c=0.7, sigma=0.2, random_state=seed),
    nonnegative,
    variance=lambda K, n: (1 - K**2) / n,
)
MAPS["sign_cauchy"] = MapRow(lambda k, seed: unkernel.SignCauchyMap(k, random_state=seed), nonnegative, bias=0.05)

MAPS["polynomial"] = MapRow(lambda k, seed: unkernel.PolynomialMap(2, gamma=0.2))
MAPS["taylor"] = MapRow(lambda k, seed: unkernel.TaylorMap(3, gamma=0.2, output="sparse"))
MAPS["taylor_hashed"] = MapRow(lambda k, seed: unkernel.TaylorMap(2, gamma=0.2, n_components=k, random_state=seed))


def _product(left, right):
    return lambda k, seed: unkernel.ProductMap(left(k), right(k), random_state=seed)


def _signs(k):
    return unkernel.SignGaussianMap(k, variant="gaussian")


MAPS["product_codes"] = MapRow(_product(_signs, unkernel.SignGaussianMap))
MAPS["product_codes_bits"] = MapRow(_product(_signs, _signs), variance=_bits)
MAPS["product_waves"] = MapRow(_product(lambda k: unkernel.FourierMap(2 * k, gamma=0.2), _signs))
MAPS["product_of_waves"] = MapRow(
    _product(
        lambda k: unkernel.FourierMap(2 * k, gamma=0.2, variant="gaussian"),
        lambda k: unkernel.FourierMap(k, gamma=0.1, variant="offset"),
    )
)
MAPS["product_of_all"] = MapRow(
    _product(lambda k: unkernel.PolynomialMap(1, gamma=0.3, output="dense"), lambda k: _signs(k // 2))
)
# Every row a landmark: with fewer, the projection that inner products are is not the kernel.
MAPS["landmark"] = MapRow(
    lambda k, seed: unkernel.LandmarkMap(unkernel.GMM(), 10 * k, random_state=seed), distinct, same_bits=False
)


def _minmax(**options):
    def make(n_components, random_state):
        return unkernel.MinMaxMap(n_components, random_state=random_state, **options)

    return make


def _agreement(K, k):
    """Variance of the share of k fair coins."""
    return K * (1 - K) / k


def _agreement_by_hash(bits):
    """Mean squared error where unequal samples agree by chance in one of 2^bits."""

    def error(K, k):
        m = K + (1 - K) / 2**bits
        return m * (1 - m) / k + (m - K) ** 2

    return error


MAPS["minmax"] = MapRow(_minmax(), bias=0.05)
MAPS["minmax_icws"] = MapRow(_minmax(algorithm="icws", bits=4, t_bits=2), variance=_agreement, bias=2**-6)
MAPS["minmax_counter"] = MapRow(_minmax(algorithm="counter", bits=4, t_bits=2), variance=_agreement, bias=2**-6)
MAPS["minmax_dart"] = MapRow(_minmax(algorithm="dart", bits=6), variance=_agreement_by_hash(6), bias=2**-6)
MAPS["minmax_independent"] = MapRow(
    _minmax(algorithm="rejection", bits=6, stratified=False), variance=_agreement, bias=2**-6
)
MAPS["minmax_rejection"] = MapRow(_minmax(algorithm="rejection", bits=6, p=2), bias=2**-6)

# --- learners


def _classifier(loss):
    def make(**options):
        from unkernel import LinearClassifier

        return LinearClassifier(loss, **options)

    return make


for _loss in ("squared_hinge", "hinge", "logistic"):
    LEARNERS[f"LinearClassifier({_loss})"] = _classifier(_loss)


def _regressor(loss):
    def make(**options):
        from unkernel import LinearRegressor

        return LinearRegressor(loss, **options)

    return make


for _loss in ("squared", "epsilon_insensitive", "squared_epsilon_insensitive", "huber"):
    LEARNERS[f"LinearRegressor({_loss})"] = _regressor(_loss)


def _stream(**options):
    from unkernel import StreamClassifier

    return StreamClassifier(**options)


LEARNERS["StreamClassifier"] = _stream


def _lasso(name):
    def make(**options):
        import unkernel

        return getattr(unkernel, name)(**options)

    return make


for _name in ("LassoClassifier", "LassoRegressor"):
    LEARNERS[_name] = _lasso(_name)
