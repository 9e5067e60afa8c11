"""The strategy explorer of lesson 10 in a browser, as a saved page without a kernel."""

import pytest
from test_browser import height, open_page

from rag_lessons import Document, data_folder
from rag_lessons.page import save_page
from rag_lessons.plots import strategy_states
from rag_lessons.widgets import explorer_data

pytestmark = pytest.mark.browser

WINDOWS = (1000, 1500, 2000, 4000)
STRATEGIES = ("map-reduce", "hybrid", "smart selection", "full document")
QUESTIONS = ("What was the cause of the failure?", "What does section 7 say?", "Summarize it.")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The address of a page with the explorer: the report, at a window for each strategy."""
    text = (data_folder("handbook") / "incident_report_hall_d.md").read_text(encoding="utf-8")
    document = Document("report.md", text)
    controls = {"window": WINDOWS, "document": ["report.md"], "question": QUESTIONS}
    data = explorer_data(controls, strategy_states([document], WINDOWS, QUESTIONS))
    return save_page(tmp_path_factory.mktemp("saved") / "strategies.html", "explorer", data).as_uri()


@pytest.mark.parametrize("width", [1000, 360])
def test_the_way_moves_with_the_window_and_nothing_jumps_or_sticks_out(saved, browser_page, width):
    troubles = open_page(browser_page, saved, width)
    stage, caption = browser_page.locator(".rl-stage"), browser_page.locator(".rl-caption")
    before = height(browser_page)
    browser_page.get_by_role("slider", name="Window").focus()
    for n, strategy in enumerate(STRATEGIES):
        if n:
            browser_page.keyboard.press("ArrowRight")
        assert stage.locator('text[font-weight="bold"][fill="#fff"]').inner_html() == strategy
        assert f"; {strategy}. Confidence " in caption.inner_text()
        assert height(browser_page) == before
        assert browser_page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    browser_page.keyboard.press("Home")
    browser_page.get_by_role("combobox", name="Question").select_option(label=QUESTIONS[1])
    assert stage.locator('text[font-weight="bold"][fill="#fff"]').inner_html() == "smart selection"
    assert "7. Recommendations" in stage.inner_text()
    assert troubles == []
