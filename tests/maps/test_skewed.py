"""Skewed maps: the quantile form, its laws, and values below the skew."""

import numpy as np
import pytest
from scipy import stats

from unkernel import InputError, SkewedChi2Map, SkewedIntersectionMap
from unkernel.kernels.histogram import skewed_logs
from unkernel.maps.fourier import paired

X = np.random.default_rng(0).gamma(1.0, size=(20, 4))
EACH = pytest.mark.parametrize("make", [SkewedChi2Map, SkewedIntersectionMap])


@EACH
def test_another_sigma_scales_the_same_draws(make):
    one, two = (make(40, sigma=sigma, random_state=5).fit(X) for sigma in (1.0, 2.5))
    T = one._projected(skewed_logs(X, 1.0, 1.0))
    np.testing.assert_allclose(two.transform(X), paired(2.5 * T, 20), atol=1e-9)


@pytest.mark.parametrize(("make", "law"), [(SkewedChi2Map, "hypsecant"), (SkewedIntersectionMap, "cauchy")])
def test_frequencies_follow_their_law(make, law):
    w = make(8000, random_state=1).fit(X)._draw(4, 4000)
    # SciPy's hyperbolic secant has characteristic function 1 / cosh(pi t / 2).
    assert stats.kstest(w.ravel() * (np.pi / 2 if law == "hypsecant" else 1), law).pvalue > 1e-3


@EACH
def test_values_down_to_the_skew_are_taken(make):
    map_ = make(4096, c=2.0, random_state=0).fit(X - 1.5)
    np.testing.assert_allclose(map_.transform(X - 1.5) @ map_.transform(X - 1.5).T, map_.kernel(X - 1.5), atol=0.15)
    with pytest.raises(InputError, match=r"contains -2.5 and c is 2: .*larger c or shift X"):
        map_.transform([[0.0, 1.0, -2.5, 3.0]])


@EACH
@pytest.mark.parametrize(("name", "value"), [("n_components", 7), ("n_components", 0), ("c", 0.0), ("sigma", -1.0)])
def test_settings_outside_their_range_are_refused(make, name, value):
    with pytest.raises(InputError, match=f"{name} is {value!r}"):
        make(**{name: value}).fit(X)
