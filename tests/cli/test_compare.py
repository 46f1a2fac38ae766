"""`unkernel compare`."""

import json


def test_it_prints_a_table_and_a_page(call, table, tmp_path):
    ran = call("compare", table, "--kernel", "rbf", "--html", "page.html")
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.splitlines()[1].split()[:3] == ["kernel", "accuracy", "95"]
    assert [line.split()[0] for line in ran.stdout.splitlines()[2:]] == ["linear", "rbf", "auto"]
    assert "compare:" in ran.stderr
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")


def test_json_is_everything_and_names_the_command(call, table):
    ran = call("compare", table, "--kernel", "minmax", "--json", "-q")
    found = json.loads(ran.stdout)
    assert [one["name"] for one in found["candidates"]] == ["linear", "minmax", "auto"]
    assert found["reproduce"]["command"] == f"unkernel compare {table} --kernel minmax"
    assert ran.stderr == ""


def test_a_misspelt_kernel_is_misuse(call, table):
    ran = call("compare", table, "--kernel", "minmix")
    assert ran.exit_code == 2
    assert "did you mean 'minmax'" in ran.stderr
