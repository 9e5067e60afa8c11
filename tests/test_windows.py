"""Windows of tokens: a cap and an overlap under any counter, and always a step forward."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import (
    COUNTERS,
    assert_spans,
    assert_whole_graphemes,
    count_bytes,
    count_words,
    counters,
    pieces_of,
    silently,
    texts,
)

from rag_lessons import windows
from rag_lessons.chunking import OversizeWarning
from rag_lessons.tokens import grapheme_cut
from rag_lessons.windows import chunk_tokens


@given(texts(), counters, st.integers(1, 30), st.integers(0, 29))
def test_cap_overlap_and_progress(text, counter, size, overlap):
    overlap = min(overlap, size - 1)
    spans = silently(chunk_tokens, text, size, overlap, counter)
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    assert starts == sorted(set(starts)) and ends == sorted(set(ends))
    assert all(piece.strip() for piece in pieces_of(text, spans))
    assert_whole_graphemes(text, spans)
    for start, end in spans:
        one_character = grapheme_cut(text, end - 1, start) == start
        assert counter(text[start:end]) <= size or one_character
    for (_, end), (start, _) in zip(spans, spans[1:], strict=False):
        assert start > end or counter(text[start:end]) <= overlap
        assert not text[end:start].strip()
    covered = {place for start, end in spans for place in range(start, end)}
    assert all(place in covered for place, character in enumerate(text) if not character.isspace())


@given(texts(), counters, st.integers(1, 30))
def test_without_overlap_every_visible_character_once(text, counter, size):
    assert_spans(text, silently(chunk_tokens, text, size, 0, counter))


@given(texts(), counters)
def test_a_text_that_fits_is_one_window(text, counter):
    spans = chunk_tokens(text, 10_000, 20, counter)
    assert pieces_of(text, spans) == [text.strip()][: len(spans)]
    assert len(spans) == bool(text.strip())


@pytest.mark.parametrize(
    ("text", "size", "overlap", "windows"),
    [
        ("KLMNOPQRSTUVW", 6, 2, ["KLMNOP", "OPQRST", "STUVW"]),
        ("ABCDEFGH", 4, 1, ["ABCD", "DEFG", "GH"]),
        ("ABCDEFGH", 4, 0, ["ABCD", "EFGH"]),
        ("ABCDE", 2, 1, ["AB", "BC", "CD", "DE"]),
    ],
)
def test_characters_by_hand(text, size, overlap, windows):
    assert pieces_of(text, chunk_tokens(text, size, overlap, len)) == windows


def test_words_by_hand():
    text = "a1 a2 a3 a4 a5 a6 a7"
    assert pieces_of(text, chunk_tokens(text, 3, 1, count_words)) == ["a1 a2 a3", "a3 a4 a5", "a5 a6 a7"]
    text = "Red kelp grows.\nBrown  kelp sinks. Now."
    assert [start for start, _ in chunk_tokens(text, 3, 1, count_words)] == [0, 9, 23]


def test_no_window_repeats_the_end_of_the_one_before():
    for length in range(1, 40):
        text = " ".join(f"n{n}" for n in range(length))
        spans = chunk_tokens(text, 6, 3, count_words)
        assert spans[-1][1] == len(text)
        assert len(spans) == 1 + max(0, -(-(length - 6) // 3))


def test_windows_end_at_words():
    text = "valves and pumps and seals and gates"
    assert pieces_of(text, chunk_tokens(text, 12, 0, len)) == ["valves and", "pumps and", "seals and", "gates"]


def test_special_tokens_and_decomposed_accents_stay_as_they_are():
    text = "<|eot|> cafe\u0301 cre\u0300me " * 4
    for counter in COUNTERS.values():
        pieces = pieces_of(text, silently(chunk_tokens, text, 4, 1, counter))
        assert not any(piece[0] in "\u0301\u0300" for piece in pieces)


def test_one_character_over_the_size_is_kept_whole_with_a_warning():
    with pytest.warns(OversizeWarning, match="the character at offset 0 costs 3, over the size of 2; kept whole"):
        assert chunk_tokens("\u6c34ab", 2, 0, count_bytes) == [(0, 1), (1, 3)]


def test_unspaced_text_is_cut_too():
    text = "\u660e\u65e5\u306e\u6f6e\u306f\u9ad8\u3044\u3002" * 30
    spans = chunk_tokens(text, 10)
    assert len(spans) >= 20 and max(end - start for start, end in spans) <= 12


@pytest.mark.parametrize("unit", ["a", "\u00e9", "Z\u0351\u0352\u0353\u0334"], ids=["a", "e acute", "stacked marks"])
def test_one_word_as_long_as_a_book_is_not_read_again_for_each_window(unit, monkeypatch):
    text = unit * (200_000 // len(unit))
    counting = CountingPattern(windows._WORD_END)
    monkeypatch.setattr(windows, "_WORD_END", counting)
    for overlap in (0, 20):
        spans = chunk_tokens(text, 100, overlap)
        pairs = list(zip(spans, spans[1:], strict=False))
        assert len(spans) > 300 and spans[0][0] == 0 and spans[-1][1] == len(text)
        assert all(start <= end if overlap else start == end for (_, end), (start, _) in pairs)
        assert all(place % len(unit) == 0 for span in spans for place in span)
    assert counting.read < 20 * len(text)


class CountingPattern:
    """A pattern that counts the characters it matched."""

    def __init__(self, pattern):
        self.pattern, self.read = pattern, 0

    def match(self, text, *places):
        found = self.pattern.match(text, *places)
        self.read += found.end() - found.start()
        return found


@pytest.mark.parametrize("text", ["", "  ", "\n\n"])
def test_blank_text_has_no_window(text):
    assert chunk_tokens(text, 5, 2) == []


@pytest.mark.parametrize(
    ("size", "overlap", "error", "message"),
    [
        (8, 8, ValueError, "overlap must be smaller than size, or the window never moves; got overlap 8, size 8"),
        (8, 11, ValueError, "got overlap 11, size 8"),
        (0, 0, ValueError, "size must be a whole number of tokens, 1 or more; got 0"),
        (-4, 0, ValueError, "got -4"),
        (4, -1, ValueError, "overlap must be a whole number of tokens, 0 or more; got -1"),
        ("8", 0, TypeError, "got '8'"),
        (True, 0, TypeError, "got True"),
        (4.5, 0, TypeError, "got 4.5"),
        (4, 1.0, TypeError, "overlap .* got 1.0"),
    ],
)
def test_bad_settings_are_named(size, overlap, error, message):
    for text in ("one two three", ""):
        with pytest.raises(error, match=message):
            chunk_tokens(text, size, overlap)
