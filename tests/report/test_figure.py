"""Still pictures of charts."""

import pytest

from samples import summary
from unkernel import InputError
from unkernel.report.chart import charts
from unkernel.report.figure import DARK, picture, save_figures
from unkernel.report.summary import completed


def test_pictures_as_svg_and_png():
    figure = charts(completed(summary()))[1]
    svg = picture(figure, shade=DARK)
    assert svg.startswith("<svg")
    assert "degree 2" in svg
    assert DARK["ground"] in svg
    assert picture(figure, "png").startswith(b"\x89PNG")


def test_saving_writes_every_figure(tmp_path):
    written = save_figures(summary(), tmp_path / "figures")
    assert [path.name for path in written] == [
        f"{n}.svg" for n in ("gap", "cost", "learning", "components", "paths", "confusion")
    ]
    assert sorted(written) == sorted((tmp_path / "figures").iterdir())
    assert all(path.read_text().startswith("<svg") for path in written)


def test_another_kind_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(InputError, match="'svg', 'png'"):
        save_figures(summary(), tmp_path / "figures", "jpeg")
    assert not (tmp_path / "figures").exists()
