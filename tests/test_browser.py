"""The views in a real browser: as saved pages without a kernel, and in JupyterLab."""

import re
from dataclasses import replace

import pytest

from rag_lessons import PRESETS, Document, ask, data_folder, load_documents, prepare_index
from rag_lessons.board import TraceSource
from rag_lessons.budgeting import POLICIES
from rag_lessons.evaluation import Question
from rag_lessons.page import save_page
from rag_lessons.widgets import board_data, explorer_data

pytestmark = pytest.mark.browser

WHY = "Why can RAG fail when the context budget is too small?"
IDLE = ".jp-NotebookPanel-toolbar [data-status=idle]"
LESSON = "05_spend_a_context_budget.ipynb"


def notes_source(preset):
    """The notes under a preset, with one question that finds something and one that does not."""
    settings = PRESETS[preset]()
    documents, _ = load_documents(data_folder("notes"))
    return TraceSource(prepare_index(documents, settings), [WHY, "Zebras?"], settings)


@pytest.fixture(scope="module", params=["article", "default"])
def saved(request, tmp_path_factory):
    """A source, and the address of its board saved as a page."""
    source = notes_source(request.param)
    path = save_page(tmp_path_factory.mktemp("saved") / "board.html", "board", board_data(source))
    return source, path.as_uri()


def open_page(page, address, width=1000):
    """Open a saved page; anything it asks of the network, and any error in it, fails the test."""
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: None if request.url == address else troubles.append(request.url))
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(address)
    page.wait_for_selector(".rl")
    return troubles


def board_says(board):
    """What a reader sees: the readout, the ids included, and the answer."""
    readout = board.locator(".rl-readout").inner_text()
    labels = board.locator(".rl-is-kept").evaluate_all("rows => rows.map(row => row.getAttribute('aria-label'))")
    return readout, [label.split(", ")[1] for label in labels], board.locator(".rl-answer").inner_text()


def pipeline_says(question, index, budget, settings):
    """The same from `ask`."""
    trace = ask(question, index, budget, settings)
    chosen = trace.selection
    counts = f"{len(chosen.included)} included, {len(chosen.skipped)} skipped"
    readout = f"{chosen.tokens} of {budget} tokens used, {counts}"
    return readout, [included.candidate.chunk.chunk_id for included in chosen.included], trace.answer.text


def height(page):
    """The height of the whole view, in pixels."""
    return page.locator(".rl").bounding_box()["height"]


def test_the_slider_of_a_saved_page_shows_what_the_pipeline_chose(saved, browser_page):
    source, address = saved
    troubles = open_page(browser_page, address)
    board, slider = browser_page.locator(".rl-board"), browser_page.locator("input[type=range]")
    assert slider.input_value() == "250"
    slider.focus()
    before = height(browser_page)
    for budget in range(260, 420, 10):
        browser_page.keyboard.press("ArrowRight")
        expected = pipeline_says(WHY, source.index, budget, source.settings)
        assert board_says(board) == expected
        assert height(browser_page) == before
    assert troubles == []


@pytest.mark.parametrize("policy", POLICIES)
def test_policy_neighbours_and_question_change_the_board(saved, browser_page, policy):
    source, address = saved
    troubles = open_page(browser_page, address)
    board = browser_page.locator(".rl-board")
    browser_page.get_by_label("Policy").select_option(label=policy)
    for budget in (0, 120, 700, 1500):
        browser_page.get_by_label("Token budget").fill(str(budget))
        assert board_says(board) == pipeline_says(WHY, source.index, budget, source.variant(policy, True))
    browser_page.get_by_label("Token budget").fill("250")
    browser_page.get_by_label("Neighbours").uncheck()
    assert board_says(board) == pipeline_says(WHY, source.index, 250, source.variant(policy, False))
    browser_page.get_by_label("Question").select_option(label="Zebras?")
    assert board_says(board)[0] == "0 of 250 tokens used, 0 included, 0 skipped"
    assert browser_page.get_by_text("No candidates: no term of the question was found.").is_visible()
    assert troubles == []


def test_a_burst_of_keys_loses_no_move(saved, browser_page):
    open_page(browser_page, saved[1])
    slider = browser_page.locator("input[type=range]")
    slider.focus()
    slider.evaluate("s => { window.moves = 0; s.addEventListener('input', () => (window.moves += 1)); }")
    for _ in range(12):
        browser_page.keyboard.press("ArrowLeft")
    assert (slider.input_value(), browser_page.evaluate("window.moves")) == ("130", 12)
    assert " of 130 tokens used" in board_says(browser_page.locator(".rl-board"))[0]


def test_a_bar_shows_its_text_on_focus_and_under_the_pointer(saved, browser_page):
    source, address = saved
    open_page(browser_page, address)
    trace = source.trace(0, 250)
    texts = [trace.texts[candidate.chunk.chunk_id] for candidate in trace.route.candidates]
    reader = browser_page.locator(".rl-text")
    assert reader.text_content() == texts[0]
    browser_page.locator(".rl-row").first.focus()
    browser_page.keyboard.press("Tab")
    assert reader.text_content() == texts[1]
    browser_page.locator(".rl-row").nth(3).hover()
    assert reader.text_content() == texts[3]


def test_the_reader_tells_what_was_kept_from_what_was_left_out(saved, browser_page):
    source, address = saved
    open_page(browser_page, address)
    browser_page.get_by_label("Policy").select_option(label="sentences")
    for budget in range(60, 360, 50):
        browser_page.get_by_label("Token budget").fill(str(budget))
        for included in source.trace(0, budget, "sentences").selection.included:
            chunk = included.candidate.chunk
            browser_page.locator(f".rl-row[aria-label*=' {chunk.chunk_id},']").hover()
            kept = "".join(browser_page.locator(".rl-read-kept").all_text_contents())
            assert kept == "".join(source.index.documents[chunk.doc_id].text[s:e] for s, e in included.spans)


def test_a_document_is_shown_as_text_whatever_it_holds(browser_page, tmp_path):
    text = "Crabs \U0001f980\U0001f980 walk. </script><script>alert(1)</script> <img src=x onerror=alert(2)> & **bold**"
    gold = Question("n", "head", "Where do <b>crabs</b> walk?", "", (("a.txt", "walk. </script>"),))
    source = TraceSource(prepare_index([Document("a.txt", text)]), [gold])
    troubles = open_page(browser_page, save_page(tmp_path / "a.html", "board", board_data(source)).as_uri())
    reader = browser_page.locator(".rl-text")
    assert reader.text_content() == text.replace("walk. </", "◆ walk. </")
    assert reader.locator("u").all_text_contents() == ["◆ walk. </script>"]
    assert browser_page.locator("select option").first.text_content() == gold.text
    assert browser_page.locator(".rl-evidence").count() == 1
    assert troubles == []


@pytest.mark.parametrize("width", [420, 580, 632, 1000])
def test_nothing_is_cut_or_sticks_out(saved, browser_page, width):
    open_page(browser_page, saved[1], width)
    slider, heights = browser_page.locator("input[type=range]"), set()
    for policy in POLICIES:
        browser_page.get_by_label("Policy").select_option(label=policy)
        for budget in (0, 100, 250, 900, 1500):
            slider.fill(str(budget))
            heights.add(height(browser_page))
            cut = browser_page.locator(".rl-fate").evaluate_all(
                "all => all.filter(e => e.scrollHeight > e.clientHeight + 1).map(e => e.textContent)"
            )
            assert cut == [], (policy, budget)
    assert len(heights) == 1
    assert browser_page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_slider_of_an_explorer_swaps_the_picture_and_keeps_its_height(browser_page, tmp_path):
    controls = {"size": [1, 2, 4], "way": ["up", "down"]}
    states = {
        (size, way): (f"<p style='margin:0;height:{size}00px'>{size} {way}</p>", f"Size {size}, {way}.")
        for size in controls["size"]
        for way in controls["way"]
    }
    path = save_page(tmp_path / "explorer.html", "explorer", explorer_data(controls, states, {"size": 2}))
    troubles = open_page(browser_page, path.as_uri())
    stage, before = browser_page.locator(".rl-stage"), height(browser_page)
    assert stage.inner_text() == "2 up"
    browser_page.get_by_role("slider", name="Size").focus()
    browser_page.keyboard.press("ArrowRight")
    browser_page.get_by_role("combobox", name="Way").select_option(label="down")
    assert stage.inner_text() == "4 down"
    assert browser_page.locator(".rl-caption").inner_text() == "Size 4, down."
    browser_page.get_by_role("slider", name="Size").focus()
    browser_page.keyboard.press("Home")
    assert (stage.inner_text(), height(browser_page)) == ("1 down", before)
    assert troubles == []


def wait_for_kernel(page, address):
    """Wait until the server has an idle kernel that the page is connected to.

    The page's own mark also reads idle before it has asked for a kernel; to run cells then opens a dialog.
    """
    for _ in range(300):
        answer = page.request.get(re.sub(r"/lab[^?]*", "/api/sessions", address))
        kernels = [session["kernel"] for session in answer.json()]
        if any(kernel["execution_state"] == "idle" and kernel["connections"] for kernel in kernels):
            return page.wait_for_selector(IDLE, timeout=60_000)
        page.wait_for_timeout(200)
    return pytest.fail("no kernel was ready after a minute")


def open_lesson(page, address, name):
    """Open a lesson in JupyterLab, run all of it, and bring its board into view."""
    page.goto(re.sub(r"/lab[^?]*", f"/lab/tree/notebooks/{name}", address))
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    wait_for_kernel(page, address)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    cell, board = page.locator(".jp-CodeCell", has_text="budget_board(").first, page.locator(".rl-board")
    for _ in range(300):  # cells above it grow while they run and move it out of view
        cell.scroll_into_view_if_needed()
        if board.count() and page.locator(IDLE).count():
            return board
        page.wait_for_timeout(200)
    return pytest.fail(f"no board came into view in {name}: {page.locator('.jp-Dialog').all_inner_texts()}")


def test_the_slider_moves_in_jupyterlab(lab_url, browser_page):
    index, settings = notes_source("article").index, PRESETS["article"]()
    browser_page.set_viewport_size({"width": 1400, "height": 1000})
    board = open_lesson(browser_page, lab_url, LESSON)
    question = board.get_by_label("Question").locator("option:checked").text_content()
    settings = replace(settings, joiners="with what joins" in board.locator(".rl-foot").inner_text())
    slider = board.locator("input[type=range]")
    slider.focus()
    picture, before = board.screenshot(), board.bounding_box()["height"]
    for budget in range(260, 420, 10):
        browser_page.keyboard.press("ArrowRight")
        assert board_says(board) == pipeline_says(question, index, budget, settings)
    assert slider.input_value() == "410"
    assert board.screenshot() != picture
    assert board.bounding_box()["height"] == before
