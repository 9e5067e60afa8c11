"""The budget board's states against `ask`, and what a view does with odd input or without anywidget."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from rag_lessons import PRESETS, Document, ask, data_folder, load_documents, prepare_index
from rag_lessons.board import BUDGETS, TraceSource, board_states, fill
from rag_lessons.budgeting import POLICIES
from rag_lessons.evaluation import Question, find_evidence, judge
from rag_lessons.page import SCRIPTS, page, script
from rag_lessons.widgets import StillView, board_data, budget_board, explorer, explorer_data

WHY = "Why can RAG fail when the context budget is too small?"
GOLD = Question("n1", "middle", WHY, "", (("large_rag_notes.md", "or it was a candidate and was skipped"),))
NASTY = "</script><script>alert(1)</script> <!-- & \u2028 **bold** <img src=x onerror=alert(2)>\U0001f980"


def notes_source(preset):
    """The notes with one question whose evidence is known."""
    settings = PRESETS[preset]()
    documents, _ = load_documents(data_folder("notes"))
    return TraceSource(prepare_index(documents, settings), [GOLD, "Zebras?"], settings)


@pytest.fixture(scope="module", params=["article", "default"])
def notes(request):
    """A source on the notes, and all of its states."""
    source = notes_source(request.param)
    return source, board_states(source)


def state_at(states, question, side, policy, budget):
    """What the page looks up: the last run that begins at or below a budget."""
    runs = states["questions"][question][side]["runs"][policy]
    return [run for run in runs if run["from"] <= budget][-1]


def shown(states, question, side, run, budget):
    """A state as the page shows it: ids with spans, ids with reasons, the numbers, the answer."""
    strings, rows = states["strings"], states["questions"][question][side]["rows"]
    kept = [(strings[rows[i]["id"]], tuple(map(tuple, spans))) for i, spans in run["kept"]]
    why = [(strings[rows[i]["id"]], fill(strings[text], budget, run["used"])) for i, text in run["why"]]
    return kept, why, run["used"], run["context"], strings[run["answer"]], strings[run["verdict"]]


def asked(source, question, budget, policy, neighbours):
    """The same, from a call of `ask` that shares nothing with the board."""
    trace = ask(source.questions[question].text, source.index, budget, source.variant(policy, neighbours))
    chosen = trace.selection
    kept = [
        (
            i.candidate.chunk.chunk_id,
            tuple((s - i.candidate.chunk.start, e - i.candidate.chunk.start) for s, e in i.spans),
        )
        for i in chosen.included
    ]
    why = [(s.candidate.chunk.chunk_id, s.reason) for s in chosen.skipped]
    evidence = find_evidence(source.index, source.questions[question].evidence)
    verdict = judge(trace, source.index, evidence).text
    return kept, why, chosen.tokens, chosen.context_tokens, trace.answer.text, verdict


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("side", ["on", "off"])
def test_states_are_what_ask_says_on_both_sides_of_every_change(notes, policy, side):
    source, states = notes
    starts = [run["from"] for run in states["questions"][0][side]["runs"][policy]]
    budgets = {0, 250, 1500, *starts, *(start - 10 for start in starts[1:])}
    for budget in sorted(budgets):
        run = state_at(states, 0, side, policy, budget)
        assert shown(states, 0, side, run, budget) == asked(source, 0, budget, policy, side == "on"), budget


def test_a_run_begins_only_where_something_changes(notes):
    _, states = notes
    for policy in POLICIES:
        runs = states["questions"][0]["on"]["runs"][policy]
        contents = [{key: run[key] for key in ("kept", "why")} for run in runs]
        assert all(before != after for before, after in zip(contents, contents[1:], strict=False))
        assert runs[0]["from"] == 0 and all(run["from"] in BUDGETS for run in runs)


def test_the_strip_adds_up_and_stands_in_source_order():
    source = notes_source("article")
    states = board_states(source)
    run = state_at(states, 0, "on", "first-fit", 1200)
    rows = states["questions"][0]["on"]["rows"]
    ids = [states["strings"][rows[i]["id"]] for i, _ in run["written"]]
    assert len(ids) == 7 and ids == sorted(ids)
    assert sum(tokens for _, tokens in run["written"]) <= run["used"] <= run["context"]
    context = ask(WHY, source.index, 1200, source.settings).selection.context
    assert ids == re.findall(r"^Chunk ID: (.+)$", context, re.MULTILINE)


def test_bars_cost_what_a_candidate_costs_alone(notes):
    source, states = notes
    trace = source.trace(0, 0)
    assert [row["tokens"] for row in states["questions"][0]["on"]["rows"]] == [
        s.tokens for s in trace.selection.skipped
    ]


def test_evidence_is_marked_where_it_stands(notes):
    source, states = notes
    question = states["questions"][0]
    marked = [
        "".join(states["strings"][row["text"]][s:e] for s, e in row["gold"])
        for row in question["on"]["rows"]
        if row["gold"]
    ]
    assert marked == [GOLD.evidence[0][1]]
    assert GOLD.evidence[0][1] in states["strings"][question["where"][0]]


def test_a_question_without_candidates_or_evidence_has_one_state_and_says_why(notes):
    _, states = notes
    zebras = states["questions"][1]
    assert zebras["where"] == []
    assert zebras["on"]["rows"] == []
    assert states["strings"][zebras["on"]["note"]] == "no term of the question was found"
    assert [run["from"] for run in zebras["on"]["runs"]["sentences"]] == [0]
    run = zebras["on"]["runs"]["sentences"][0]
    assert states["strings"][run["verdict"]] == "no evidence to look for"


def test_nothing_fits_into_a_budget_of_0(notes):
    _, states = notes
    for policy in POLICIES:
        run = state_at(states, 0, "on", policy, 0)
        assert run["kept"] == run["written"] == [] and run["used"] == run["context"] == 0
        assert len(run["why"]) == len(states["questions"][0]["on"]["rows"])


def test_a_text_longer_than_every_budget_is_always_skipped_whole():
    settings = replace(PRESETS["article"](), prepare=tuple)
    long = Document("a.md", "budget " * 2000)
    states = board_states(TraceSource(prepare_index([long], settings), ["budget"], settings))
    assert all(run["kept"] == [] for run in states["questions"][0]["on"]["runs"]["first-fit"])


def test_an_index_of_nothing_makes_a_board():
    data = board_data(TraceSource(prepare_index([]), ["Anything?"]))
    assert data["strings"][data["questions"][0]["on"]["note"]] == "the index holds no text"


def test_a_chinese_document_makes_a_board():
    text = "潮汐表挂在码头。" * 30 + "\n\n海水泵在冬天会结冰。" + "\n\n船只须在日落前返港。" * 20
    source = TraceSource(prepare_index([Document("港口.txt", text)]), ["海水泵在冬天怎样？"])
    states = board_states(source)
    run = state_at(states, 0, "on", "sentences", 50)
    assert 0 < run["used"] <= 50
    assert "结冰" in states["strings"][run["answer"]]


def test_the_json_holds_no_nan_and_no_float_that_drifts(notes):
    source, _ = notes
    data = board_data(source)
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_no_text_can_end_its_element_in_a_saved_page(tmp_path):
    source = TraceSource(
        prepare_index([Document("a.txt", f"Crabs {NASTY} walk.")]), [f"Where do crabs walk {NASTY}?"]
    )
    view = budget_board(source)
    saved = view.save(tmp_path / "board.html").read_text(encoding="utf-8")
    assert saved.count("<script") == saved.count("</script>") == 2
    assert "<img" not in saved and "<!--" not in saved
    stored = re.search(r'<script type="application/json" id="rl-values">(.*?)</script>', saved, re.DOTALL)[1]
    values = json.loads(stored)
    assert (
        values["budget"] == 250 and NASTY in values["data"]["strings"][values["data"]["questions"][0]["text"]]
    )
    assert (
        "alert(2)" in view._repr_mimebundle_()[0]["text/html"]
        and "<img" not in view._repr_mimebundle_()[0]["text/html"]
    )


def test_a_saved_page_reaches_for_nothing_outside(notes, tmp_path):
    saved = page("board", board_data(notes[0]))
    assert not re.search(
        r"\b(?:src|href)=|\bimport\b|@import|\bfetch\(|url\((?!#)", saved.split('id="rl-values"')[0]
    )
    for kind in SCRIPTS:
        assert not re.search(r"\bimport\b|\bfetch\(|</script|innerHTML = [^h]*strings\[run", script(kind))
        assert script(kind).count("export default") == 1


def test_the_title_of_a_page_is_escaped():
    data = {"title": "a </title><b>", "controls": []}
    assert "<title>a &lt;/title&gt;&lt;b&gt;</title>" in page("explorer", data)
    with pytest.raises(ValueError, match="JSON"):
        page("explorer", data | {"number": float("nan")})


@pytest.mark.parametrize(
    ("questions", "error", "message"),
    [
        ("Why?", TypeError, r"write \[question\] for one"),
        (GOLD, TypeError, r"write \[question\] for one"),
        ([], ValueError, "one question or more"),
        ([7], TypeError, "a string or a Question; got 7"),
        ([replace(GOLD, evidence=(("large_rag_notes.md", "no such words"),))], ValueError, "no such words"),
    ],
)
def test_bad_questions_are_named(notes, questions, error, message):
    with pytest.raises(error, match=message):
        TraceSource(notes[0].index, questions)


@pytest.mark.parametrize("budget", [-10, 255, 1510, True, 2.5, None, "250"])
def test_a_bad_budget_is_named(notes, budget):
    with pytest.raises(ValueError, match=re.escape(f"got {budget!r}")):
        board_data(notes[0], budget)


def test_something_else_than_a_source_is_named():
    with pytest.raises(TypeError, match="TraceSource.*got list"):
        board_data([])
    with pytest.raises(TypeError, match="prepare_index; got list"):
        TraceSource([], ["Why?"])


def test_a_board_has_traits_that_python_reads_and_sets(notes):
    import traitlets

    board = budget_board(notes[0], budget=1200)
    assert (board.budget, board.policy, board.neighbours, board.question) == (
        1200,
        notes[0].settings.policy,
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
    board = budget_board(notes[0])
    stored = board._repr_mimebundle_()[0]
    assert stored["text/plain"] == repr(board) and "0x" not in repr(board)
    assert board.model_id not in repr(board)
    assert stored["text/html"] == notes[0].trace(0, 250)._repr_html_()
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


def test_a_still_view_escapes_its_words():
    view = StillView("explorer", {}, "<table></table>")
    assert view._repr_html_().endswith("<table></table>") and "`pip install anywidget`" in repr(view)
