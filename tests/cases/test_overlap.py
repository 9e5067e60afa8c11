"""Cases of overlap: windows always move on, repeat no more than asked for, and bad settings are named.

The rules behind them are properties in tests/test_windows.py: `test_cap_overlap_and_progress`,
`test_no_window_repeats_the_end_of_the_one_before`. Added here: how many windows there may be.
"""

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import count_words, counters, pieces_of, silently, texts

from rag_lessons.chunking import chunk_paragraphs, chunk_sentences
from rag_lessons.markdown import chunk_markdown
from rag_lessons.windows import chunk_tokens

WITH_TARGET = [chunk_paragraphs, chunk_sentences, chunk_markdown]


@case("OV-01")
@pytest.mark.parametrize("overlap", [10, 15])
def test_an_overlap_as_large_as_the_window_is_refused_at_once(overlap):
    start = time.process_time()
    with pytest.raises(ValueError, match=rf"overlap {overlap}, size 10\b"):
        chunk_tokens("q" * 400, 10, overlap, len)
    assert time.process_time() - start < 2


@case("OV-03")
def test_the_last_window_comes_once():
    start = time.process_time()
    text = "ABCDEFGHIJKLM"
    assert pieces_of(text, chunk_tokens(text, 6, 2, len)) == ["ABCDEF", "EFGHIJ", "IJKLM"]
    assert time.process_time() - start < 2


@case("OV-04")
def test_no_window_holds_only_what_the_one_before_holds():
    text = "w1 w2 w3 w4 w5 w6 w7 w8"
    spans = chunk_tokens(text, 4, 2, count_words)
    assert pieces_of(text, spans) == ["w1 w2 w3 w4", "w3 w4 w5 w6", "w5 w6 w7 w8"]
    assert not any(a != b and a[0] >= b[0] and a[1] <= b[1] for a in spans for b in spans)


@case("OV-05")
def test_the_overlap_holds_where_a_text_has_no_place_to_break():
    assert pieces_of("QRSTUVWXYZ", chunk_tokens("QRSTUVWXYZ", 5, 1, len)) == ["QRSTU", "UVWXY", "YZ"]


@case("OV-07")
@pytest.mark.parametrize(
    ("size", "overlap", "named"),
    [
        (0, 0, r"size .* got 0"),
        (-5, 0, r"size .* got -5"),
        (10, -1, r"overlap .* got -1"),
        (10, 11, r"overlap .* got overlap 11, size 10"),
        ("10", 0, r"size .* got '10'"),
        (True, 0, r"size .* got True"),
        (2.5, 0, r"size .* got 2\.5"),
    ],
)
def test_sizes_and_overlaps_that_cannot_be_are_named(size, overlap, named):
    with pytest.raises((ValueError, TypeError), match=named):
        chunk_tokens("one two three", size, overlap)
    if named.startswith("size"):
        for chunk in WITH_TARGET:
            with pytest.raises((ValueError, TypeError), match=named.replace("size", "target")):
                chunk("one two three", size)


@pytest.mark.parametrize("value", [None, math.nan, math.inf, [3], b"3", 3.0, int, np.array([3]), np.bool_(True), -1])
def test_whatever_is_no_count_is_refused_by_every_chunker(value):
    calls = [(chunk, "target") for chunk in WITH_TARGET] + [(chunk_tokens, "size")]
    calls.append((lambda text, overlap: chunk_tokens(text, 9, overlap), "overlap"))
    for chunk, name in calls:
        with pytest.raises((ValueError, TypeError)) as caught:
            chunk("one two three", value)
        assert str(caught.value).startswith(f"{name} must be a whole number of ")
        assert str(caught.value).endswith(f" or more; got {value!r}")


@given(texts(), counters, st.integers(1, 12), st.integers(0, 11))
def test_there_are_no_more_windows_than_places_to_begin(text, counter, size, overlap):
    spans = silently(chunk_tokens, text, size, min(overlap, size - 1), counter)
    assert len(spans) <= sum(not character.isspace() for character in text)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in zip(spans, spans[1:], strict=False))
