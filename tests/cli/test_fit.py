"""`unkernel fit`."""

import json

import pytest

from unkernel import load_model
from unkernel.cli.fit import KERNELS
from unkernel.estimators import candidates


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
    assert ran.exit_code == 2
    assert "did you mean 'rbf'?" in ran.stderr
    assert not list(tmp_path.iterdir())


def test_kernels_on_offer_are_those_there_are():
    assert ("auto", *candidates.NAMES) == KERNELS


def test_progress_and_json(call, table):
    ran = call("fit", table, "-o", "model.uk", "--target", "kind", "--json")
    found = json.loads(ran.stdout)
    assert found["model"] == "model.uk"
    assert found["chosen"]["loss"] <= found["trials"][0][-1]["loss"]
    assert found["verdict"]["worth"] == "yes"
    assert "the exact kernel of 160 rows, about" in ran.stderr


def test_ctrl_c_leaves_nothing_behind(call, table, monkeypatch, tmp_path):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("unkernel.estimators.machine.ExactMachine.fit", interrupted)
    ran = call("fit", table, "-o", "model.uk")
    assert ran.exit_code == 130
    assert not list(tmp_path.iterdir())


def test_an_output_is_asked_for(call, table):
    assert call("fit", table).exit_code == 2


@pytest.mark.parametrize("words", [("--components", "0"), ("--components", "many"), ("--jobs", "0")])
def test_values_that_are_none_are_misuse(call, table, words):
    ran = call("fit", table, "-o", "model.uk", *words)
    assert ran.exit_code == 2
    assert words[0] in ran.stderr


def test_a_place_that_cannot_be_written_is_refused_before_the_work(call, table):
    ran = call("fit", table, "-o", "nowhere/model.uk")
    assert ran.exit_code == 1
    assert "fit:" not in ran.stderr
    assert "nowhere" in ran.stderr


def test_text_has_no_regression(call, table):
    ran = call("fit", table, "-o", "model.uk", "--task", "regression", "-q")
    assert ran.exit_code == 1
    assert "np.str_" not in ran.stderr
    assert "regression needs numbers" in ran.stderr


def test_check_and_fit_agree_on_what_amounts_are(call, tmp_path):
    rows = [f"{i % 7},{i % 11},{100 + 3 * i}" for i in range(120)]
    (tmp_path / "prices.csv").write_text("\n".join(["a,b,price", *rows]))
    assert "--task regression -o MODEL" in call("check", "prices.csv", "-q").stdout
    assert call("fit", "prices.csv", "-o", "m.uk", "-q").exit_code == 0
    assert type(load_model(tmp_path / "m.uk")).__name__ == "UnkernelRegressor"
