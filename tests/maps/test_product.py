"""Products of maps: what pairs with what, in which columns, from which seeds, and what is refused."""

import numpy as np
import pytest

from catalogue import nonnegative, signed
from unkernel import (
    GMM,
    RBF,
    Acos,
    AcosChi2,
    Codes,
    Dense,
    FourierMap,
    InputError,
    LandmarkMap,
    PolynomialMap,
    ProductMap,
    SignCauchyMap,
    SignGaussianMap,
    Sparse,
    TaylorMap,
)


def signs(k, **options):
    return SignGaussianMap(k, **options)


def test_codes_with_codes_interleave():
    X = nonnegative()
    phi = (signs(50, random_state=0) * SignCauchyMap(50, random_state=1)).fit(X)
    F, a, b = phi.features(X), phi.left_.features(X), phi.right_.features(X)
    assert isinstance(F, Codes)
    assert F.levels == 4
    np.testing.assert_array_equal(F.codes, 2 * a.codes + b.codes)
    np.testing.assert_array_equal(F.filled, X.any(axis=1))
    assert F.value == pytest.approx(50**-0.5)
    assert isinstance(phi.kernel.left, Acos)
    assert isinstance(phi.kernel.right, AcosChi2)
    assert isinstance(ProductMap(signs(8), signs(8), output="codes").fit_transform(X), Codes)


def test_a_wave_stands_where_the_one_was():
    X = signed()
    phi = ProductMap(FourierMap(20, gamma=0.3), signs(10), random_state=0).fit(X)
    F, waves, codes = phi.features(X), phi.left_.features(X).values, phi.right_.features(X)
    assert isinstance(F, Sparse)
    A = F.to_dense().reshape(len(X), 10, 2, 2)  # component, code, cosine or sine
    for i in range(len(X)):
        for j in range(10):
            meant = waves[i, [j, 10 + j]] if codes.filled[i] else 0
            np.testing.assert_allclose(A[i, j, codes.codes[i, j]], meant)
            assert not A[i, j, 1 - codes.codes[i, j]].any()


def test_products_of_products_stay_paired():
    X = signed()
    phi = ProductMap(signs(4000) * FourierMap(8000, gamma=0.01), signs(4000), random_state=3)
    with pytest.raises(InputError, match="sparse features, which do not multiply"):
        phi.fit(X)
    three = ProductMap(signs(4000) * signs(4000), signs(4000), random_state=3).fit(X)
    Z = three.transform(X)
    np.testing.assert_allclose((Z @ Z.T).toarray(), Acos()(X) ** 3, atol=0.05)
    assert three.kernel(X)[2, 7] == pytest.approx(Acos()(X)[2, 7] ** 3)
    waves = ProductMap(
        FourierMap(2000, gamma=0.05) * FourierMap(2000, gamma=0.02), FourierMap(1000, gamma=0.03, variant="offset"),
        random_state=0,
    ).fit(X)  # fmt: skip
    Z = waves.transform(X)
    assert Z.shape == (len(X), 4000)
    np.testing.assert_allclose(Z @ Z.T, RBF(0.1)(X), atol=0.15)


def test_features_that_are_no_samples_multiply_all_with_all():
    X = signed()
    phi = ProductMap(LandmarkMap(GMM(), 40), PolynomialMap(1, output="dense"), random_state=0).fit(X)
    Z = phi.features(X)
    assert isinstance(Z, Dense)
    assert Z.shape == (40, 320)
    np.testing.assert_allclose(Z.values @ Z.values.T, phi.kernel(X), atol=1e-6)
    mixed = ProductMap(LandmarkMap(GMM(), 12), signs(5), random_state=0).fit(X)
    assert mixed.features(X).shape == (40, 5 * 2 * 12)


@pytest.mark.parametrize("seed", [7, None])
def test_members_never_share_their_randomness(seed):
    X = signed()
    own = 7 if seed is None else None
    phi = ProductMap(signs(64, random_state=own), signs(64, random_state=own), random_state=seed).fit(X)
    a, b = phi.left_.features(X[:1]).codes, phi.right_.features(X[:1]).codes
    assert 0 < np.mean(a == b) < 1
    again = ProductMap(signs(64, random_state=own), signs(64, random_state=own), random_state=seed).fit(X)
    np.testing.assert_array_equal(phi.features(X).codes, again.features(X).codes)


def test_it_refuses_with_a_remedy():
    X = signed()
    with pytest.raises(InputError, match="left has 8 samples and right 16"):
        ProductMap(signs(8), FourierMap(32)).fit(X)
    with pytest.raises(InputError, match="TaylorMap gives sparse features"):
        ProductMap(signs(8), TaylorMap(gamma=1.0, output="sparse")).fit(X)
    with pytest.raises(InputError, match="maps multiply with maps"):
        ProductMap(signs(8), GMM()).fit(X)
    with pytest.raises(InputError, match="Negative values"):
        (signs(8) * SignCauchyMap(8)).fit(X)
    with pytest.raises(InputError, match="room for 65,536"):
        from unkernel.maps.product import _codes_with_codes

        wide = Codes.of(np.zeros((1, 1), int), 512)
        _codes_with_codes(wide, wide)
    with pytest.raises(InputError, match="GB of memory are free"):
        big = ProductMap(LandmarkMap(GMM(), 40), LandmarkMap(GMM(), 40)).fit(X)
        big.row_bytes_ = 10**14
        big.transform(X)
