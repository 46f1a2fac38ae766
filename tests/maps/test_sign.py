"""Sign maps: scale does not matter, bits pack, published agreement with acos-chi2, refusals."""

import numpy as np
import pytest

from realdata import real
from unkernel import InputError, SignCauchyMap, SignGaussianMap

X = np.random.default_rng(0).gamma(0.5, size=(30, 12))
X[4] = 0
EACH = pytest.mark.parametrize("make", [SignGaussianMap, SignCauchyMap])


@EACH
def test_the_length_of_a_row_does_not_matter(make):
    map_ = make(64, random_state=0).fit(X)
    np.testing.assert_array_equal(map_.features(X * np.arange(1, 31)[:, None]).codes, map_.features(X).codes)


@pytest.mark.parametrize("size", [1e-310, 1e-160, 1e300])
def test_cauchy_signs_take_rows_of_any_size(size):
    small, plain = (SignCauchyMap(64, random_state=0).fit(rows) for rows in (size * X, X))
    np.testing.assert_array_equal(small.transform(size * X).toarray(), plain.transform(X).toarray())
    np.testing.assert_allclose(small.kernel(size * X), plain.kernel(X), atol=1e-6)


@EACH
def test_a_row_of_zeros_has_no_code(make):
    F = make(64, random_state=0).fit(X).features(X)
    assert not F.filled[4]
    assert F.filled.sum() == 29
    assert F.levels == 2


@EACH
def test_packed_bits_are_the_codes(make):
    map_ = make(37, random_state=0, output="codes").fit(X)
    P, F = map_.packed(X), map_.transform(X)
    assert (P.shape, P.dtype) == ((30, 5), np.uint8)
    np.testing.assert_array_equal(np.unpackbits(P, axis=1, count=37)[F.filled], F.codes[F.filled])
    assert not P[4].any()
    assert 1 - np.unpackbits(P[0] ^ P[1]).sum() / 37 == pytest.approx((F.codes[0] == F.codes[1]).mean())


def test_negative_rows_are_refused_by_cauchy_signs():
    with pytest.raises(InputError, match=r"row 1, column 0.*Negative values.*use GMM or RBF"):
        SignCauchyMap(8).fit([[1.0, 0.0], [-1.0, 2.0]])


@pytest.mark.parametrize("name", ["usps", "satimage", "letter"])
def test_cauchy_signs_agree_with_acos_chi2_as_published(name):
    R, _ = real(name, rows=60)
    R = np.asarray(R.toarray() if hasattr(R, "toarray") else R, float)
    R = R - R.min()
    map_ = SignCauchyMap(20_000, random_state=0).fit(R)
    F = map_.features(R).codes
    found = np.array([[np.mean(a == b) for b in F] for a in F])
    assert np.abs(found - map_.kernel(R)).max() < 0.04


@EACH
def test_settings_outside_their_range_are_refused(make):
    for name, value in (("n_components", 0), ("output", "dense")):
        with pytest.raises(InputError, match=f"{name} is {value!r}"):
            make(**{name: value}).fit(X)
