"""What a view stores and saves, and what it does with bad input or without anywidget."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_board import notes_source

from rag_lessons import Document, article_settings, data_folder, load_documents, prepare_index
from rag_lessons.board import TraceSource
from rag_lessons.evaluation import load_questions
from rag_lessons.page import SCRIPTS, page, script
from rag_lessons.widgets import StillView, board_data, budget_board, explorer, explorer_data

NASTY = "</script><script>alert(1)</script> <!-- & \u2028 **bold** <img src=x onerror=alert(2)>\U0001f980"

STATES = {(size, word): (f"<b>{word}</b>", f"{size}") for size in (100, 200) for word in "ab"}


@pytest.fixture(scope="module")
def notes():
    """A source on the notes under the article's preset."""
    return notes_source("article")


def test_the_json_holds_no_nan_and_no_float_that_drifts(notes):
    data = board_data(notes)
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_no_text_can_end_its_element_in_a_saved_page(tmp_path):
    source = TraceSource(prepare_index([Document("a.txt", f"Crabs {NASTY} walk.")]), [f"Where do crabs walk {NASTY}?"])
    view = budget_board(source)
    saved = view.save(tmp_path / "board.html").read_text(encoding="utf-8")
    assert saved.count("<script") == saved.count("</script>") == 2
    assert "<img" not in saved and "<!--" not in saved
    stored = re.search(r'<script type="application/json" id="rl-values">(.*?)</script>', saved, re.DOTALL)[1]
    values = json.loads(stored)
    assert values["budget"] == 250 and NASTY in values["data"]["strings"][values["data"]["questions"][0]["text"]]
    assert (
        "alert(2)" in view._repr_mimebundle_()[0]["text/html"]
        and "<img" not in view._repr_mimebundle_()[0]["text/html"]
    )


def test_a_saved_page_reaches_for_nothing_outside(notes, tmp_path):
    saved = page("board", board_data(notes))
    assert not re.search(r"\b(?:src|href)=|\bimport\b|@import|\bfetch\(|url\((?!#)", saved.split('id="rl-values"')[0])
    for kind in SCRIPTS:
        assert not re.search(r"\bimport\b|\bfetch\(|</script|innerHTML = [^h]*strings\[run", script(kind))
        assert script(kind).count("export default") == 1


def test_the_title_of_a_page_is_escaped():
    data = {"title": "a </title><b>", "controls": []}
    assert "<title>a &lt;/title&gt;&lt;b&gt;</title>" in page("explorer", data)
    with pytest.raises(ValueError, match="JSON"):
        page("explorer", data | {"number": float("nan")})


@pytest.mark.parametrize("budget", [-10, 255, 1510, True, 2.5, None, "250"])
def test_a_bad_budget_is_named(notes, budget):
    with pytest.raises((TypeError, ValueError), match=re.escape(f"got {budget!r}")):
        board_data(notes, budget)


def test_whole_numbers_of_numpy_are_budgets(notes):
    data = board_data(notes, np.int64(250))
    assert json.loads(json.dumps(data)) == data == board_data(notes, 250)
    assert budget_board(notes, np.int64(250)).budget == 250


def test_something_else_than_a_source_is_named():
    with pytest.raises(TypeError, match="TraceSource.*got list"):
        board_data([])
    with pytest.raises(TypeError, match="prepare_index; got list"):
        TraceSource([], ["Why?"])


def test_a_board_has_traits_that_python_reads_and_sets(notes):
    import traitlets

    board = budget_board(notes, budget=1200)
    assert (board.budget, board.policy, board.neighbours, board.question) == (
        1200,
        notes.settings.policy,
        True,
        0,
    )
    board.budget = 0
    with pytest.raises(traitlets.TraitError, match="budget must be one of 0, 10, 20, …, 1500; got 255"):
        board.budget = 255
    with pytest.raises(traitlets.TraitError, match="got 1"):
        board.neighbours = 1
    assert board.budget == 0


def test_what_a_notebook_stores_has_no_address_and_a_table_for_readers_without_a_kernel(notes):
    board = budget_board(notes)
    stored = board._repr_mimebundle_()[0]
    assert stored["text/plain"] == repr(board) and "0x" not in repr(board)
    assert board.model_id not in repr(board)
    assert stored["text/html"] == notes.trace(0, 250)._repr_html_()
    assert "application/vnd.jupyter.widget-view+json" in stored


def test_the_package_imports_without_ipywidgets_and_shows_a_still_view(tmp_path):
    code = """
import sys
sys.modules["ipywidgets"] = sys.modules["anywidget"] = None  # as if they were not installed
from rag_lessons import Document, prepare_index
from rag_lessons.widgets import TraceSource, budget_board
view = budget_board(TraceSource(prepare_index([Document("a.txt", "Gates rust.")]), ["What do gates do?"]))
print(repr(view))
print(view._repr_html_())
print(view.save(sys.argv[1]).stat().st_size > 10_000)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "b.html"], capture_output=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "pip install anywidget" in ran.stdout and "Gates rust." in ran.stdout and "<table>" in ran.stdout
    assert ran.stdout.rstrip().endswith("True")


def test_an_explorer_finds_the_state_of_every_combination():
    controls = {"target": [210, 420, 840], "method": ["words", "lines"]}
    states = {(t, m): (f"<i>{t}</i>", f"{t} {m}") for t in controls["target"] for m in controls["method"]}
    data = explorer_data(controls, states, {"target": 420})
    assert [control["kind"] for control in data["controls"]] == ["range", "select"]
    assert [control["value"] for control in data["controls"]] == [420, "words"]
    pairs = [(data["strings"][html], data["strings"][caption]) for html, caption in data["states"]]
    assert pairs == list(states.values())
    assert data["strings"].count("<i>210</i>") == 1
    view = explorer(controls, states, {"target": 420})
    assert (view.target, view.method) == (420, "words")
    assert view._repr_mimebundle_()[0]["text/html"] == "<i>420</i><p>420 words</p>"


def test_an_explorer_names_what_is_missing():
    with pytest.raises(ValueError, match=r"no state for size=2, way='b'; add states\[\(2, 'b'\)\]"):
        explorer_data(
            {"size": [1, 2], "way": ["a", "b"]},
            {(s, w): ("", "") for s in (1, 2) for w in "ab" if (s, w) != (2, "b")},
        )
    with pytest.raises(ValueError, match="one value or more"):
        explorer_data({"size": []}, {})
    with pytest.raises(ValueError, match="start holds size=3"):
        explorer_data({"size": [1]}, {(1,): ("", "")}, {"size": 3})
    with pytest.raises(ValueError, match="'layout'"):
        explorer({"layout": [1]}, {(1,): ("", "")})


def test_an_explorer_takes_values_of_numpy():
    sizes = np.array([100, 200])
    data = explorer_data({"size": sizes, "word": np.array(["a", "b"])}, STATES, {"size": sizes[1]})
    assert json.loads(json.dumps(data)) == data
    assert data == explorer_data({"size": [100, 200], "word": ["a", "b"]}, STATES, {"size": 200})


@pytest.mark.parametrize("values", [[1, 2, 1], [1, 1.0], [True, 1], ["a", "a"], [np.int64(3), 3]])
def test_a_value_given_twice_is_named(values):
    with pytest.raises(ValueError, match="control 'size' has a value twice"):
        explorer_data({"size": values}, {(value,): ("", "") for value in values})


@pytest.mark.parametrize("state", ["ab", ("a",), ("a", None), ("a", "b", "c"), None, ["a", "b"]])
def test_a_state_of_another_form_is_named(state):
    with pytest.raises(TypeError, match=r"states\[\(1,\)\] must be \(html, caption\), two strings; got"):
        explorer_data({"size": [1]}, {(1,): state})


def test_a_still_view_escapes_its_words():
    view = StillView("explorer", {}, "<table></table>")
    assert view._repr_html_().endswith("<table></table>") and "`pip install anywidget`" in repr(view)


def test_the_stored_page_is_what_lesson_05_saves(tmp_path):
    settings = replace(article_settings(), joiners=True)
    documents, _ = load_documents(data_folder("notes"))
    source = TraceSource(prepare_index(documents, settings), load_questions("notes"), settings)
    fresh = budget_board(source).save(tmp_path / "board.html").read_text(encoding="utf-8")
    stored = Path(__file__).parent.parent / "notebooks" / "budget_slider.html"
    assert stored.read_text(encoding="utf-8") == fresh, "renew it: python run.py notebooks"
