"""Fourier features: waves to their stated error, published forms, gamma, refusals."""

import numpy as np
import pytest

import naive
from unkernel import RBF, CosineRBF, FoldedFourierMap, FourierMap, InputError
from unkernel.maps.fourier_hot import LANES, cosines, pairs

X = np.random.default_rng(0).normal(size=(40, 6))
ERROR = {np.float32: 2e-7, np.float64: 1e-15}


def angles(dtype, n=3, m=37):
    t = np.random.default_rng(1).uniform(-4, 4, size=(n, 48)).astype(dtype)
    t[0, :12] = [0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75, 1, 2.5, -3.25, 0.125, 1e-30]
    return t, m


@pytest.mark.hot
@pytest.mark.parametrize("dtype", ERROR)
def test_waves_keep_to_their_error(dtype):
    T, m = angles(dtype)
    out, last = np.empty((len(T), 2 * m), dtype), np.empty((2, LANES), dtype)
    pairs(T, m, dtype(1), last, out)
    meant = np.array(naive.waves(T[:, :m].astype(np.float64)))
    # Half a unit of the angle's own rounding in float64 is in the twin.
    np.testing.assert_allclose(out, np.concatenate([meant[..., 0], meant[..., 1]], axis=1), atol=5 * ERROR[dtype])
    one = np.empty((len(T), m), dtype)
    cosines(T, np.zeros(48, dtype), dtype(1), last, one)
    np.testing.assert_array_equal(one, out[:, :m])
    cosines(T, np.full(48, -0.25, dtype), dtype(1), last, one)
    np.testing.assert_allclose(one, out[:, m:], atol=20 * ERROR[dtype])


@pytest.mark.parametrize("dtype", ERROR)
def test_waves_on_a_fine_grid(dtype):
    T = np.linspace(-1, 1, 48_000, dtype=dtype).reshape(1, -1)
    out = np.empty((1, 96_000), dtype)
    pairs(T, 48_000, dtype(1), np.empty((2, LANES), dtype), out)
    t = 2 * np.pi * T.astype(np.longdouble)
    error = np.abs(out[0] - np.concatenate([np.cos(t[0]), np.sin(t[0])]))
    assert error.max() < ERROR[dtype]


def test_far_angles_stay_on_the_circle():
    T = np.array([[1e6, -3e9, 1e20, 3e38] * 8], np.float32)
    out = np.empty((1, 64), np.float32)
    pairs(T, 32, np.float32(1), np.empty((2, LANES), np.float32), out)
    np.testing.assert_allclose(out[0, :32] ** 2 + out[0, 32:] ** 2, 1, atol=1e-6)


def test_pairs_have_length_one_and_sines_follow_cosines():
    Z = FourierMap(64, gamma=0.3, random_state=0).fit_transform(X)
    np.testing.assert_allclose(np.linalg.norm(Z, axis=1), 1)
    np.testing.assert_allclose(Z[:, :32] ** 2 + Z[:, 32:] ** 2, 1 / 32)


def mean_square(map_, rows=X, seeds=30):
    K = map_.fit(rows).kernel(rows)
    Z = [map_.set_params(random_state=seed).fit_transform(rows) for seed in range(seeds)]
    return np.mean([(z @ z.T - K) ** 2 for z in Z])


def test_each_device_lowers_the_error_of_the_plain_form():
    def of(variant, **options):
        return mean_square(FourierMap(48, gamma=0.02, variant=variant, **options))

    assert of("offset") > 3 * of("gaussian")
    assert of("gaussian") > 2 * of("orthogonal")
    assert of("sobol") < of("gaussian")
    assert of("offset", normalize=True) < of("offset") / 2


def test_few_directions_err_less_along_the_axes_of_the_rows():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(60, 8)) @ rng.normal(size=(8, 40)) / 8 + 0.05 * rng.normal(size=(60, 40))

    def of(variant, **options):
        return mean_square(FourierMap(20, gamma=0.1, variant=variant, **options), rows)

    assert of("aligned") < of("orthogonal") / 2
    assert of("aligned", unit_rows=True) < of("orthogonal", unit_rows=True) / 2
    assert FourierMap(20).fit(rows).variant_ == "aligned"
    assert FourierMap(80).fit(rows).variant_ == "orthogonal"


@pytest.mark.parametrize("gamma", ["scale", "median", 0.4])
@pytest.mark.parametrize("unit_rows", [False, True])
def test_gamma_is_that_of_the_kernel(gamma, unit_rows):
    map_ = FourierMap(4, gamma=gamma, unit_rows=unit_rows).fit(X)
    if not unit_rows:
        assert map_.gamma_ == RBF(gamma).fit(X).gamma_
    elif gamma == "scale":
        U = X / np.linalg.norm(X, axis=1, keepdims=True)
        np.testing.assert_allclose(map_.kernel(X), RBF("scale").fit(U)(U))
    else:
        assert map_.gamma_ == CosineRBF(gamma).fit(X).gamma_
    assert map_.kernel.gamma == map_.gamma_
    assert FourierMap(gamma=3.0).kernel.gamma == 3.0


def test_odd_components_are_refused_where_pairs_are_made():
    with pytest.raises(InputError, match=r"n_components is 7.*give 8"):
        FourierMap(7).fit(X)
    assert FourierMap(7, variant="offset").fit_transform(X).shape == (40, 7)
    assert FourierMap(1).fit_transform(X).shape == (40, 1)


@pytest.mark.parametrize("make", [FourierMap, FoldedFourierMap])
@pytest.mark.parametrize(
    ("name", "value"), [("n_components", 0), ("n_components", 2.5), ("gamma", -1.0), ("gamma", "wide")]
)
def test_settings_outside_their_range_are_refused(make, name, value):
    with pytest.raises(InputError, match=f"{name} is {value!r}"):
        make(**{name: value}).fit(X)


def test_one_row_sets_no_scale():
    with pytest.raises(InputError, match="one row does not set a scale; give gamma as a number"):
        FourierMap(8).fit(X[:1])
    assert FourierMap(8, gamma=1.0).fit_transform(X[:1]).shape == (1, 8)


def test_folded_features_do_not_see_the_sign_of_a_row():
    map_ = FoldedFourierMap(32, random_state=0).fit(X)
    np.testing.assert_allclose(map_.transform(-X), map_.transform(X), atol=1e-14)
    np.testing.assert_allclose(map_.transform(3 * X), map_.transform(X), atol=1e-13)


@pytest.mark.parametrize("variant", ["orthogonal", "structured", "offset"])
def test_rows_so_small_that_their_scale_overflows_are_refused(variant):
    X = (np.arange(1, 13).reshape(4, 3) * 1e-40).astype(np.float32)
    with pytest.raises(InputError, match=r"gamma is .* overflows in float32; scale the columns up"):
        FourierMap(8, variant=variant, random_state=0).fit(X)
