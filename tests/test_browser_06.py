"""The explorer of lesson 06 in a real browser, as a saved page: it moves, keeps its height and stays inside."""

import pytest
from test_browser import height, open_page

from rag_lessons.cuts import head, middle, tail
from rag_lessons.page import save_page
from rag_lessons.plots import cut_caption, cut_html, document_panel
from rag_lessons.tokens import estimate_tokens
from rag_lessons.widgets import explorer_data

pytestmark = pytest.mark.browser

TEXT = " ".join(f"Sentence {n} is about terns, <b>boats</b> & a gauge_{'x' * n}." for n in range(60))
ASKED = "Where does sentence 41 speak of terns?"
START = TEXT.index("Sentence 41")
GOLD = [(START, START + 20)]
CUTS = {"head": head, "tail": tail, "middle": middle}


def state(percent, cut):
    kept = CUTS[cut](TEXT, estimate_tokens(TEXT) * percent // 100, marker="[...]")
    panel = document_panel(ASKED, TEXT, ASKED, kept.spans, GOLD)
    return cut_html(panel, TEXT, kept, GOLD), cut_caption(f"{cut} at {percent} %", panel, kept, GOLD)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    controls = {"percent_kept": [0, 10, 30, 80, 100], "cut": list(CUTS)}
    states = {(percent, cut): state(percent, cut) for percent in controls["percent_kept"] for cut in CUTS}
    path = tmp_path_factory.mktemp("cuts") / "explorer.html"
    return save_page(path, "explorer", explorer_data(controls, states, {"percent_kept": 30})).as_uri()


def test_the_budget_and_the_cut_change_curve_text_and_caption(address, browser_page):
    troubles = open_page(browser_page, address)
    region, caption = (
        browser_page.get_by_role("region", name="The text that is kept"),
        browser_page.locator(".rl-caption"),
    )
    assert region.inner_text().startswith("Sentence 0 is about terns, <b>boats</b> & a gauge_.")
    assert caption.inner_text() == state(30, "head")[1]
    browser_page.get_by_role("combobox", name="Cut").select_option(label="tail")
    assert "characters left out" in region.inner_text().split("\n")[0]
    assert region.locator("u").count() == 0
    slider = browser_page.get_by_role("slider", name="Percent kept")
    slider.focus()
    browser_page.keyboard.press("ArrowRight")
    assert caption.inner_text() == state(80, "tail")[1]
    assert region.locator("u").all_text_contents() == ["\u25c6 " + TEXT[START : START + 20]]
    assert troubles == []


@pytest.mark.parametrize("width", [360, 632, 1000])
def test_the_explorer_keeps_its_height_and_nothing_sticks_out(address, browser_page, width):
    open_page(browser_page, address, width)
    slider, heights = browser_page.get_by_role("slider", name="Percent kept"), set()
    for cut in CUTS:
        browser_page.get_by_role("combobox", name="Cut").select_option(label=cut)
        slider.focus()
        browser_page.keyboard.press("Home")
        for _ in range(5):
            heights.add(height(browser_page))
            browser_page.keyboard.press("ArrowRight")
    assert len(heights) == 1
    assert browser_page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    box = browser_page.get_by_role("region", name="The text that is kept").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
