"""The budget board's states against `ask`, at every budget where something changes."""

import re
from dataclasses import replace

import pytest

from rag_lessons import PRESETS, Document, ask, data_folder, load_documents, prepare_index
from rag_lessons.board import BUDGETS, TraceSource, board_states, fill
from rag_lessons.budgeting import POLICIES
from rag_lessons.evaluation import Question, find_evidence, judge
from rag_lessons.widgets import board_data

WHY = "Why can RAG fail when the context budget is too small?"
GOLD = Question("n1", "middle", WHY, "", (("large_rag_notes.md", "or it was a candidate and was skipped"),))


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


@pytest.mark.parametrize("policy", POLICIES)
def test_a_repeated_text_is_left_out_as_ask_leaves_it_out(policy):
    text = "The weir gate rusts in salt air. The weir is inspected in May."
    source = TraceSource(prepare_index([Document("a.txt", text), Document("b.txt", text)]), ["Which weir gate rusts?"])
    states = board_states(source)
    for budget in (0, 20, 60, 200):
        run = state_at(states, 0, "on", policy, budget)
        assert shown(states, 0, "on", run, budget) == asked(source, 0, budget, policy, True)
