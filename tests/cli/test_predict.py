"""`unkernel predict`."""

import csv

import numpy as np
import pytest

from unkernel import UnkernelClassifier, load_model, read, save


@pytest.fixture(scope="module")
def model(table, tmp_path_factory):
    data = read(table)
    fitted = UnkernelClassifier("rbf", scaling="none").fit(data.X, data.y)
    fitted.layout_ = data.layout
    path = tmp_path_factory.mktemp("model") / "model.uk"
    save(fitted, path)
    return path


def test_labels_come_first_then_what_was_asked(call, table, model):
    ran = call("predict", model, table, "--scores", "--probabilities")
    head, *rows = csv.reader(ran.stdout.splitlines())
    assert head == ["label", "score_same", "probability_differ", "probability_same"]
    fitted, X = load_model(model), read(table).X
    assert [row[0] for row in rows] == fitted.predict(X).tolist()
    np.testing.assert_array_equal(np.array(rows)[:, 1].astype(float), fitted.decision_function(X))
    np.testing.assert_array_equal(np.array(rows)[:, 2:].astype(float), fitted.predict_proba(X))


def test_blocks_change_nothing(call, table, model, monkeypatch):
    whole = call("predict", model, table).stdout
    monkeypatch.setattr("unkernel.cli.predict.ROWS", 7)
    assert call("predict", model, table).stdout == whole


def test_a_file_with_other_columns_around_is_read_by_name(call, table, model, tmp_path):
    _, *lines = table.read_text().splitlines()
    swapped = [",".join(["9", *line.split(",")[2::-1]]) for line in lines]
    (tmp_path / "new.csv").write_text("id,c,b,a\n" + "\n".join(swapped) + "\n")
    assert call("predict", model, "new.csv").stdout == call("predict", model, table).stdout


def test_the_output_is_whole_or_not_there(call, table, model, tmp_path):
    assert call("predict", model, table, "-o", "out.csv").exit_code == 0
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 161
    (tmp_path / "out.csv").unlink()
    (tmp_path / "cut.csv").write_text(table.read_text()[:-300] + "1,2\n")
    ran = call("predict", model, "cut.csv", "-o", "out.csv")
    assert ran.exit_code == 1
    assert "line" in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["cut.csv"]


def test_what_is_no_model_is_refused(call, table):
    ran = call("predict", table, table)
    assert ran.exit_code == 1
    assert "Traceback" not in ran.output


def test_nothing_is_printed_of_rows_that_are_refused(call, table, model, tmp_path):
    (tmp_path / "gap.csv").write_text("a,b,c\n1,,3\n")
    ran = call("predict", model, "gap.csv")
    assert ran.exit_code == 1
    assert not ran.stdout
