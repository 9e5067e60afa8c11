"""Cases of views that move: one picture, drawn in place, no error swallowed, and a still view where nothing moves.

The rule behind them, that a view shows what the pipeline chose, is tested in tests/test_board.py and
tests/test_browser.py; that odd data raises nothing, at the end of this file and in test_case_plots.py.
"""

import json
import subprocess
import sys
from pathlib import Path

import IPython.display
import nbformat
import pytest
import traitlets
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from nbclient import NotebookClient
from texts import LINES, PROSE, texts

from rag_lessons import Document, prepare_index
from rag_lessons.board import TraceSource
from rag_lessons.page import page
from rag_lessons.widgets import board_data, budget_board, explorer

ROOT = Path(__file__).resolve().parents[2]
SETUP = """
%matplotlib inline
from rag_lessons import Document, ask, plots, prepare_index
from rag_lessons.widgets import TraceSource, budget_board
index = prepare_index([Document("gates.txt", "Gates rust. Birds nest.")])
source = TraceSource(index, ["Do gates rust?"])
"""


def outputs(*cells):
    """Run some cells in a kernel, behind SETUP; returns the outputs of each."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in (SETUP, *cells)])
    NotebookClient(
        notebook, kernel_name="python3", timeout=60, allow_errors=True, resources={"metadata": {"path": str(ROOT)}}
    ).execute()
    return [cell.outputs for cell in notebook.cells[1:]]


def source(text="Gates rust. Birds nest."):
    return TraceSource(prepare_index([Document("gates.txt", text)]), ["Do gates rust?"])


@case("WP-01", "WP-05")
def test_in_a_kernel_a_figure_is_shown_once_a_view_adds_none_and_an_error_is_seen():
    figure, view, changes, trait, question = outputs(
        "plots.show(plots.budget_bars([ask('Do gates rust?', index)]))",
        "board = budget_board(source)\nboard",
        "board.budget = 100\nboard.budget = 0\nboard.policy = 'first-fit'",
        "board.budget = 255",
        "budget_board(TraceSource(index, ['half \\ud83d']))",
    )
    assert [output.output_type for output in figure] == ["display_data"] and "image/png" in figure[0].data
    assert figure[0].data["text/plain"] == figure[0].metadata["image/png"]["alt"]
    assert len(view) == 1 and not any(kind.startswith("image/") for kind in view[0].data)
    assert changes == []  # the page draws by itself
    assert [error.evalue for error in trait] == ["budget must be one of 0, 10, 20, …, 1500; got 255"]
    assert question[0].output_type == "error" and "question holds half a character" in question[0].evalue


def test_what_is_behind_a_view_raises_to_its_caller():
    with pytest.raises(ValueError, match="question holds half a character"):
        board_data(TraceSource(prepare_index([]), ["half \ud83d"]))
    board = budget_board(source())
    with pytest.raises(traitlets.TraitError, match="policy must be one of .* got 'all'"):
        board.policy = "all"


@case("WP-03")
def test_documents_of_any_length_one_after_the_other():
    for tokens in (50, 5000, 60, 1, 0, 50):
        board = budget_board(source("gate " * tokens))
        (slider,) = [control for control in board.data["controls"] if control["kind"] == "range"]
        assert slider["values"][0] <= board.budget <= slider["values"][-1]
        length = explorer(
            {"tokens": range(tokens + 1)}, {(n,): ("", "") for n in range(tokens + 1)}, {"tokens": tokens}
        )
        (slider,) = length.data["controls"]
        assert slider["values"][0] <= length.tokens == slider["value"] <= slider["values"][-1]
        assert (slider["kind"] == "range") == (tokens > 0)  # of one value there is nothing to slide
        for value in (0, tokens, tokens // 2):
            length.tokens = value


STILL = """
import sys
for name in ("ipywidgets", "anywidget", "IPython", "matplotlib"):
    sys.modules[name] = None  # as if it were not installed
import rag_lessons.widgets as widgets
from rag_lessons import Document, ask, prepare_index
source = widgets.TraceSource(prepare_index([Document("gates.txt", "Gates rust.")]), ["Do gates rust?"])
board = widgets.budget_board(source)
still = widgets.explorer({"size": [1, 2]}, {(1,): ("<i>one</i>", "One."), (2,): ("<i>two</i>", "Two.")}, {"size": 2})
trace = ask("Do gates rust?", source.index, 250)
assert trace._repr_html_() in board._repr_html_() and "<i>two</i>" in still._repr_html_()
print(repr(board), repr(still), sep="\\n")
"""


@case("WP-07")
def test_without_a_front_end_the_view_stands_still_and_says_how_to_get_the_slider():
    done = subprocess.run([sys.executable, "-c", STILL], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Install it with `pip install anywidget`") == 2 and "Slider(" not in done.stdout


@case("WP-08")
def test_a_change_clears_and_displays_nothing(monkeypatch):
    called = []
    for name in ("clear_output", "display", "publish_display_data"):
        monkeypatch.setattr(IPython.display, name, lambda *a, **named: called.append((a, named)))
    board = budget_board(source())
    for budget in (100, 0, 1500):
        board.budget = budget
    assert called == []
    modules = (ROOT / "rag_lessons").rglob("*.py")
    assert not [module.name for module in modules if "clear_output" in module.read_text(encoding="utf-8")]


WATCH = """() => {
    window.picture = document.querySelector('.rl-board');
    window.emptied = 0;
    const check = () => { window.emptied += document.querySelector('.rl-rows').childElementCount === 0; };
    new MutationObserver(check).observe(document.querySelector('.rl-board'), {childList: true, subtree: true});
}"""


@pytest.mark.browser
def test_in_the_page_one_picture_changes_in_its_place(browser_page, tmp_path):
    browser_page.goto(budget_board(source("\n\n".join(["Gates rust. " * 20] * 9))).save(tmp_path / "b.html").as_uri())
    browser_page.wait_for_selector(".rl-board")
    browser_page.evaluate(WATCH)
    said = set()
    browser_page.locator("input[type=range]").focus()
    for _ in range(3):
        browser_page.keyboard.press("ArrowLeft")
        said.add(browser_page.locator(".rl-readout").inner_text())
        assert browser_page.locator(".rl-board").count() == browser_page.locator(".rl-strip").count() == 1
        assert browser_page.evaluate("document.querySelector('.rl-board') === window.picture")
    assert len(said) == 3 and browser_page.evaluate("window.emptied") == 0


@given(texts([*PROSE, *LINES[:6]], 8), texts(PROSE, 3), st.sampled_from([0, 10, 250, 1500]))
def test_a_board_of_any_text_and_question_is_data_that_a_page_can_hold(text, question, budget):
    board = TraceSource(prepare_index([Document("a.md", text)]), [question])
    data = board_data(board, budget)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert page("board", data).count("<script") == 2
