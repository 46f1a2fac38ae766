"""`unkernel fit`."""

import pytest

from unkernel import load_model


def test_it_writes_a_model_that_knows_its_columns(call, table, tmp_path):
    ran = call("fit", table, "-o", "model.uk", "--target", "kind")
    assert ran.exit_code == 0, ran.output
    assert ran.stdout == "model.uk\n"
    assert "Chosen" in ran.stderr
    model = load_model(tmp_path / "model.uk")
    assert model.classes_.tolist() == ["differ", "same"]
    assert [column.name for column in model.layout_.columns] == ["a", "b", "c"]


@pytest.mark.parametrize(("target", "kind"), [("c", "UnkernelRegressor"), ("kind", "UnkernelClassifier")])
def test_the_target_says_the_task(call, table, tmp_path, target, kind):
    ran = call("fit", table, "-o", "model.uk", "--target", target, "--kernel", "linear", "-q")
    assert ran.exit_code == 0, ran.output
    assert type(load_model(tmp_path / "model.uk")).__name__ == kind


def test_nothing_is_written_when_it_fails(call, table, tmp_path):
    ran = call("fit", table, "-o", "model.uk", "--kernel", "rfb")
    assert ran.exit_code == 1
    assert "rfb" in ran.stderr
    assert not list(tmp_path.iterdir())


def test_an_output_is_asked_for(call, table):
    assert call("fit", table).exit_code == 2
