"""One summary, one page: everything inlined, nothing fetched, readable without JavaScript and on paper."""

import base64
import functools
import json
from pathlib import Path
from typing import Any

from .._beside import beside
from .._validate import InputError
from .chart import charts
from .figure import DARK, LIGHT, config, picture
from .summary import completed
from .words import bytes_in_words, gap_in_words, number_in_words, score_in_words, seconds_in_words

_TEMPLATES = Path(__file__).parent / "templates"
_WORDS = (bytes_in_words, gap_in_words, number_in_words, score_in_words, seconds_in_words)


def page(summary: dict[str, Any]) -> str:
    """The summary as one self-contained HTML page.

    Parameters
    ----------
    summary : dict
        What `Verdict.to_dict()` gives.

    Notes
    -----
    Each figure is there twice: as a still picture for readers without JavaScript and for paper, and as a Vega-Lite
    specification that the inlined library draws in the reader's colours. The page forbids itself every request.
    """
    summary = completed(summary)
    drawn = {figure.name: figure for figure in charts(summary)}
    stills = {name: _data_url(picture(figure)) for name, figure in drawn.items()}
    data = {"specs": {name: figure.spec for name, figure in drawn.items()},
            "light": config(LIGHT), "dark": config(DARK)}  # fmt: skip
    return _template().render(
        s=summary, figures=drawn, stills=stills, data=_for_script(data), library=_library(),
        style=(_TEMPLATES / "page.css").read_text("utf-8"), script=(_TEMPLATES / "page.js").read_text("utf-8"),
    )  # fmt: skip


def write_page(summary: dict[str, Any], path) -> Path:
    """Write the page of a summary to a file, whole or not at all, and say where."""
    text = page(summary)
    with beside(path) as file:
        file.write(text)
    return Path(path)


def fragment(summary: dict[str, Any]) -> str:
    """The answer and the candidates as a small piece of HTML without scripts, for notebooks."""
    return _template("fragment.html.j2").render(s=completed(summary))


@functools.cache
def _template(name: str = "page.html.j2"):
    try:
        import jinja2
    except ImportError as error:
        raise InputError("a page needs jinja2 and vl-convert, an extra: pip install 'unkernel[report]'") from error
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip
    environment.filters |= {words.__name__.removesuffix("_in_words"): words for words in _WORDS}
    return environment.get_template(name)


@functools.cache
def _library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, with what would end a script element taken apart."""
    import vl_convert

    return vl_convert.javascript_bundle("window.draw = vegaEmbed;").replace("</script", "<\\/script")


def _for_script(data: Any) -> str:
    """JSON that no text in it can break out of."""
    return json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _data_url(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
