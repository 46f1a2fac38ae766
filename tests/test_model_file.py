"""The file of a model comes back as it was written, or not at all."""

import os

import numpy as np
import pytest

from unkernel import InputError, _model_file
from unkernel._model_file import read_model, write_model

ARRAYS = [
    np.arange(6.0).reshape(2, 3),
    np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
    np.arange(12, dtype=np.int64)[::2],
    np.array(3.5),
    np.empty((0, 4), dtype=np.uint8),
    np.array(["a", "bcd"]),
    np.array([True, False]),
    np.array([1, 2], dtype=">i4"),
    np.array(["2020-01-01"], dtype="datetime64[D]"),
    np.array([1 + 2j]),
]


def test_trees_and_arrays_come_back(tmp_path):
    tree = {"a": [1, "ü", None, 0.1], "b": {"c": True}}
    write_model(tmp_path / "m", tree, ARRAYS)
    found, arrays = read_model(tmp_path / "m")
    assert found == tree
    for was, now in zip(ARRAYS, arrays, strict=True):
        assert now.dtype == was.dtype.newbyteorder("=")
        assert now.shape == was.shape
        assert now.flags.writeable
        assert now.ndim < 2 or now.flags.f_contiguous == was.flags.f_contiguous
        np.testing.assert_array_equal(now, was)


def test_no_flipped_bit_is_accepted(tmp_path):
    path = tmp_path / "m"
    write_model(path, {"a": 1}, ARRAYS[:2])
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        with pytest.raises(InputError):
            read_model(path)


def test_no_cut_or_longer_file_is_accepted(tmp_path):
    path = tmp_path / "m"
    write_model(path, {"a": 1}, ARRAYS[:2])
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"is not a model|it is cut or damaged"):
            read_model(path)
    path.write_bytes(whole + b"x")
    with pytest.raises(InputError, match="it is cut or damaged"):
        read_model(path)


def test_another_version_is_refused_with_a_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr(_model_file, "VERSION", 7)
    write_model(tmp_path / "m", {}, [])
    monkeypatch.undo()
    with pytest.raises(InputError, match=r"version 7 of the layout .* install the unkernel that wrote it"):
        read_model(tmp_path / "m")


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "m"
    write_model(path, {"a": 1}, [])

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_model(path, {"a": 2}, [])
    assert read_model(path)[0] == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["m"]


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        read_model(tmp_path / "no")
    with pytest.raises(InputError, match="there is no such file"):
        read_model(tmp_path)
