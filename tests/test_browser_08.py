"""The explorer of lesson 08 in a real browser: moves, keeps its height, and fits a narrow window."""

import pytest
from test_browser import height, open_page

from rag_lessons import data_folder, load_documents, prepare_index
from rag_lessons.evaluation import find_evidence, load_questions
from rag_lessons.exercises import tokens_by_line
from rag_lessons.mixing import summary_mix
from rag_lessons.page import save_page
from rag_lessons.plots import mix_states
from rag_lessons.widgets import explorer_data

pytestmark = pytest.mark.browser
BUDGETS, SHARES = (500, 1000, 2000), (0, 0.2, 0.4, 0.6, 0.8, 1.0)


@pytest.fixture(scope="module")
def states():
    """The states of the lesson's explorer for two questions, and their texts."""
    index = prepare_index(load_documents(data_folder("handbook"))[0])
    asked = {q.text: q for q in load_questions() if q.id in ("q086", "q108")}
    mixes = {
        (text, budget, share): summary_mix(text, index, budget, share=share, counter=tokens_by_line)
        for text in asked
        for budget in BUDGETS
        for share in SHARES
    }
    places = {text: find_evidence(index, q.evidence) for text, q in asked.items()}
    return list(asked), mix_states(mixes, index, places)


@pytest.fixture
def page(browser_page, states, tmp_path):
    """The saved page, opened; what went wrong in it."""
    texts, found = states
    controls = {"question": texts, "budget": BUDGETS, "share": SHARES}
    path = save_page(tmp_path / "mix.html", "explorer", explorer_data(controls, found, {"budget": 1000}))
    return browser_page, open_page(browser_page, path.as_uri())


def test_share_budget_and_question_swap_the_picture_and_keep_the_height(page, states):
    browser_page, troubles = page
    texts, found = states
    caption, before = browser_page.locator(".rl-caption"), height(browser_page)
    assert caption.inner_text() == found[texts[0], 1000, 0][1]
    browser_page.get_by_role("slider", name="Share").focus()
    for share in SHARES[1:]:
        browser_page.keyboard.press("ArrowRight")
        assert caption.inner_text() == found[texts[0], 1000, share][1]
        assert height(browser_page) == before
    browser_page.get_by_role("combobox", name="Question").select_option(label=texts[1])
    assert caption.inner_text() == found[texts[1], 1000, 1.0][1]
    assert caption.inner_text().endswith("evidence in the prompt: 0 of 2.")
    browser_page.get_by_role("slider", name="Budget").focus()
    browser_page.keyboard.press("End")
    assert caption.inner_text() == found[texts[1], 2000, 1.0][1]
    assert caption.inner_text().endswith("evidence in the prompt: 2 of 2.")
    assert height(browser_page) == before
    assert troubles == []


def test_the_picture_has_blue_where_the_mix_has_text(page):
    browser_page, _ = page
    labels = browser_page.locator(".rl-stage svg text").all_text_contents()
    assert sum(label.startswith("summary ") and label[8:].isdigit() for label in labels) >= 5
    widths = browser_page.locator(".rl-stage svg rect[height='18']:not([fill=none])").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().width)"
    )
    assert len(widths) == 1 and widths[0] > 20


@pytest.mark.parametrize("width", [360, 700])
def test_nothing_sticks_out_of_a_narrow_window(page, width):
    browser_page, _ = page
    browser_page.set_viewport_size({"width": width, "height": 900})
    assert browser_page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    inside = browser_page.evaluate(
        "() => { const box = document.querySelector('.rl-stage svg').getBoundingClientRect();"
        " return [...document.querySelectorAll('.rl-stage svg text')].every(e => {"
        " const b = e.getBoundingClientRect(); return b.left >= box.left - 1 && b.right <= box.right + 1; }); }"
    )
    assert inside
