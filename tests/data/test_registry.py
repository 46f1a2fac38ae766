"""Named data sets: where they are looked for, how they are cut, and what is said when they are nowhere."""

import bz2
import os

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_array_equal

from unkernel import InputError, load
from unkernel.data import registry
from unkernel.data.download import DownloadError
from unkernel.data.entries import BASES, CUTS, Base, Cut


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """A folder of data and a cache, both empty; a small base and cuts of it."""
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("UNKERNEL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("UNKERNEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(BASES, "tiny", Base(6, 4, 3, ("binary/tiny.bz2", "binary/tiny.t")))
    for take, sizes in {"draw": (3, 2), "pool": (5, 5), "train": (2, 3), "swap": (4, 6), "whole": (6, 4)}.items():
        monkeypatch.setitem(CUTS, f"tiny_{take}", Cut("tiny", *sizes, take, (1, 3), columns=2))
    return tmp_path


X, Y = np.arange(1, 31, dtype=np.uint8).reshape(10, 3), np.arange(10) % 4


def place(folder, sparse=False, rows=6):
    folder.mkdir(exist_ok=True)
    arrays = {"y_train": Y[:rows].astype(np.uint8), "y_test": Y[6:]}
    for part, A in (("train", X[:rows]), ("test", X[6:])):
        if sparse:
            A = scipy.sparse.csr_array(A)
            arrays |= {f"X_{part}_{what}": getattr(A, what) for what in ("data", "indices", "indptr", "shape")}
        else:
            arrays[f"X_{part}"] = A
    np.savez(folder / "tiny.npz", **arrays)


@pytest.mark.parametrize("folder", ["data", "cache"])
def test_a_set_is_found_in_the_folder_and_in_the_cache(folder, folders):
    place(folders / folder)
    data = load("tiny", download=False)
    assert_array_equal(data.X, X[:6])
    assert_array_equal(data.y_test, Y[6:])
    assert data.y.dtype == np.int64
    assert data.source == "tiny"


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("take", ["draw", "pool", "train", "swap", "whole"])
def test_cuts_have_the_rows_they_say(take, sparse, folders):
    place(folders / "data", sparse)
    data, again = load(f"tiny_{take}"), load(f"tiny_{take}")
    parts = [(data.X, data.y), (data.X_test, data.y_test)]
    parts = [(A.toarray() if sparse else A, y) for A, y in parts]
    number = {tuple(row[:2]): i for i, row in enumerate(X.tolist())}
    rows = [[number[tuple(row)] for row in A.astype(int).tolist()] for A, _ in parts]
    for (_, y), which in zip(parts, rows, strict=True):
        assert_array_equal(y, np.where(np.isin(Y[which], (1, 3)), 1, -1))
    assert len(set(rows[0]) | set(rows[1])) == len(rows[0]) + len(rows[1])
    assert (len(rows[0]), len(rows[1])) == (CUTS[f"tiny_{take}"].train, CUTS[f"tiny_{take}"].test)
    first = {"swap": range(6, 10), "pool": range(10)}.get(take, range(6))
    assert set(rows[0]) <= set(first)
    assert_array_equal(data.y, again.y)


def test_a_set_is_downloaded_once_and_kept(folders, monkeypatch):
    text = [b"".join(b"%d 1:%d 2:%d 3:%d\n" % (y, *x) for x, y in zip(A, y, strict=True)) for A, y in
            ((X[:6].tolist(), Y[:6].tolist()), (X[6:].tolist(), Y[6:].tolist()))]  # fmt: skip
    asked = []

    def fetch(url, path, *, progress=None):
        asked.append(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text[1] if url.endswith(".t") else bz2.compress(text[0]))
        return path

    monkeypatch.setattr(registry, "fetch", fetch)
    for _ in range(2):
        data = load("tiny")
        assert_array_equal(data.X, X[:6])
        assert_array_equal(data.X_test, X[6:])
    assert [url.rpartition("/")[2] for url in asked] == ["tiny.bz2", "tiny.t"]
    assert (folders / "cache" / "tiny.npz").exists()


def test_what_is_nowhere_says_where_to_put_it():
    with pytest.raises(DownloadError, match=r"download is off: .*put it at .*tiny.npz.*X_test, y_test \(6 x 3"):
        load("tiny", download=False)
    with pytest.raises(DownloadError, match=r"licensed.*put it at .*timit.npz"):
        load("timit")


def test_digits_are_always_there():
    assert load("digits", download=False).X.shape == (1797, 64)


def test_a_network_that_fails_is_told_with_the_place(monkeypatch):
    def broken(*where, **how):
        raise DownloadError("the address cannot be had")

    monkeypatch.setattr(registry, "fetch", broken)
    with pytest.raises(DownloadError, match=r"cannot be had; or put it at .*tiny.npz"):
        load("tiny")


def test_a_set_of_another_size_is_refused(folders):
    place(folders / "data", rows=5)
    with pytest.raises(InputError, match="tiny has 5 train and 4 test rows of 3 columns, and 6 train"):
        load("tiny")


def test_a_misspelt_name_is_answered_with_the_near_ones():
    with pytest.raises(InputError, match="did you mean 'covertype10k'"):
        load("covertype_10k")


def test_the_cache_is_where_the_user_says(monkeypatch, tmp_path):
    assert registry.cache_folder() == tmp_path / "cache"
    monkeypatch.delenv("UNKERNEL_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert registry.cache_folder() == tmp_path / "unkernel"


REAL = os.environ.get("UNKERNEL_DATA")


@pytest.mark.skipif(not REAL, reason="set UNKERNEL_DATA to the folder of real data sets")
@pytest.mark.parametrize(
    "name", ["ijcnn5k", "letter4k", "spam", "satimage_half", "shuttle500", "a9a", "poker_train_binary"]
)
def test_real_sets_have_the_sizes_of_the_papers(name, monkeypatch):
    monkeypatch.setenv("UNKERNEL_DATA", REAL)
    entry = registry.find(name)
    if registry.locate(entry.base) is None:
        pytest.skip(f"{entry.base}.npz is not here")
    data = load(name, download=False)
    assert data.X.shape == (entry.train, entry.columns)
    assert entry.test is None or data.X_test.shape == (entry.test, entry.columns)
