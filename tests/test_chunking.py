"""Chunking by paragraph and by sentence: a hard cap, nothing lost, nothing twice."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import assert_spans, pieces_of, silently, texts

from rag_lessons.chunking import (
    OversizeWarning,
    chunk_paragraphs,
    chunk_sentences,
    group_spans,
    paragraph_spans,
    split_span,
)

CHUNKERS = [chunk_paragraphs, chunk_sentences]
each_chunker = pytest.mark.parametrize("chunk", CHUNKERS)


@each_chunker
@given(text=texts(), target=st.integers(1, 90))
def test_spans_hold_every_visible_character_once(chunk, text, target):
    spans = silently(chunk, text, target)
    assert_spans(text, spans)
    for start, end in spans:
        one_character = len(silently(chunk, text[start:end], 1)) == 1
        assert end - start <= target or one_character


@each_chunker
@given(text=texts())
def test_a_text_that_fits_is_one_chunk(chunk, text):
    spans = chunk(text, 10_000)
    assert len(spans) == bool(text.strip())
    assert "".join(pieces_of(text, spans)).strip() == text.strip()


@given(text=texts(), target=st.integers(1, 90))
def test_neighbouring_chunks_of_paragraphs_could_not_be_one(text, target):
    spans = silently(chunk_paragraphs, text, target)
    starts, ends = (set(edges) for edges in zip(*paragraph_spans(text), strict=True)) if spans else ((), ())
    for (start, _), (begin, end) in zip(spans, spans[1:], strict=False):
        if begin in starts and end in ends:
            assert end - start > target


@given(text=texts())
def test_paragraphs_are_what_stands_between_blank_lines(text):
    spans = paragraph_spans(text)
    assert_spans(text, spans)
    assert all("\n\n" not in "\n".join(line.strip() for line in p.splitlines()) for p in pieces_of(text, spans))
    for (_, end), (start, _) in zip(spans, spans[1:], strict=False):
        assert text[end:start].count("\n") >= 2


def test_paragraphs_are_grouped_while_they_fit():
    text = "\n\n".join(letter * 30 for letter in "abcd")
    assert [len(piece) for piece in pieces_of(text, chunk_paragraphs(text, 62))] == [62, 62]
    assert [len(piece) for piece in pieces_of(text, chunk_paragraphs(text, 61))] == [30] * 4


def test_blank_lines_may_hold_spaces():
    assert pieces_of("One\n \nTwo\n\t\nThree", chunk_paragraphs("One\n \nTwo\n\t\nThree", 5)) == ["One", "Two", "Three"]


def test_gap_after_a_full_chunk_is_no_chunk():
    text = "x" * 50 + "\n\n\n\n\n" + "y" * 50
    assert chunk_paragraphs(text, 50) == [(0, 50), (55, 105)]


def test_long_paragraph_falls_back_to_sentences_words_and_characters():
    text = "One short sentence. Another one here. " + "unbroken" * 4 + " tail"
    pieces = pieces_of(text, chunk_paragraphs(text, 20))
    assert pieces[0] == "One short sentence."
    assert max(map(len, pieces)) <= 20
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")


def test_prose_in_one_paragraph_is_cut_at_sentences():
    text = " ".join(f"Reading {n} was taken at dawn." for n in range(30))
    assert all(piece.endswith("dawn.") for piece in pieces_of(text, chunk_paragraphs(text, 150)))
    assert all(piece.endswith("dawn.") for piece in pieces_of(text, chunk_sentences(text, 150)))


def test_repeated_sentences_have_places_of_their_own():
    text = "Pump it out. " * 5
    assert chunk_sentences(text, 26) == [(0, 25), (26, 51), (52, 64)]


@each_chunker
def test_indents_and_odd_spaces_stay_inside_a_chunk(chunk):
    text = "one\u00a0 two\t\tthree"
    assert pieces_of(text, chunk(text, 50)) == [text]


@each_chunker
def test_accents_stay_with_their_letters(chunk):
    text = "de\u0301ja\u0300 vu " * 8
    pieces = pieces_of(text, silently(chunk, text, 2))
    assert not any(piece.startswith(("\u0301", "\u0300")) for piece in pieces)
    assert "e\u0301" in "".join(pieces)


@each_chunker
def test_one_character_over_the_target_is_kept_whole_with_a_warning(chunk):
    text = "\U0001f469\u200d\U0001f692ok"
    with pytest.warns(OversizeWarning, match="the character at offset 0 costs 3, over the size of 2; kept whole"):
        assert chunk(text, 2) == [(0, 3), (3, 5)]


@each_chunker
@pytest.mark.parametrize("text", ["", " ", "\n \t\n\n"])
def test_blank_text_has_no_chunk(chunk, text):
    assert chunk(text, 10) == []


@pytest.mark.parametrize("call", [*CHUNKERS, lambda text, target: group_spans([], target)])
@pytest.mark.parametrize(
    ("target", "error"), [(0, ValueError), (-3, ValueError), (True, TypeError), ("9", TypeError), (2.5, TypeError)]
)
def test_bad_target_is_named(call, target, error):
    for text in ("some text. more text.", ""):
        with pytest.raises(error, match=f"target must be a whole number of characters, 1 or more; got {target!r}"):
            call(text, target)


def test_split_and_group_are_inverse_for_words():
    text = "one two three four"
    spans = split_span(text, 4, 18, 5)
    assert pieces_of(text, spans) == ["two", "three", "four"]
    assert group_spans(spans, 14) == [(4, 18)]


@each_chunker
@pytest.mark.parametrize(
    "text",
    [
        "w" * 150_000,
        "a b " * 40_000,
        "\n" * 150_000 + "x",
        ("Line. " * 20 + "\n\n") * 1_000,
        " " * 150_000 + "x",
        "?" * 100_000,
    ],
)
def test_long_texts_take_no_long_time(chunk, text):
    start = time.process_time()
    chunk(text, 100)
    assert time.process_time() - start < 5
