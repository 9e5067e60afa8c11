"""Cases of chunk size: the target is a hard cap, a text that fits stays whole, no chunk is blank or small for nothing.

The rules behind them are properties in tests/test_chunking.py (`test_spans_hold_every_visible_character_once`,
`test_neighbouring_chunks_of_paragraphs_could_not_be_one`, `test_a_text_that_fits_is_one_chunk`) and in
tests/test_markdown.py. Added here: what a budget charges for.
"""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import assert_spans, count_bytes, count_words, pieces_of, silently, texts

from rag_lessons import Document, ask, default_settings, prepare_index
from rag_lessons.budgeting import ContextBudget
from rag_lessons.chunking import OversizeWarning, chunk_paragraphs, chunk_sentences
from rag_lessons.index import default_recipe
from rag_lessons.markdown import chunk_markdown, front_matter
from rag_lessons.windows import chunk_tokens


def index_of_markdown(text, target):
    settings = dataclasses.replace(default_settings(), recipe=default_recipe(target))
    return prepare_index([Document("a.md", text)], settings)


@case("CS-01")
@pytest.mark.parametrize("chunk", [chunk_paragraphs, chunk_sentences, chunk_markdown])
def test_one_long_paragraph_is_cut_at_its_sentences(chunk):
    text = " ".join(f"Sentence number {n} sits here." for n in range(40))
    assert len(text) == 1189
    spans = chunk(text, 200)
    assert_spans(text, spans)
    assert max(end - start for start, end, *_ in spans) <= 200
    assert all(piece.endswith("here.") for piece in pieces_of(text, spans))


@case("CS-03")
def test_what_stands_between_paragraphs_is_counted_before_they_are_joined():
    text = "\n\n".join(letter * 60 for letter in "abc")
    assert pieces_of(text, chunk_paragraphs(text, 100)) == ["a" * 60, "b" * 60, "c" * 60]
    assert len(chunk_paragraphs(text, 122)) == 2 and len(chunk_paragraphs(text, 121)) == 3


@case("CS-04")
def test_a_text_far_below_the_target_is_one_chunk():
    text = "Tea is hot.\n\nIce is cold.\n\nRain is wet."
    for chunk in (chunk_paragraphs, chunk_sentences, chunk_markdown):
        assert pieces_of(text, chunk(text, 400)) == [text]
    assert pieces_of(text, chunk_tokens(text, 400, 0, len)) == pieces_of(text, chunk_tokens(text, 400, 50)) == [text]


@case("CS-05")
def test_small_paragraphs_are_joined():
    a, b, c, d = (letter * 40 for letter in "abcd")
    text = f"{a}\n\n{b}\n\n{c}\n\n{d}"
    for chunk in (chunk_paragraphs, chunk_markdown):
        assert pieces_of(text, chunk(text, 100)) == [f"{a}\n\n{b}", f"{c}\n\n{d}"]


@case("CS-07")
def test_a_heading_longer_than_a_chunk_leaves_room_for_the_body():
    heading = "# " + " ".join(f"h{n}" for n in range(60))
    text = f"{heading}\n\na short body of six words"
    spans = chunk_markdown(text, 50)
    assert_spans(text, spans)
    assert spans and max(span.end - span.start for span in spans) <= 50
    assert pieces_of(text, spans)[-1].endswith("a short body of six words")
    for budget in (6, 50, 60, 90):  # the path is searched, and never written before a chunk
        trace = ask("Which body is short?", index_of_markdown(text, 50), ContextBudget(budget, count_words))
        assert count_words(trace.selection.context) <= budget
    assert "a short body of six words" in trace.selection.context


@case("CS-08")
def test_front_matter_that_is_never_shown_costs_nothing():
    notes, body = " ".join(f"n{n}" for n in range(300)), " ".join(f"b{n}" for n in range(90))
    text = f"---\ntitle: Short\nnotes: {notes}\n---\n\n{body}"
    assert pieces_of(text, chunk_markdown(text, len(body))) == [body]
    trace = ask("Which is b7?", index_of_markdown(text, len(body)), ContextBudget(100, count_words))
    assert body in trace.selection.context and trace.selection.context_tokens <= 100
    assert len(trace.selection.included) == 1 and not trace.selection.skipped


@case("CS-09")
@pytest.mark.parametrize("chunk", [chunk_paragraphs, chunk_sentences, chunk_markdown])
def test_blank_lines_after_a_full_chunk_are_no_chunk(chunk):
    text = "A" * 100 + "\n\n\n\n" + "B" * 100
    assert pieces_of(text, chunk(text, 100)) == ["A" * 100, "B" * 100]


@case("CS-11")
def test_a_character_that_costs_more_than_a_chunk_is_kept_whole_and_flagged():
    text = "\U0001f680\ubcf4\ud5d8\U0001f680"
    with pytest.warns(OversizeWarning) as caught:
        spans = chunk_tokens(text, 2, 0, count_bytes)
    assert pieces_of(text, spans) == list(text)
    assert [str(warning.message).split(",")[0] for warning in caught] == [
        f"the character at offset {n} costs {count_bytes(character)}" for n, character in enumerate(text)
    ]


@given(texts(), st.text("nkv: -", max_size=60), st.integers(20, 90))
def test_front_matter_changes_no_chunk(text, fields, target):
    if front_matter(text)[1] == 0:
        head = f"---\nkey: {fields}\n---\n"
        with_it, without = silently(chunk_markdown, head + text, target), silently(chunk_markdown, text, target)
        assert pieces_of(head + text, with_it) == pieces_of(text, without)
