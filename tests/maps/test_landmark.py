"""Landmarks reproduce their kernel, agree with scikit-learn's Nystroem up to rotation, grow, and refuse."""

import pickle

import numpy as np
import pytest
import scipy.sparse
from sklearn.kernel_approximation import Nystroem
from sklearn.utils.estimator_checks import check_estimator

from catalogue import KERNELS, signed
from realdata import real
from unkernel import GMM, RBF, Acos, AcosChi2, InputError, LandmarkMap, LinearClassifier, MinMax


def rows(n=120, d=6, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("landmarks", ["uniform", "kmeans", "leverage"])
def test_it_is_a_scikit_learn_transformer(landmarks):
    check_estimator(LandmarkMap(n_components=8, landmarks=landmarks, random_state=0))


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_all_rows_as_landmarks_give_the_kernel_itself(name, form):
    X = form(KERNELS[name].data(0))
    K = KERNELS[name].make()(X)
    phi = LandmarkMap(KERNELS[name].make(), X.shape[0], random_state=0).fit(X)
    Z = phi.transform(X)
    assert Z.shape == X.shape[:1] * 2
    np.testing.assert_allclose(Z @ Z.T, K, atol=1e-6 * K.max())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_features_are_those_of_scikit_learn_up_to_rotation(dtype):
    X = rows(300, 10).astype(dtype)
    theirs = Nystroem(gamma=0.05, n_components=40, random_state=0).fit(X)
    Z, A = (m.transform(X) for m in (LandmarkMap(RBF(0.05), landmarks=theirs.components_).fit(X), theirs))
    assert Z.dtype == dtype
    np.testing.assert_allclose(Z @ Z.T, A @ A.T, atol=1e-5 if dtype == np.float32 else 1e-8)


def test_narrow_rows_far_out_go_the_long_way():
    X = (rows(200, 5) * np.linspace(1, 1000, 200)[:, None]).astype(np.float32)
    for gamma in (1e-7, 1e-3, 10.0):
        exact = RBF(gamma)(X.astype(np.float64), X[:50].astype(np.float64))
        np.testing.assert_allclose(RBF(gamma)._onto(X[:50])(X), exact, atol=2e-5)


def test_extending_is_fitting_with_more_landmarks():
    X = rows()
    one = LandmarkMap(RBF(0.1), landmarks=X[:30]).fit(X)
    grown = LandmarkMap(RBF(0.1), landmarks=X[:10]).fit(X)
    before = grown.transform(X)
    grown.extend(X[10:25]).extend(scipy.sparse.csr_array(X[25:30]))
    after = grown.transform(X)
    np.testing.assert_array_equal(after[:, :10], before)
    np.testing.assert_allclose(after, one.transform(X), atol=1e-5)
    assert len(grown.get_feature_names_out()) == 30
    sparse = LandmarkMap(RBF(0.1), 5, random_state=0).fit(scipy.sparse.csr_array(X)).extend(X[:3])
    assert isinstance(sparse.landmarks_, np.ndarray)
    assert sparse.indices_.tolist()[5:] == [-1, -1, -1]


def test_more_components_keep_the_landmarks_there_were():
    X = rows()
    few, many = (LandmarkMap(GMM(), m, random_state=3).fit(X) for m in (20, 50))
    np.testing.assert_array_equal(many.indices_[:20], few.indices_)
    np.testing.assert_allclose(many.transform(X)[:, :20], few.transform(X), atol=1e-12)


def test_the_kernel_keeps_the_scale_of_fit():
    X = rows()
    phi = LandmarkMap(RBF("median"), 120, random_state=0).fit(X)
    assert phi.kernel.gamma == "median"
    assert phi.kernel_.gamma == RBF("median").fit(X).gamma_
    Z = phi.transform(X[:40] * 1.01)
    np.testing.assert_allclose(Z @ phi.transform(X).T, phi.kernel_(X[:40] * 1.01, X), atol=1e-5)


def test_chosen_landmarks_miss_less_than_uniform_ones():
    # Ninety-five in a hundred rows sit in one spot; the error is in the others.
    rng = np.random.default_rng(0)
    X = np.vstack([0.05 * rng.normal(size=(1900, 3)), 3 * rng.normal(size=(100, 3))])
    missed = {}
    for how in ("uniform", "leverage", "kmeans"):
        runs = []
        for seed in range(3):
            Z = LandmarkMap(RBF(0.5), 60, landmarks=how, random_state=seed).fit(X).transform(X)
            runs.append(len(X) - np.sum(Z**2))
        missed[how] = np.mean(runs)
    assert missed["leverage"] < 0.6 * missed["uniform"]
    assert missed["kmeans"] < 0.95 * missed["uniform"]


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_centres_of_rows_that_are_not_negative_are_not(form):
    X = (np.random.default_rng(0).random((2000, 9)) < 0.05).astype(np.float32) * 0.1
    phi = LandmarkMap(MinMax(), 50, landmarks="kmeans", random_state=0).fit(form(X))
    assert phi.landmarks_.min() >= 0


def test_equal_landmarks_and_zero_rows_are_no_trouble():
    X = np.vstack([np.zeros((5, 3)), np.ones((20, 3)), rows(10, 3)])
    for how in ("uniform", "kmeans", "leverage"):
        Z = LandmarkMap(GMM(), 30, landmarks=how, random_state=0).fit(X).transform(X)
        assert np.isfinite(Z).all()
    assert LandmarkMap(GMM(), 30, landmarks=X).fit(X).jitter_ < 1e-12


def test_pickling_changes_no_bit_and_threads_no_more_than_rounding():
    X = rows(500)
    phi = LandmarkMap(GMM() * RBF(0.1), 50, random_state=0).fit(X)
    Z = phi.transform(X)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(phi)).transform(X), Z)
    np.testing.assert_allclose(phi.set_params(n_jobs=3).transform(X), Z, atol=1e-9)


def test_it_refuses_with_a_remedy():
    X = signed()
    with pytest.raises(InputError, match="a kernel object is needed"):
        LandmarkMap("rbf").fit(X)
    with pytest.raises(InputError, match="one of 'uniform'"):
        LandmarkMap(landmarks="random").fit(X)
    with pytest.raises(InputError, match="7 are needed"):
        LandmarkMap(landmarks=X[:, :3]).fit(X)
    with pytest.raises(InputError, match="Negative values"):
        LandmarkMap(Acos() * AcosChi2()).fit(X)
    with pytest.raises(InputError, match="Negative values"):
        LandmarkMap(MinMax(), landmarks=X).fit(abs(X))


@pytest.mark.parametrize("none", [[], signed()[:0], signed()[0], scipy.sparse.csr_array((0, 7))])
def test_no_rows_and_bare_rows_are_refused_by_name(none):
    phi = LandmarkMap(GMM(), 5, random_state=0).fit(signed())
    for name, call in (("landmarks", LandmarkMap(GMM(), landmarks=none).fit), ("rows", lambda X: phi.extend(none))):
        with pytest.raises(InputError, match=rf"^{name} has shape .*\(m, 7\).*give X\[:1\]"):
            call(signed())
    assert len(phi.landmarks_) == 5


@pytest.mark.parametrize("kernel", [GMM(), MinMax() * Acos()], ids=["GMM", "MM-acos"])
def test_few_landmarks_recognise_letters(kernel):
    (X, y), (T, t) = real("letter", rows=3000), real("letter", "test", rows=1000)
    phi = LandmarkMap(kernel, 400, random_state=0).fit(X.astype(np.float32))
    model = LinearClassifier(C=100.0, tol=1e-2).fit(phi.features(X.astype(np.float32)), y)
    assert model.score(phi.features(T.astype(np.float32)), t) > 0.81  # a linear model: 0.67
