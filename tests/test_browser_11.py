"""The map explorer of lesson 11 in a browser, as a saved page without a kernel."""

import pytest
from test_browser import height, open_page

from rag_lessons.page import save_page
from rag_lessons.plots import timeline_states
from rag_lessons.widgets import explorer_data

pytestmark = pytest.mark.browser

LANES, SIZES = (1, 2, 5), (100, 400)
COSTS = {100: ([0.5] * 21, 4300, 0.5), 400: ([1.0] * 6, 2800, 1.0)}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The address of a page with the explorer."""
    data = explorer_data({"calls at once": LANES, "tokens in a part": SIZES}, timeline_states(COSTS, LANES))
    return save_page(tmp_path_factory.mktemp("saved") / "calls.html", "explorer", data).as_uri()


@pytest.mark.parametrize("width", [1000, 360])
def test_more_lanes_take_less_time_and_nothing_jumps_or_sticks_out(saved, browser_page, width):
    troubles = open_page(browser_page, saved, width)
    stage, caption = browser_page.locator(".rl-stage"), browser_page.locator(".rl-caption")
    before = height(browser_page)
    browser_page.get_by_role("slider", name="Calls at once").focus()
    for n, seconds in enumerate(("10.5", "5.5", "2.5")):
        if n:
            browser_page.keyboard.press("ArrowRight")
        assert f"{LANES[n]} at once: {seconds} seconds, 4,300 tokens sent" in caption.inner_text()
        assert stage.locator("svg rect").count() == 21
        assert height(browser_page) == before
        assert browser_page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    browser_page.get_by_role("slider", name="Tokens in a part").press("ArrowRight")
    assert "6 calls, 5 at once: 2.0 seconds" in caption.inner_text() and stage.locator("svg rect").count() == 6
    assert troubles == []
