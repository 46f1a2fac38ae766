"""npz archives and npy files."""

import io

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_array_equal

from unkernel import iter_blocks, read
from unkernel.data.arrays import exact_float
from unkernel.data.base import ReadError

X = np.arange(12, dtype=np.uint8).reshape(4, 3)
Y = np.array([1, -1, 1, 1], dtype=np.int8)


def parts(prefix, A):
    A = scipy.sparse.csr_array(A)
    return {f"{prefix}_{what}": getattr(A, what) for what in ("data", "indices", "indptr", "shape")}


def archive(path, **arrays):
    np.savez_compressed(path, **arrays)
    return path


def test_an_archive_gives_rows_and_target(tmp_path):
    data = read(archive(tmp_path / "d.npz", X=X, y=Y, feature_names=["a", "b", "c"]))
    assert data.X.dtype == np.float32
    assert_array_equal(data.X, X)
    assert_array_equal(data.y, Y)
    assert data.feature_names.tolist() == ["a", "b", "c"]
    assert data.X_test is None
    assert "4 rows, 3 columns, dense float32" in repr(data)


def test_an_archive_with_a_split_gives_both_parts(tmp_path):
    path = archive(tmp_path / "d.npz", X_train=X, y_train=Y, X_test=X[:2], y_test=Y[:2])
    data = read(path, dtype=np.float64)
    assert data.X.dtype == data.X_test.dtype == np.float64
    assert_array_equal(data.X_test, X[:2])
    assert_array_equal(data.y_test, Y[:2])


def test_sparse_parts_and_files_of_scipy_are_csr(tmp_path):
    data = read(archive(tmp_path / "d.npz", y_train=Y, **parts("X_train", X)))
    assert_array_equal(data.X.toarray(), X)
    for form in ("csr", "csc"):
        scipy.sparse.save_npz(tmp_path / "s.npz", scipy.sparse.coo_array(X.astype(float)).asformat(form))
        saved = read(tmp_path / "s.npz")
        assert saved.X.format == "csr"
        assert saved.y is None
        assert_array_equal(saved.X.toarray(), X)


def test_an_npy_file_stays_on_disk(tmp_path):
    np.save(tmp_path / "d.npy", X.astype(np.float32))
    data = read(tmp_path / "d.npy")
    assert isinstance(data.X, np.memmap)
    assert data.y is None
    split = read(tmp_path / "d.npy", target="last")
    assert_array_equal(split.X, X[:, :2])
    assert_array_equal(split.y, X[:, 2])
    for at in (-2, 1):
        assert_array_equal(read(tmp_path / "d.npy", target=at).y, X[:, 1])
    with pytest.raises(ReadError, match="columns 0 to 2"):
        read(tmp_path / "d.npy", target="price")


def test_blocks_put_together_are_the_file(tmp_path):
    path = archive(tmp_path / "d.npz", X=X, y=Y)
    blocks = list(iter_blocks(path, rows=3))
    assert [len(b.y) for b in blocks] == [3, 1]
    assert_array_equal(np.concatenate([b.X for b in blocks]), X)


def test_blocks_of_an_npy_file_are_taken_from_disk(tmp_path):
    np.save(tmp_path / "d.npy", X)
    blocks = list(iter_blocks(tmp_path / "d.npy", rows=3, target="last"))
    assert_array_equal(np.concatenate([b.X for b in blocks]), X[:, :2])
    assert_array_equal(np.concatenate([b.y for b in blocks]), X[:, 2])
    assert all(b.layout == read(tmp_path / "d.npy", target="last").layout for b in blocks)
    np.save(tmp_path / "f.npy", X.astype(np.float32))
    assert all(isinstance(b.X, np.memmap) for b in iter_blocks(tmp_path / "f.npy", rows=3))


@pytest.mark.parametrize("stored", [np.bool_, np.int8, np.uint16, np.float16, np.float32])
def test_small_types_fit_float32(stored):
    assert exact_float(np.dtype(stored)) == np.float32


@pytest.mark.parametrize("stored", [np.int32, np.uint64, np.float64])
def test_large_types_need_float64(stored):
    assert exact_float(np.dtype(stored)) == np.float64


def damaged():
    indices_out = parts("X", X) | {"X_indices": np.full(11, 9)}
    yield "wide indices", indices_out, "not those of a CSR"
    yield "falling pointers", parts("X", X) | {"X_indptr": np.array([0, 5, 2, 8, 11])}, "not those of a CSR"
    yield "float indices", parts("X", X) | {"X_indices": np.zeros(11)}, "not those of a CSR"
    yield "bad shape", parts("X", X) | {"X_shape": np.array([4])}, "not those of a CSR"
    yield "no key", {"rows": X}, "holds the keys rows"
    yield "short y", {"X": X, "y": Y[:3]}, "key y: 3 values for 4 rows"
    yield "objects", {"X": X, "y": np.array([1, "a", None, 2], dtype=object)}, "key y"
    yield "flat", {"X": X.ravel()}, "2-dimensional"
    yield "text", {"X": X.astype(str)}, "2-dimensional array of numbers"
    yield "square y", {"X": X, "y": X}, "1-dimensional"
    yield "names", {"X": X, "feature_names": ["a"]}, "one name each"
    yield "test width", {"X_train": X, "X_test": X[:, :2]}, "key X_test: 2 columns"


@pytest.mark.parametrize(("arrays", "message"), [d[1:] for d in damaged()], ids=[d[0] for d in damaged()])
def test_what_is_wrong_is_named(arrays, message, tmp_path):
    with pytest.raises(ReadError, match=message) as caught:
        read(archive(tmp_path / "d.npz", **arrays))
    assert caught.value.path.endswith("d.npz")


@pytest.mark.parametrize("keep", [0.3, 0.7, 0.99])
@pytest.mark.parametrize("save", [np.save, lambda f, A: np.savez(f, X=A)])
def test_truncated_files_are_refused(keep, save):
    file = io.BytesIO()
    save(file, np.random.default_rng(0).random((40, 5)))
    whole = file.getvalue()
    with pytest.raises(ReadError, match="truncated"):
        read(io.BytesIO(whole[: int(keep * len(whole))]))


def test_the_width_of_another_set_is_kept(tmp_path):
    train = read(archive(tmp_path / "a.npz", X=X))
    with pytest.raises(ReadError, match="2 columns, where the data set it should be like has 3"):
        read(archive(tmp_path / "b.npz", X=X[:, :2]), like=train)
    with pytest.raises(ReadError, match="no key 'price'"):
        read(tmp_path / "a.npz", target="price")
    with pytest.raises(ValueError, match="not an option of npz files"):
        read(tmp_path / "a.npz", header=True)
