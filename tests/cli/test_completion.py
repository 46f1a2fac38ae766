"""`unkernel completion`."""

import pytest


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(call, shell):
    ran = call("completion", shell)
    assert ran.exit_code == 0
    assert "_UNKERNEL_COMPLETE" in ran.stdout


def test_other_shells_are_misuse(call):
    assert call("completion", "cmd").exit_code == 2
