"""The gate's slider of lesson 13 in a browser, as a saved page without a kernel."""

import pytest
from test_browser import height, open_page

from rag_lessons.page import save_page
from rag_lessons.plots import gate_states
from rag_lessons.widgets import explorer_data

pytestmark = pytest.mark.browser

LEASTS = (0.3, 0.5, 0.95)
SCORES = {"answer, English": [0.4, 0.7, 0.9], "off the subject": [0.1, 0.35]}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The address of a page with the explorer."""
    data = explorer_data({"least score": LEASTS}, gate_states(SCORES, LEASTS))
    return save_page(tmp_path_factory.mktemp("saved") / "gate.html", "explorer", data).as_uri()


@pytest.mark.parametrize("width", [1000, 360])
def test_a_higher_line_refuses_more_and_nothing_jumps_or_sticks_out(saved, browser_page, width):
    troubles = open_page(browser_page, saved, width)
    stage, caption = browser_page.locator(".rl-stage"), browser_page.locator(".rl-caption")
    before = height(browser_page)
    browser_page.get_by_role("slider", name="Least score").focus()
    for n, (answers, off) in enumerate(((0, 1), (1, 2), (3, 2))):
        if n:
            browser_page.keyboard.press("ArrowRight")
        assert f"English {answers} of 3" in caption.inner_text() and f"subject {off} of 2" in caption.inner_text()
        assert stage.locator("svg circle").count() == 5 - answers - off + 1  # and the key
        assert height(browser_page) == before
        assert browser_page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert troubles == []
