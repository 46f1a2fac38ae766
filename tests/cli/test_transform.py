"""`unkernel transform`."""

import numpy as np
import pytest

from unkernel import FourierMap, LinearClassifier, read, save


def test_features_of_a_file(call, table, tmp_path):
    ran = call("transform", table, "-o", "f.npz", "--components", "16", "--seed", "5", "-q")
    assert ran.exit_code == 0, ran.output
    made, data = read(tmp_path / "f.npz"), read(table)
    np.testing.assert_array_equal(made.X, FourierMap(16, random_state=5).fit_transform(data.X))
    assert made.y.tolist() == data.y.tolist()


@pytest.mark.parametrize("name", ["sign-gaussian", "folded-fourier"])
def test_a_map_is_kept_for_other_rows(call, table, tmp_path, name):
    words = ("--map", name, "--components", "8", "-q")
    assert call("transform", table, "-o", "f.npz", *words, "--save-map", "map.uk").exit_code == 0
    ran = call("transform", table, "-o", "g.npz", "--with-map", "map.uk")
    assert ran.exit_code == 0, ran.output
    first, second = read(tmp_path / "f.npz").X, read(tmp_path / "g.npz").X
    assert abs(first - second).sum() == 0


def test_text_needs_numbers_for_labels_and_says_so(call, table, tmp_path):
    ran = call("transform", table, "-o", "f.svm", "--target", "c", "--drop", "kind", "-q")
    assert ran.exit_code == 0, ran.output
    assert read(tmp_path / "f.svm").X.shape == (160, 1024)
    ran = call("transform", table, "-o", "g.svm", "--target", "kind", "-q")
    assert ran.exit_code == 1
    assert "npz" in ran.stderr


def test_another_ending_is_misuse(call, table):
    assert call("transform", table, "-o", "f.txt").exit_code == 2


def test_a_model_is_no_map(call, table, tmp_path):
    data = read(table)
    save(LinearClassifier().fit(data.X, data.y), tmp_path / "model.uk")
    ran = call("transform", table, "-o", "f.npz", "--with-map", "model.uk", "-q")
    assert ran.exit_code == 1
    assert "is no map" in ran.stderr
