"""Charts made visible: the looks of both grounds, and still pictures as SVG or PNG."""

from pathlib import Path
from typing import Any

from .._beside import beside
from .._validate import InputError, check_choice
from .chart import INK, Figure, charts
from .summary import completed

LIGHT = {"ground": "#ffffff", "ink": "#1b2330", "faint": "#5a6472", "line": "#d5dae1"}
DARK = {"ground": "#161b22", "ink": "#e8edf3", "faint": "#a3aebb", "line": "#39424d"}


def config(shade: dict[str, str]) -> dict[str, Any]:
    """Vega-Lite configuration for a ground."""
    axis = {"domainColor": shade["line"], "gridColor": shade["line"], "tickColor": shade["line"],
            "labelColor": shade["faint"], "titleColor": shade["ink"], "titleFontWeight": "normal",
            "labelFontSize": 12, "titleFontSize": 13, "gridDash": [2, 3], "labelLimit": 160}  # fmt: skip
    words = {"labelColor": shade["ink"], "titleColor": shade["ink"], "labelFontSize": 12, "labelLimit": 240}
    return {
        "background": shade["ground"], "font": "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
        "axis": axis, "legend": words | {"orient": "bottom", "title": None, "columns": 2}, "view": {"stroke": None},
        "text": {"color": shade["ink"], "fontSize": 12}, "rule": {"color": shade["faint"]},
        "range": {"category": INK}, "title": {"color": shade["ink"]},
    }  # fmt: skip


def picture(figure: Figure, kind: str = "svg", *, width: int = 680, shade: dict[str, str] = LIGHT) -> str | bytes:
    """The figure as a still picture: SVG text or PNG bytes."""
    try:
        import vl_convert
    except ImportError as error:
        raise InputError("figures need altair and vl-convert, an extra: pip install 'unkernel[report]'") from error
    spec = figure.spec | {"width": width, "config": config(shade)}
    if kind == "svg":
        return vl_convert.vegalite_to_svg(spec)
    return vl_convert.vegalite_to_png(spec, scale=2)


def save_figures(summary: dict[str, Any], folder, kind: str = "svg") -> list[Path]:
    """Write every figure of a summary into a folder, as `<name>.svg` or `<name>.png`, and say where."""
    check_choice("kind", kind, ("svg", "png"))
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for figure in charts(completed(summary)):
        still = picture(figure, kind)
        with beside(folder / f"{figure.name}.{kind}", "w" if kind == "svg" else "wb") as file:
            file.write(still)
        written.append(folder / f"{figure.name}.{kind}")
    return written
