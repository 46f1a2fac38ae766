"""`unkernel check`."""

import json

import pytest


def test_it_says_the_answer(call, table):
    ran = call("check", table, "--target", "kind")
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.startswith("A kernel is worth it")
    assert "check:" in ran.stderr  # plain lines of progress, apart from the answer


def test_json_is_the_whole_summary_and_names_the_command(call, table):
    ran = call("check", table, "--target", "kind", "--json", "--seed", "3", "-q")
    summary = json.loads(ran.stdout)
    assert summary["answer"]["worth"] == "yes"
    assert summary["reproduce"]["command"] == f"unkernel check {table} --target kind --seed 3"
    assert ran.stderr == ""


def test_the_report_and_its_figures_are_written(call, table, tmp_path):
    ran = call("check", table, "--html", "r.html", "--figures", "figures")
    assert ran.exit_code == 0, ran.output
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "figures" / "cost.svg").exists()


def test_rows_from_a_pipe(call, table):
    ran = call("check", "-", "--format", "csv", "-q", input=table.read_bytes())
    assert ran.exit_code == 0, ran.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,x\n,y\n2,x\n", "missing"),
        ("a,b\n1,x\n2,x\n", "class"),
        ("", "empty"),
        ("a,b\n1,2,3\n", "line"),
    ],
)
def test_bad_files_are_one_line_and_exit_1(call, tmp_path, text, said):
    (tmp_path / "bad.csv").write_text(text)
    ran = call("check", "bad.csv", "-q")
    assert ran.exit_code == 1
    assert ran.stdout == ""
    assert said in ran.stderr
    assert "Traceback" not in ran.output


def test_a_file_that_is_not_there(call):
    assert call("check", "no.csv").exit_code == 1
    assert "no such file" in call("check", "no.csv").stderr


def test_a_column_that_is_not_there(call, table):
    for words in (("--target", "knid"), ("--drop", "knid")):
        ran = call("check", table, *words)
        assert ran.exit_code == 2
        assert "did you mean 'kind'?" in ran.stderr


def test_a_measure_that_is_not_there(call, table):
    ran = call("check", table, "--scoring", "acuracy")
    assert ran.exit_code == 2
    assert "did you mean 'accuracy'" in ran.stderr


def test_advice_is_a_command(call, table):
    ran = call("check", table, "--target", "kind", "--html", "r.html", "-q")
    assert f"unkernel fit {table} --target kind --kernel " in ran.stdout
    assert "-o MODEL" in ran.stdout
    assert ".make()" not in ran.stdout


def test_words_beyond_the_usual_number_may_be_allowed(call, tmp_path):
    rows = [f"w{i},{i % 2}" for i in range(300)]
    (tmp_path / "names.csv").write_text("\n".join(["name,y", *rows]))
    ran = call("check", "names.csv", "-q")
    assert ran.exit_code == 1
    assert "--max-categories" in ran.stderr
    assert call("transform", "names.csv", "--max-categories", "300", "-o", "out.npz", "-q").exit_code == 0


def test_misuse_is_exit_2(call, table):
    assert call("check").exit_code == 2
    assert call("check", table, "--epsilon", "-1").exit_code == 2
    assert call("check", table, "--epsilon", "nan").exit_code == 2
    assert call("check", table, "--budget", "inf").exit_code == 2


def test_ctrl_c_is_clean(call, table, monkeypatch, tmp_path):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("unkernel.check.run.check", interrupted)
    ran = call("check", table, "--html", "r.html")
    assert ran.exit_code == 130
    assert "stopped" in ran.stderr
    assert not list(tmp_path.iterdir())
