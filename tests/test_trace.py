"""What a trace shows of odd names and questions, and what `ask` says of something that is none of its input."""

import json
import re
from dataclasses import replace

import pytest

from rag_lessons import PRESETS, Document, article_settings, ask, default_settings, prepare_index
from rag_lessons.board import TraceSource
from rag_lessons.tokens import counter_name

GATES = [Document("gates.md", "Gates rust.")]
each_preset = pytest.mark.parametrize("make", PRESETS.values(), ids=PRESETS)


@each_preset
def test_no_sign_moves_the_cursor_or_begins_a_line(make):
    odd = "\x1b[2J\x07\x9b \r \u2028 \u2029 \x85 \x7f \b"
    documents = [Document(f"a{odd}\nRaw chunks included: 99.md", f"Gates{odd} rust.", f"source{odd}\nAnswer: none")]
    settings = make()
    for question in (f"Do gates{odd} rust?\nAnswer: no", f"zebra{odd}"):
        trace = ask(question, prepare_index(documents, settings), 250, settings)
        shown = str(trace)
        assert all(line.isprintable() for line in shown.split("\n"))
        assert len(re.findall(r"^(?:Question|Answer|Raw chunks included):", shown, re.MULTILINE)) == 3
        assert json.loads(json.dumps(trace.to_dict()))["question"] == question  # the data stay as they are
    assert "zebra" in str(trace)


def test_what_is_no_index_or_no_settings_is_named_with_the_way_to_get_it():
    index = prepare_index(GATES)
    for value in ([], None, GATES, prepare_index):
        with pytest.raises(TypeError, match=r"index must come from prepare_index\(documents\); got"):
            ask("gates", value)
    for value in ("article", article_settings, PRESETS, {"policy": "first-fit"}, 250):
        message = r"settings must be made by article_settings\(\) or default_settings\(\); got"
        with pytest.raises(TypeError, match=message):
            ask("gates", index, 250, value)
        with pytest.raises(TypeError, match=message):
            prepare_index(GATES, value)
        with pytest.raises(TypeError, match=message):
            TraceSource(index, ["gates"], value)


def test_what_is_no_document_is_named():
    with pytest.raises(TypeError, match="documents must be Document objects; got 'gates.md'"):
        prepare_index(GATES).update("gates.md")


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (None, TypeError, "source must be a string; got None"),
        (b"a.md", TypeError, "source must be a string; got b'a.md'"),
        ("a\ud800", ValueError, r"source holds half a character \(U\+D800\) at offset 1"),
    ],
)
def test_a_source_that_is_no_text_is_named(source, error, message):
    with pytest.raises(error, match=message):
        Document("a.md", "text", source)


class PerWord:
    """A counter that is an object and so has no name of its own."""

    def __call__(self, text):
        return len(text.split())


def test_a_counter_without_a_name_is_called_by_its_type():
    settings = replace(default_settings(), counter=PerWord())
    trace = ask("Do gates rust?", prepare_index(GATES, settings), 50, settings)
    assert trace.settings["counter"] == counter_name(PerWord()) == "PerWord"
    assert trace.selection.tokens == 5 and "PerWord" in str(trace) and "PerWord" in trace._repr_html_()


def test_a_chunk_of_sentences_that_stand_elsewhere_says_so():
    documents = [Document("a.txt", "Terns nest early. Gulls sleep late."), Document("b.txt", GATES[0].text)]
    documents.append(Document("c.txt", "Gulls sleep late. Terns nest early."))
    trace = ask("Do terns nest or gulls sleep?", prepare_index(documents), 250)
    assert [i.candidate.chunk.doc_id for i in trace.selection.included] == ["a.txt"]
    assert [(s.candidate.chunk.doc_id, s.reason) for s in trace.selection.skipped] == [
        ("c.txt", "its sentences stand in other chunks already")
    ]
