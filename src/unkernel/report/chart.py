"""The six charts of a summary, one function each: a complete summary in, at most one `Figure` out."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from .words import gap_in_words, is_share, number_in_words, score_in_words, seconds_in_words

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"  # names the grammar; nothing fetches it

# Colours that stay apart for colour-blind eyes and on both grounds; shapes, dashes and words say the same.
INK = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a7300", "#56a0d3", "#7f6bb3", "#6b6b6b"]


class Figure(NamedTuple):
    """A figure: what a page shows, what it says to those who cannot see it, and its numbers as a table."""

    name: str
    title: str
    caption: str
    spec: dict[str, Any]
    head: list[str]
    rows: list[list[str]]


def charts(summary: dict[str, Any]) -> list[Figure]:
    """All figures a complete summary has data for, in the order of the page."""
    return [figure for make in _CHARTS for figure in make(summary)]


def _gap(summary: dict) -> Iterator[Figure]:
    """The gap with its interval against nothing gained and against what would be worth it."""
    answer, scoring = summary["answer"], summary["answer"]["scoring"]
    if answer["gap"] is None or not answer["interval"]:
        return
    ends = answer["gap"], *answer["interval"], answer["epsilon"]
    gap, low, high, epsilon = (gap_in_words(end, scoring) for end in ends)
    said = f"{gap}, 95 % interval {low} to {high}"
    marks = [{"at": 0, "says": "no gain", "y": 1}, {"at": answer["epsilon"], "says": "worth it from here", "y": 14}]
    marks = {"values": [mark for mark in marks if mark["at"] is not None]}
    axis = {"title": f"gain over the linear model, {scoring}", "format": _digits(scoring, sign="+"), "grid": False}
    x = {"type": "quantitative", "axis": axis, "scale": {"nice": True}}
    rule = {"type": "rule", "strokeDash": [5, 4], "strokeWidth": 1.5}
    words = {"type": "text", "align": "left", "dx": 5, "baseline": "top"}
    bar = {"type": "bar", "height": 12, "cornerRadius": 6, "opacity": 0.45, "color": INK[0]}
    point = {"type": "point", "filled": True, "size": 130, "opacity": 1, "color": INK[0]}
    at, middle = x | {"field": "at"}, {"value": 46}
    place = {"field": "y", "type": "quantitative", "scale": None, "axis": None}  # lines of their own: ends may be near
    layer = [
        {"data": marks, "mark": rule, "encoding": {"x": at}},
        {"data": marks, "mark": words, "encoding": {"x": at, "y": place, "text": {"field": "says"}}},
        {"mark": bar, "encoding": {"x": x | {"field": "low"}, "x2": {"field": "high"}, "y": middle}},
        {"mark": point, "encoding": {"x": x | {"field": "gap"}, "y": middle, "tooltip": {"field": "says"}}},
    ]
    spec = _spec([dict(zip(("gap", "low", "high"), ends, strict=False), says=said)], 66, layer)
    caption = f"{said}. Dashed: no gain at all, and the gain from which a kernel is worth it."
    yield Figure(
        "gap", "The gap", caption, spec, ["gap", "low end", "high end", "worth it from"], [[gap, low, high, epsilon]]
    )


def _cost(summary: dict) -> Iterator[Figure]:
    """Score against seconds on all rows: up is better, left is cheaper."""
    scoring = summary["answer"]["scoring"]
    values = [_priced(c, scoring) for c in summary["candidates"] if _whole(c, "score", "full_seconds")]
    if not values:
        return
    how = "measured" if summary["measured"] else "predicted"
    axis = {"title": f"seconds of training, {how}", "format": "~g", "tickCount": 5}
    scale = {"type": "log", "padding": 40, "nice": False}
    x = {"field": "seconds", "type": "quantitative", "scale": scale, "axis": axis}
    y = _score(summary) | {"scale": {"zero": False, "padding": 14}}
    kinds = ["chosen", "linear", "candidate"]
    color = {"field": "kind", "scale": {"domain": kinds, "range": [INK[1], INK[0], INK[7]]}}
    shape = {"field": "kind", "scale": {"domain": kinds, "range": ["diamond", "square", "circle"]}}
    tooltip = _tooltip(name="candidate", said=scoring, cost="time")
    point = {"type": "point", "filled": True, "size": 130, "opacity": 1}
    words = {"type": "text", "align": "left", "dx": 10, "dy": -8}
    layer = [
        {"mark": point, "encoding": {"x": x, "y": y, "tooltip": tooltip, "color": color, "shape": shape}},
        {"mark": words, "encoding": {"x": x, "y": y, "text": {"field": "name"}}},
    ]
    layer = _ranges(values, {"type": "rule", "opacity": 0.7}, {"x": x, "y": y}) + layer
    head = ["candidate", scoring, "low", "high", "time on all rows"]
    rows = [[v[key] for key in ("name", "said", "low_said", "high_said", "cost")] for v in values]
    caption = "Up is better, left is cheaper. Lines are 95 % intervals of each score."
    yield Figure("cost", "Score against cost", caption, _spec(values, 320, layer), head, rows)


def _priced(candidate: dict, scoring: str) -> dict:
    kind = "chosen" if candidate["chosen"] else "linear" if candidate["family"] == "linear" else "candidate"
    said = {f"{end}_said": score_in_words(candidate[end], scoring) for end in ("low", "high")}
    return {
        **{key: candidate[key] for key in ("name", "score", "low", "high")}, **said, "kind": kind,
        "seconds": candidate["full_seconds"], "cost": seconds_in_words(candidate["full_seconds"]),
        "said": score_in_words(candidate["score"], scoring),
    }  # fmt: skip


def _lines(summary: dict, values: list[dict], title: str) -> dict[str, Any]:
    """One line per candidate with a band, told apart by colour and dash."""
    axis = {"title": title, "format": "~g", "tickCount": 6}
    x = {"field": "x", "type": "quantitative", "scale": {"type": "log", "nice": False}, "axis": axis}
    y, domain = _score(summary), list(dict.fromkeys(value["name"] for value in values))
    legend = {"symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 2.5, "symbolSize": 400}
    names = {"field": "name", "type": "nominal", "scale": {"domain": domain}, "legend": legend}
    tooltip = _tooltip(name="candidate", x=title, said="score")
    point = {"type": "point", "filled": True, "size": 55, "opacity": 1}
    layer = [
        {
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {"x": x, "y": y, "color": names, "strokeDash": names},
        },
        {"mark": point, "encoding": {"x": x, "y": y, "color": names, "tooltip": tooltip}},
    ]
    band = _ranges(values, {"type": "area", "opacity": 0.13}, {"x": x, "y": y, "color": names})
    return _spec(values, 260, band + layer)


def _paths(summary: dict) -> Iterator[Figure]:
    """Cross-validated score along C."""
    scoring, values = summary["answer"]["scoring"], []
    for c in summary["candidates"]:
        for step in c["C_path"]:
            error = step.get("error") or 0.0
            ends = {"low": step["score"] - error, "high": step["score"] + error}
            values.append({"name": c["name"], "x": step["C"], "score": step["score"], **ends})
    caption = "Cross-validated score along C, which weighs errors against simplicity; bands are one standard error."
    if values:
        yield _lined(summary, values, Figure("paths", "The choice of C", caption, {}, ["candidate", "C", scoring], []))


def _learning(summary: dict) -> Iterator[Figure]:
    """Score along the rows learnt from."""
    values = [e | {"x": e["rows"]} for e in summary["curve"] if _whole(e, "rows", "score")]
    caption, head = "A line that still climbs asks for more rows.", ["candidate", "rows", summary["answer"]["scoring"]]
    if values:
        yield _lined(summary, values, Figure("learning", "Would more rows help?", caption, {}, head, []))


def _components(summary: dict) -> Iterator[Figure]:
    """Score along the components of the map."""
    values = [e | {"x": e["components"]} for e in summary["components_curve"] if _whole(e, "components", "score")]
    caption, head = "A line that is flat has enough.", ["candidate", "components", summary["answer"]["scoring"]]
    if values:
        yield _lined(summary, values, Figure("components", "Would more components help?", caption, {}, head, []))


def _lined(summary: dict, values: list[dict], figure: Figure) -> Figure:
    """The figure with its lines drawn and its numbers told."""
    for value in values:
        value["said"] = score_in_words(value["score"], summary["answer"]["scoring"])
    rows = [[v["name"], number_in_words(v["x"]), v["said"]] for v in values]
    title = f"{figure.head[1]} (logarithmic)"
    return figure._replace(spec=_lines(summary, values, title), rows=rows)


def _confusion(summary: dict) -> Iterator[Figure]:
    """Rows of each class against what they were taken for, shaded by share of the class."""
    confusion = summary["confusion"]
    if not confusion or not confusion["labels"]:
        return
    labels = [str(label) for label in confusion["labels"]]
    cells = [
        {"truth": truth, "taken": taken, "rows": n, "share": n / max(sum(row), 1)}
        for truth, row in zip(labels, confusion["counts"], strict=True)
        for taken, n in zip(labels, row, strict=True)
    ]
    caption = "Rows the chosen model was judged by; shade is the share of the true class. The table lists the most "
    wrong = sorted((c for c in cells if c["truth"] != c["taken"] and c["rows"]), key=lambda c: -c["rows"])[:30]
    rows = [[c["truth"], c["taken"], number_in_words(c["rows"]), f"{c['share']:.1%}"] for c in wrong]
    head = ["true class", "taken for", "rows", "share"]
    yield Figure(
        "confusion", "What is taken for what", caption + "frequent mistakes.", _grid(labels, cells), head, rows
    )


def _grid(labels: list[str], cells: list[dict]) -> dict[str, Any]:
    order, axis = {"type": "nominal", "sort": labels}, {"grid": False, "labelOverlap": "greedy"}
    x = order | {"field": "taken", "axis": axis | {"title": "taken for", "labelAngle": 0, "orient": "top"}}
    y = order | {"field": "truth", "axis": axis | {"title": "true class"}}
    scale = {"range": ["#eef3f8", "#0b4f80"], "domain": [0, 1]}
    shade = {"field": "share", "type": "quantitative", "scale": scale, "legend": None}
    tooltip = _tooltip(truth="true class", taken="taken for", rows="rows", share="share of the class")
    layer = [{"mark": {"type": "rect"}, "encoding": {"x": x, "y": y, "color": shade, "tooltip": tooltip}}]
    if len(labels) <= 16:
        ink = {"condition": {"test": "datum.share > 0.5", "value": "#ffffff"}, "value": "#1b2330"}
        layer.append({"mark": "text", "encoding": {"x": x, "y": y, "text": {"field": "rows"}, "color": ink}})
    return _spec(cells, max(180, min(26 * len(labels), 600)), layer)


def _spec(values: list[dict], height: int, layer: list[dict]) -> dict[str, Any]:
    fit = {"type": "fit-x", "contains": "padding"}
    return {"$schema": _SCHEMA, "width": "container", "height": height, "autosize": fit, "data": {"values": values},
            "layer": layer}  # fmt: skip


def _ranges(values: list[dict], mark: dict, encoding: dict) -> list[dict]:
    """A layer from low to high, where there is any."""
    if not any(value.get("low") is not None for value in values):
        return []
    y = {"y": encoding["y"] | {"field": "low"}, "y2": {"field": "high"}}
    known = [{"filter": "isValid(datum.low) && isValid(datum.high)"}]
    return [{"transform": known, "mark": mark, "encoding": encoding | y}]


def _digits(scoring: str, sign: str = "") -> str:
    return f"{sign}.1%" if is_share(scoring) else f"{sign}.3~f"


def _score(summary: dict) -> dict[str, Any]:
    scoring = summary["answer"]["scoring"]
    axis = {"title": scoring.replace("_", " "), "format": _digits(scoring)}
    return {"field": "score", "type": "quantitative", "scale": {"zero": False}, "axis": axis}


def _tooltip(**titles: str) -> list[dict[str, str]]:
    return [{"field": field, "title": title} for field, title in titles.items()]


def _whole(entry: dict, *names: str) -> bool:
    return all(entry[name] is not None for name in names)


_CHARTS = (_gap, _cost, _learning, _components, _paths, _confusion)
