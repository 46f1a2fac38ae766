"""Min-max hashing as users meet it: scikit-learn's rules, invariance, limits, accuracy in few columns."""

import hashlib
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import make_circles
from sklearn.svm import LinearSVC

from catalogue import CENTER, signed
from unkernel import Codes, InputError, MinMaxMap
from unkernel.maps.choice import ALGORITHMS

X = signed(2, n=60)
FANCY = "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"  # of NumPy's own loops


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_codes_do_not_depend_on_batch_form_or_type(algorithm):
    map_ = MinMaxMap(70, algorithm=algorithm, random_state=1).fit(X)
    F = map_.features(X)
    for other in (
        map_.features(scipy.sparse.csr_matrix(X)),
        MinMaxMap(70, algorithm=algorithm, random_state=1).fit(scipy.sparse.csr_array(X)).features(X),
    ):
        np.testing.assert_array_equal(other.codes, F.codes)
        np.testing.assert_array_equal(other.filled, X.any(axis=1))
    for i in (0, 5, 17):
        np.testing.assert_array_equal(map_.features(X[i : i + 1]).codes[0], F.codes[i])
    narrow = X.astype(np.float32)
    np.testing.assert_array_equal(map_.features(narrow).codes, map_.features(narrow.astype(float)).codes)


def test_output_is_csr_or_codes():
    map_ = MinMaxMap(8, bits=4, t_bits=0, algorithm="icws", random_state=0).fit(X)
    A = map_.transform(X)
    assert scipy.sparse.issparse(A)
    assert A.shape == (60, 8 * 16) == (60, len(map_.get_feature_names_out()))
    assert A.indices.dtype == np.int32
    assert map_.transform(X.astype(np.float32)).dtype == np.float32
    codes = map_.set_params(output="codes").transform(X)
    assert isinstance(codes, Codes)
    assert isinstance(map_.fit_transform(X), Codes)
    np.testing.assert_array_equal(codes.to_dense(), A.toarray().astype(np.float32))
    np.testing.assert_allclose(np.square(A.toarray()).sum(axis=1), X.any(axis=1))


def test_the_papers_code_is_the_low_bits_of_the_column():
    map_ = MinMaxMap(50, bits=2, t_bits=0, algorithm="icws", random_state=0).fit(X)
    columns, _ = map_.samples(X)
    filled = X.any(axis=1)
    np.testing.assert_array_equal(map_.features(X).codes[filled], columns[filled] & 3)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_center_shifts_rows(algorithm):
    map_ = MinMaxMap(20, algorithm=algorithm, center=CENTER, random_state=0).fit(X)
    plain = MinMaxMap(20, algorithm=algorithm, random_state=0).fit(X - CENTER)
    np.testing.assert_array_equal(map_.features(X).codes, plain.features(X - CENTER).codes)
    with pytest.raises(InputError, match="toarray"):
        map_.fit(scipy.sparse.csr_array(X))


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "auto"])
def test_few_columns_are_enough(algorithm):
    rng = np.random.default_rng(0)
    position = rng.uniform(-1, 1, (3000, 1))
    stripe = np.floor(6 * position[:, 0]) % 2
    circles = make_circles(3000, noise=0.05, factor=0.5, random_state=0)
    for rows, y in ((position, stripe), circles):
        A = MinMaxMap(256, algorithm=algorithm, random_state=0).fit(rows[:2000]).transform(rows)
        assert LinearSVC(C=10, random_state=0).fit(A[:2000], y[:2000]).score(A[2000:], y[2000:]) >= 0.99


@pytest.mark.filterwarnings("ignore:.*above the bounds", "ignore:.*over 16 times")
@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "auto"])
def test_values_beyond_the_rows_of_fit_are_sampled(algorithm):
    map_ = MinMaxMap(16, algorithm=algorithm, random_state=0).fit(np.ones((3, 2)))
    F = map_.features([[1e300, -1e-300], [0.0, -1.0], [0.0, 0.0]])
    assert F.filled.tolist() == [True, True, False]


def digest():
    """Of the codes of every sampler on fixed rows."""
    X = signed(9, n=30, d=5)
    codes = [MinMaxMap(40, algorithm=a, p=1.7, random_state=3).fit(X).features(X).codes for a in ALGORITHMS]
    return hashlib.sha256(np.concatenate(codes).tobytes()).hexdigest()


def test_codes_do_not_depend_on_the_processor():
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import test_minmax as t; print(t.digest())"
    plain = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NPY_DISABLE_CPU_FEATURES": FANCY}
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    run = subprocess.run(
        [sys.executable, "-c", code], env={**plain, "PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == digest()


def test_amounts_above_the_bounds_are_counted_and_named():
    map_ = MinMaxMap(16, algorithm="rejection", random_state=0).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        map_.features(X)
        with pytest.raises(UserWarning, match="above the bounds learned at fit"):
            map_.features(2 * X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bits": 17}, "bits is 17"),
        ({"bits": 16, "t_bits": 1}, "t_bits is 1 and bits is 16; .*at most 0: take fewer"),
        ({"t_bits": 16}, "t_bits is 16 and bits is 'auto'; .*at most 15"),
        ({"t_bits": -1}, "t_bits is -1"),
        ({"t_bits": "few"}, "t_bits is 'few'"),
        ({"t_bits": 2, "algorithm": "rejection"}, "t_bits is 2 .*'rejection' have no step; use t_bits='auto'"),
        ({"t_bits": 1, "algorithm": "dart"}, "t_bits is 1 .*'dart' have no step"),
        ({"p": 0}, "p is 0"),
        ({"algorithm": "cws"}, "algorithm is 'cws'"),
        ({"output": "dense"}, "output is 'dense'"),
        ({"n_components": 0}, "n_components is 0"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        MinMaxMap(**options).fit(X)


def test_bits_of_steps_asked_for_are_kept():
    full = np.random.default_rng(0).random((50, 200))
    assert MinMaxMap(64, random_state=0).fit(full).algorithm_ == "rejection"
    map_ = MinMaxMap(64, t_bits=2, random_state=0).fit(full)
    assert (map_.algorithm_, map_.t_bits_) == ("icws", 2)
    assert MinMaxMap(16, t_bits=0, algorithm="dart", random_state=0).fit(full).t_bits_ == 0


def test_codes_that_do_not_fit_are_refused_before_any_is_made(monkeypatch):
    map_ = MinMaxMap(64, random_state=0).fit(X)
    monkeypatch.setattr("unkernel.maps.minmax.free_bytes", lambda: 64 * len(X) - 1)
    with pytest.raises(InputError, match=r"64 codes of 60 rows take .*transform fewer rows"):
        map_.transform(X)


def test_the_first_negative_values_after_fit_are_told():
    X = np.abs(signed(0)) + 0.1
    map_ = MinMaxMap(16, algorithm="icws", random_state=0).fit(X)
    with pytest.warns(UserWarning, match="negative values and the rows of fit had none.*fit on rows of both signs"):
        map_.transform(-X)


def test_a_map_is_multiplied_with_maps_alone():
    with pytest.raises(TypeError):
        MinMaxMap() * 3
