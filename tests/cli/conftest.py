"""Files and a way to call the command line."""

import numpy as np
import pytest
from click.testing import CliRunner

from unkernel.cli import main


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    """A CSV file of 160 rows whose class is the sign of a product, and the rows themselves."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(160, 3)).round(3)
    y = np.where(X[:, 0] * X[:, 1] > 0, "same", "differ")
    path = tmp_path_factory.mktemp("files") / "rows.csv"
    lines = [f"{','.join(map(str, x))},{label}" for x, label in zip(X.tolist(), y, strict=True)]
    path.write_text("a,b,c,kind\n" + "\n".join(lines) + "\n")
    return path


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Run `unkernel` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words, **more: CliRunner().invoke(main, [str(word) for word in words], prog_name="unkernel", **more)
