"""The window explorer of lesson 07 in a browser, as a saved page without a kernel."""

import pytest
from test_browser import height, open_page

from rag_lessons import data_folder
from rag_lessons.page import save_page
from rag_lessons.plots import window_states
from rag_lessons.truncation import best_window, sliding_window, windows
from rag_lessons.widgets import explorer_data

pytestmark = pytest.mark.browser

ASKING = "At what temperature does the chiller of Hall A start, and when does it stop?"
ANSWER = "Its chiller starts when the water in the hall reaches 11.0 degrees and stops at 9.5"
CUTS = {"best_window": best_window, "sliding_window": sliding_window, "windows": windows}
BUDGETS = (50, 150, 400)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The address of a page with the explorer: the manual, a question on it and one that matches nothing."""
    text = (data_folder("handbook") / "manual_seawater_system.md").read_text(encoding="utf-8")
    start = text.index(ANSWER)
    asked = {ASKING: ("manual.md", text, [(start, start + len(ANSWER))]), "Zebras?": ("manual.md", text, [])}
    controls = {"budget": BUDGETS, "question": list(asked), "cut": list(CUTS)}
    data = explorer_data(controls, window_states(asked, BUDGETS, CUTS))
    return save_page(tmp_path_factory.mktemp("saved") / "windows.html", "explorer", data).as_uri()


@pytest.mark.parametrize("width", [1000, 360])
def test_the_window_moves_and_nothing_jumps_or_sticks_out(saved, browser_page, width):
    troubles = open_page(browser_page, saved, width)
    stage, caption = browser_page.locator(".rl-stage"), browser_page.locator(".rl-caption")
    before, kept = height(browser_page), stage.locator("path").last.get_attribute("d")
    assert ANSWER in stage.inner_text()
    browser_page.get_by_role("slider", name="Budget").focus()
    browser_page.keyboard.press("ArrowRight")
    assert ANSWER not in stage.inner_text()
    assert caption.inner_text().endswith("0 % of the evidence.")
    assert stage.locator("path").last.get_attribute("d") != kept
    browser_page.get_by_role("combobox", name="Cut").select_option(label="sliding_window")
    assert ANSWER in stage.inner_text()
    assert caption.inner_text().endswith("100 % of the evidence.")
    browser_page.keyboard.press("End")
    for question in (ASKING, "Zebras?"):
        browser_page.get_by_role("combobox", name="Question").select_option(label=question)
        for cut in CUTS:
            browser_page.get_by_role("combobox", name="Cut").select_option(label=cut)
            assert height(browser_page) == before
            assert browser_page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert "the head is kept" in caption.inner_text()
    assert troubles == []
