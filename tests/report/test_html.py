"""The page: complete, closed to the network, safe from what is in the data, and drawn in a real browser."""

import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from samples import NASTY, summary
from unkernel.report.html import fragment, page, write_page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="module")
def text():
    return page(summary())


class Outline(HTMLParser):
    """Tags that are open at the end, addresses that would be fetched, and all text outside scripts."""

    VOID = {"meta", "link", "img", "br", "hr", "input"}

    def __init__(self, text):
        super().__init__()
        self.open, self.fetched, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.fetched += [v for k, v in attrs if k in ("src", "href", "srcset", "data", "action")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.words.append(data)


def test_it_is_well_formed_and_fetches_nothing(text):
    outline = Outline(text)
    assert outline.open == []
    assert all(address.startswith(("data:", "#")) for address in outline.fetched)
    assert "default-src 'none'" in text


def test_text_of_the_data_stays_text(text):
    assert "".join(Outline(text).words).count(NASTY) >= 2
    assert "<script>alert" not in text
    assert text.count("<script") == 3


def test_it_says_what_the_summary_says(text):
    words = " ".join("".join(Outline(text).words).split())
    given = summary()
    for said in (
        given["answer"]["sentence"],
        *given["how"],
        "Worth it",
        "98.3 %",
        "1,797 rows",
        "unkernel check digits",
    ):
        assert said in words, said


def test_parts_that_are_missing_are_left_out():
    least = page({})
    assert "Undecided" in least
    assert not re.findall(r"<section id=\"(?:findings|candidates|paths|confusion)", least)


def test_it_is_written_whole(tmp_path):
    path = write_page(summary(), tmp_path / "report.html")
    assert path.read_text().startswith("<!doctype html>")
    assert list(tmp_path.iterdir()) == [path]


def test_a_fragment_has_no_script():
    piece = fragment(summary())
    assert "Worth it." in piece
    assert "<script" not in piece
    assert "min-max (chosen)" in piece


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as run:
        chromium = run.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield chromium
        chromium.close()


def opened(browser, path, **how):
    """The page once drawn, with all it complained of and asked for."""
    tab = browser.new_page(**how)
    tab.complaints, tab.asked = [], []
    tab.on("console", lambda message: tab.complaints.append(message.text))
    tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
    tab.on("request", lambda request: tab.asked.append(request.url))
    tab.goto(path.as_uri())
    tab.wait_for_selector("html[data-drawn]", timeout=60_000)
    return tab


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_page(summary(), tmp_path_factory.mktemp("page") / "report.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_a_browser_draws_it_in_silence(browser, path, scheme, width):
    tab = opened(browser, path, color_scheme=scheme, viewport={"width": width, "height": 900})
    assert tab.complaints == []
    assert [url for url in tab.asked if not url.startswith("data:")] == [path.as_uri()]
    drawn = tab.evaluate("[...document.querySelectorAll('.live svg')].map(s => s.getBoundingClientRect().width)")
    assert len(drawn) == 6
    assert min(drawn) > 200
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.get_attribute("html", "data-drawn") == scheme
    if folder := os.environ.get("UNKERNEL_ARTEFACTS"):
        tab.screenshot(path=Path(folder) / f"report-{scheme}-{width}.png", full_page=True)
    tab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(browser, path, scheme):
    script = os.environ.get("UNKERNEL_AXE")
    if not script:
        pytest.skip("UNKERNEL_AXE does not name axe.min.js")
    tab = opened(browser, path, color_scheme=scheme)
    for details in tab.query_selector_all("details"):
        details.evaluate("d => { d.open = true }")
    tab.evaluate(Path(script).read_text() + "; null")
    faults = tab.evaluate("axe.run()")["violations"]
    serious = [(f["id"], f["nodes"][0]["html"]) for f in faults if f["impact"] in ("serious", "critical")]
    assert serious == []
    tab.close()


def test_tables_sort_by_keyboard_and_the_shade_changes(browser, path):
    tab = opened(browser, path, color_scheme="light")
    tab.focus("table.sortable thead th:nth-child(2) button")
    tab.keyboard.press("Enter")
    assert tab.text_content("table.sortable tbody tr:first-child th").startswith("min-max")
    tab.keyboard.press("Enter")
    assert tab.text_content("table.sortable tbody tr:first-child th").startswith("linear")
    tab.click("#shade")
    tab.wait_for_selector("html[data-drawn=dark]")
    assert tab.text_content("#shade") == "Light"
    assert tab.complaints == []
    tab.close()


def test_without_scripts_and_on_paper_there_are_still_pictures(browser, path):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(path.as_uri())
    assert all(still.is_visible() for still in tab.query_selector_all(".still"))
    context.close()
    tab = opened(browser, path, color_scheme="dark")
    tab.emulate_media(media="print")
    assert all(still.is_visible() for still in tab.query_selector_all(".still"))
    assert not any(live.is_visible() for live in tab.query_selector_all(".live"))
    tab.close()
