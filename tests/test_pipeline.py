"""From documents to a trace: settings, notes, and the three ways in which a trace is shown."""

import json
import pickle
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import LINES, PROSE, count_words, texts

from rag_lessons import PRESETS, Document, ask, prepare_index
from rag_lessons.budgeting import POLICIES, ContextBudget
from rag_lessons.routing import HardRoute, SoftRoute
from rag_lessons.sentences import fold

DOCUMENTS = [
    Document("gates.md", "# Gates\n\nThe lock gate rusts in salt air.\n\nA motor lifts the gate at noon."),
    Document("birds.txt", "Terns nest on the lock. Terns <dive> & feed at noon."),
    Document("empty.md", ""),
]
each_preset = pytest.mark.parametrize("make", PRESETS.values(), ids=PRESETS)
corpora = st.dictionaries(st.sampled_from(["a.md", "b.md", "c.txt"]), texts([*PROSE, *LINES], 12), max_size=3)


@each_preset
@given(corpus=corpora, question=texts(PROSE, 4), budget=st.integers(0, 300), policy=st.sampled_from(POLICIES))
def test_any_corpus_and_question(make, corpus, question, budget, policy):
    settings = replace(make(), policy=policy)
    index = prepare_index([Document(name, text) for name, text in corpus.items()], settings)
    trace = ask(question, index, budget, settings)
    chosen = trace.selection
    assert len(chosen.included) + len(chosen.skipped) == len(trace.route.candidates) == len(trace.texts)
    assert chosen.tokens <= budget and chosen.context in trace.prompt
    assert chosen.included or trace.notes
    for doc_id, start, end in trace.answer.quotes:
        spans = [span for i in chosen.included if i.candidate.chunk.doc_id == doc_id for span in i.spans]
        assert any(s <= start < e for s, e in spans) and any(s < end <= e for s, e in spans)
    plain = json.loads(json.dumps(trace.to_dict(), allow_nan=False))
    assert plain == trace.to_dict()
    assert f"Question: {fold(question)}" in str(trace) and trace._repr_html_()
    assert ask(question, index, budget, settings) == trace


def test_the_trace_names_every_part():
    index = prepare_index(DOCUMENTS)
    trace = ask("Why does the gate rust?", index, 40)
    assert trace.settings == {
        "index": "default, 420 characters",
        "route": SoftRoute().name,
        "scorer": "bm25",
        "policy": "sentences",
        "counter": "estimate_tokens",
    }
    assert (trace.question, trace.budget, trace.preset, trace.notes) == ("Why does the gate rust?", 40, "default", ())
    assert trace.texts["gates.md-chunk-001"] == DOCUMENTS[0].text
    assert trace.answer.text == "The lock gate rusts in salt air. [gates.md]"


def test_settings_change_one_part_at_a_time():
    settings = PRESETS["default"]()
    index = prepare_index(DOCUMENTS, settings)
    hard = replace(settings, route=HardRoute(k_documents=1), policy="first-fit")
    trace = ask("terns at noon", index, 100, hard)
    assert [hit.id for hit in trace.route.documents] == ["birds.txt"]
    assert (trace.settings["route"], trace.settings["policy"]) == (hard.route.name, "first-fit")


@each_preset
@given(question=texts(PROSE, 4), tokens=st.integers(0, 60))
def test_a_budget_may_count_in_its_own_way(make, question, tokens):
    settings = make()
    index = prepare_index(DOCUMENTS, settings)
    same = ContextBudget(tokens, settings.counter, settings.joiners)
    assert ask(question, index, same, settings) == ask(question, index, tokens, settings)
    trace = ask(f"{question} noon", index, ContextBudget(tokens, count_words), settings)
    assert (trace.budget, trace.settings["counter"]) == (tokens, "count_words")
    assert trace.selection.tokens == count_words(trace.selection.context) <= tokens
    assert all(part.tokens >= 9 for part in (*trace.selection.included, *trace.selection.skipped))


@pytest.mark.parametrize(
    ("documents", "question", "budget", "notes"),
    [
        ([], "gate", 100, ("the index holds no text",)),
        ([Document("e.md", " \n")], "gate", 100, ("the index holds no text",)),
        (DOCUMENTS, "what is it of the?", 100, ("the question has no content words",)),
        (DOCUMENTS, "", 100, ("the question has no content words",)),
        (DOCUMENTS, "zebra migration", 100, ("no term of the question was found",)),
        (DOCUMENTS, "\u00bfCu\u00e1ndo se oxida?", 100, ("no term of the question was found",)),
        (DOCUMENTS, "gate", 3, ("the budget is smaller than anything that was found",)),
        (DOCUMENTS, "gate", 0, ("the budget is smaller than anything that was found",)),
    ],
)
@each_preset
def test_notes_say_why_the_context_is_empty(make, documents, question, budget, notes):
    trace = ask(question, prepare_index(documents, make()), budget, make())
    assert trace.notes == notes
    assert trace.selection.context == "" and trace.answer.quotes == ()
    assert f"Note: {notes[0]}" in str(trace) and notes[0] in trace._repr_html_()


def test_text_form_shows_hits_included_and_skipped_with_reasons():
    settings = replace(PRESETS["default"](), policy="first-fit")
    trace = ask("terns at noon", prepare_index(DOCUMENTS, settings), 24, settings)
    assert len(trace.selection.included) == len(trace.selection.skipped) == 1
    text = str(trace)
    for part in (*trace.selection.included, *trace.selection.skipped):
        assert part.candidate.chunk.chunk_id in text
    assert trace.selection.skipped[0].reason in text and trace.answer.text in text
    assert f"{trace.selection.tokens} of 24 tokens" in text


def test_partly_included_chunks_say_how_much():
    text = "Terns nest. " + "Gulls sleep on the pier all day. " * 9
    trace = ask("terns", prepare_index([Document("a.txt", text)]), 12)
    assert f"of {len(text.rstrip())} characters)" in str(trace)


class Balance(HTMLParser):
    """Counts tags that are open, and keeps the text."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.open += [] if tag == "br" else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_html_is_balanced_and_escaped():
    trace = ask("Do terns <dive> & feed?", prepare_index(DOCUMENTS), 60)
    page = Balance()
    page.feed(trace._repr_html_())
    assert page.open == [] and "Do terns <dive> & feed?" in page.text
    assert "Terns <dive> & feed at noon." in page.text and "<dive>" not in trace._repr_html_()


def test_bad_input_is_named():
    index = prepare_index(DOCUMENTS)
    for budget, error in ((-5, ValueError), (True, TypeError), (None, TypeError), (2.5, TypeError), ("250", TypeError)):
        with pytest.raises(error, match=f"budget must be a whole number of tokens, 0 or more; got {budget!r}"):
            ask("gate", index, budget)
    with pytest.raises(TypeError, match="question must be a string; got None"):
        ask(None, index)
    with pytest.raises(ValueError, match=r"question holds half a character \(U\+D83D\) at offset 3"):
        ask("ok \ud83d", index)
    with pytest.raises(TypeError, match="documents must be Document objects; got .*documents, report"):
        prepare_index((tuple(DOCUMENTS), "report"))
    with pytest.raises(ValueError, match="two documents have the id 'a.md'"):
        prepare_index([Document("a.md", "x"), Document("a.md", "y")])
    with pytest.raises(ValueError, match="policy must be one of .* got 'greedy'"):
        ask("gate", index, 9, replace(PRESETS["default"](), policy="greedy"))


def test_a_trace_tells_of_the_texts_that_were_asked_whatever_becomes_of_the_index():
    index = prepare_index([Document("a.txt", "Gates rust. Terns nest."), Document("b.txt", "Birds nest.")])
    trace = ask("gates nest", index, 20)
    told = (repr(trace), trace._repr_html_(), trace.to_dict())
    index.update(Document("a.txt", "X."))
    assert (repr(trace), trace._repr_html_(), trace.to_dict()) == told
    index.remove("a.txt")
    assert (repr(trace), trace._repr_html_(), trace.to_dict()) == told
    assert pickle.loads(pickle.dumps(trace)) == trace


@pytest.mark.parametrize("wrong", [float("nan"), 2.5, None, -5, "3", True])
def test_what_a_counter_returns_must_be_a_number_of_tokens(wrong):
    index = prepare_index([Document("a.txt", "Gates rust.")])
    with pytest.raises((TypeError, ValueError), match="what the counter returns must be a whole number of tokens"):
        ask("gates", index, ContextBudget(50, lambda text: wrong))
    with pytest.raises(TypeError, match="counter must be a function from text to tokens; got None"):
        ContextBudget(5, None)
