"""Measure the budget board in JupyterLab: from a key on the slider to the picture it changes.

Run with `python -m pytest -q -s tests/benchmarks/slider.py`. Prints milliseconds; nothing here passes or fails by them.
"""

import statistics

import pytest
from test_browser import LESSON, open_lesson

MOVES, BURST = 16, 12
# A frame is painted right after its animation callbacks, so a timer set in one ends after the paint.
WATCH = """slider => {
  window.moved = [];
  slider.addEventListener("input", event => {
    const asked = window.pressed;
    requestAnimationFrame(() => setTimeout(() => window.moved.push(performance.now() - asked)));
  });
  slider.addEventListener("keydown", event => { window.pressed = event.timeStamp; }, true);
}"""


def after(page, count):
    """Wait until so many moves were painted, half a minute at most."""
    page.wait_for_function("count => window.moved.length >= count", arg=count, timeout=30_000)


@pytest.mark.browser
def test_slider_to_redraw(lab_url, browser_page):
    board = open_lesson(browser_page, lab_url, LESSON)
    slider = board.locator("input[type=range]")
    slider.focus()
    slider.evaluate(WATCH)
    heights = []
    for count in range(1, MOVES + 1):
        browser_page.keyboard.press("ArrowRight")
        after(browser_page, count)
        heights.append(board.bounding_box()["height"])
        browser_page.wait_for_timeout(100)
    moves = browser_page.evaluate("window.moved")
    budget = int(slider.input_value())
    for _ in range(BURST):
        browser_page.keyboard.press("ArrowRight")
    after(browser_page, MOVES + BURST)
    lag = browser_page.evaluate("window.moved.at(-1)")
    lost = BURST - (int(slider.input_value()) - budget) // 10
    readout = board.locator(".rl-readout").inner_text()
    print(f"\nslider to redraw: median {statistics.median(moves):.0f} ms, maximum {max(moves):.0f} ms, {MOVES} moves")
    print(f"lag after a burst of {BURST} keys: {lag:.0f} ms")
    print(f"lost moves: {lost}; the readout: {readout}")
    print(f"height change: {max(heights) - min(heights):g} pixels")
