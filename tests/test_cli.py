"""The command line: what it prints, what it refuses, and how it leaves."""

import subprocess
import sys

from click.testing import CliRunner

import unkernel
from unkernel.cli import main


def test_version():
    assert CliRunner().invoke(main, ["--version"]).output == f"unkernel {unkernel.__version__}\n"


def test_help_is_what_no_command_gives():
    assert CliRunner().invoke(main, ["-h"]).output == CliRunner().invoke(main, []).output


def test_an_unknown_command_is_refused():
    ran = CliRunner().invoke(main, ["chekc"])
    assert ran.exit_code == 2
    assert "there is no command 'chekc'; did you mean 'check'?" in ran.output


def test_it_is_a_module_too():
    ran = subprocess.run([sys.executable, "-m", "unkernel", "--version"], capture_output=True, text=True)
    assert ran.stdout == f"unkernel {unkernel.__version__}\n"


def test_without_click_it_says_what_to_install():
    code = "import sys; sys.modules['click'] = None; import unkernel.cli"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stderr == ("The command line needs click and rich, which are an extra: pip install 'unkernel[cli]'\n")
