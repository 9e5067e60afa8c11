"""The explorer of lesson 09 in a browser, as a saved page without a kernel."""

from dataclasses import replace
from itertools import product

import pytest
from test_browser import height, open_page

from rag_lessons.page import save_page
from rag_lessons.planning import plan_window
from rag_lessons.plots import plan_states
from rag_lessons.widgets import explorer_data

pytestmark = pytest.mark.browser

CONTROLS = {"window": (4096, 8192), "margin": (0.9, 1.0), "reserve": (0, 512, 4096)}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The states, and the address of a page with them."""
    base = plan_window(128_000, system=500, question=100)
    plans = {key: replace(base, window=key[0], margin=key[1], reserve=key[2]) for key in product(*CONTROLS.values())}
    states = plan_states(plans, [52, 5943])
    path = save_page(tmp_path_factory.mktemp("saved") / "plan.html", "explorer", explorer_data(CONTROLS, states))
    return states, path.as_uri()


@pytest.mark.parametrize("width", [1000, 360])
def test_the_bar_moves_with_the_sliders_and_nothing_jumps_or_sticks_out(saved, browser_page, width):
    states, address = saved
    troubles = open_page(browser_page, address, width)
    stage, caption = browser_page.locator(".rl-stage svg"), browser_page.locator(".rl-caption")
    key, before = [4096, 0.9, 0], height(browser_page)
    for n, (name, value) in enumerate([("Reserve", 512), ("Reserve", 4096), ("Window", 8192), ("Margin", 1.0)]):
        assert caption.inner_text() == states[tuple(key)][1]
        browser_page.get_by_role("slider", name=name).focus()
        browser_page.keyboard.press("ArrowRight")
        key[{"Window": 0, "Margin": 1, "Reserve": 2}[name]] = value
        assert caption.inner_text() == states[tuple(key)][1], n
        assert stage.get_attribute("aria-label") in states[tuple(key)][0]
        assert height(browser_page) == before
        assert browser_page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    inside = stage.evaluate(
        "svg => { const box = svg.getBoundingClientRect();"
        " return [...svg.querySelectorAll(':scope > text, :scope > rect')].every(e => {"
        " const b = e.getBoundingClientRect(); return b.left >= box.left - 1 && b.right <= box.right + 1; }); }"
    )
    assert inside and troubles == []
