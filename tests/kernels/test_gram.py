"""The Gram engine: memory, output and use by scikit-learn."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.svm import SVC

from catalogue import nonnegative
from unkernel import RBF, Acos, InputError, MinMax
from unkernel.kernels import gram


def test_matrix_that_does_not_fit_names_the_map(monkeypatch):
    monkeypatch.setattr(gram, "free_bytes", lambda: 10_000)
    X = nonnegative(0)
    with pytest.raises(InputError, match=r"40 x 40 float64 values takes.*use MinMaxMap.*numpy\.memmap"):
        MinMax()(X)
    with pytest.raises(InputError, match="use ProductMap"):
        (MinMax() * Acos())(X)
    assert MinMax()(X, out=np.empty((40, 40)))[0, 0] == 1


def test_free_memory_is_known_here():
    assert 1 << 20 < gram.free_bytes() < 1 << 62


@pytest.mark.parametrize("out", [np.empty((3, 3)), np.empty((40, 40), int)])
def test_out_of_another_shape_or_type_is_refused(out):
    with pytest.raises(InputError, match=r"out has shape .* of shape \(40, 40\)"):
        MinMax()(nonnegative(0), out=out)


def test_widths_must_agree():
    with pytest.raises(InputError, match="Y has 3 columns and 7 are needed"):
        MinMax()(nonnegative(0), np.ones((2, 3)))


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_svc_takes_a_kernel(form):
    X, y = nonnegative(0, 60), np.tile([0, 1, 2], 20)
    model = SVC(kernel=MinMax()).fit(form(X), y)
    expected = SVC(kernel="precomputed").fit(MinMax()(X), y)
    np.testing.assert_allclose(
        model.decision_function(form(X[:9])), expected.decision_function(MinMax()(X[:9], X)), rtol=1e-9
    )


def test_nystroem_and_pairwise_kernels_take_a_kernel_pair_by_pair():
    X = nonnegative(0)
    np.testing.assert_allclose(pairwise_kernels(X, X[:4], metric=MinMax()), MinMax()(X, X[:4]), rtol=1e-12)
    Z = Nystroem(kernel=MinMax(), n_components=40, random_state=0).fit_transform(X)
    np.testing.assert_allclose(Z @ Z.T, MinMax()(X), atol=1e-8)


def test_nystroem_takes_a_gram_of_landmarks_at_full_speed():
    X = nonnegative(0)
    landmarks, kernel = X[:20], RBF("median").fit(X)
    map_ = Nystroem(kernel="precomputed", n_components=20, random_state=0).fit(kernel(landmarks))
    Z = map_.transform(kernel(X, landmarks))
    np.testing.assert_allclose((Z @ Z.T)[:20], kernel(landmarks, X), atol=1e-6)


def test_progress_that_raises_stops_the_work():
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        MinMax()(nonnegative(0), progress=stop)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 6), (8, 8), (16, 64)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_symmetric_matrix_is_mirrored_whatever_the_blocks(monkeypatch, rows, columns, dtype):
    X = nonnegative(0)
    expected = MinMax()(X, X.copy())
    monkeypatch.setattr(gram, "BLOCK_ROWS", rows)
    monkeypatch.setattr(gram, "BLOCK_COLUMNS", columns)
    monkeypatch.setattr(gram, "STRIP", 4)
    K = MinMax()(X, out=np.full((40, 40), np.nan, dtype), n_jobs=2)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K, expected, rtol=1e-6 if dtype == np.float32 else 1e-12)


def test_out_that_is_part_of_the_rows_is_refused():
    X = np.ones((40, 40))
    with pytest.raises(InputError, match="out shares its memory with the rows"):
        MinMax()(X, out=X)


@pytest.mark.parametrize("out", [[[0.0]], np.empty((40, 40), np.float16)])
def test_out_that_is_no_array_or_too_narrow_is_refused(out):
    with pytest.raises(InputError, match=r"out has shape .* writable float32 or float64 array"):
        MinMax()(nonnegative(0), out=out)


def test_memory_is_asked_for_before_rows_are_prepared_and_for_every_member(monkeypatch):
    def prepare(self, X):
        raise AssertionError("rows were prepared first")

    monkeypatch.setattr(MinMax, "_rows", prepare)
    monkeypatch.setattr(gram, "free_bytes", lambda: 10_000)
    with pytest.raises(InputError, match="use MinMaxMap"):
        MinMax()(nonnegative(0))
    monkeypatch.setattr(gram, "free_bytes", lambda: 20_000)
    with pytest.raises(InputError, match=r"2 Gram matrices of 40 x 40 .* use ProductMap"):
        (MinMax() * Acos()).base(nonnegative(0))


def test_the_limit_of_a_container_counts(monkeypatch, tmp_path):
    monkeypatch.setattr(gram, "CONTROL_GROUP", tmp_path)
    assert gram.free_bytes() > 1 << 20
    files = {"memory.max": "9000", "memory.current": "5000", "memory.stat": "anon 1\ninactive_file 500"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert gram.free_bytes() == 4500
    (tmp_path / "memory.max").write_text("max")
    assert gram.free_bytes() > 1 << 20
