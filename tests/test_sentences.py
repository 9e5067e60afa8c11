"""Sentences: where one ends and where it does not, and that no character is lost."""

import time

import pytest
from hypothesis import given
from texts import assert_whole_graphemes, pieces_of, texts

from rag_lessons.sentences import fold, sentence_spans, trim


def split(text):
    return pieces_of(text, sentence_spans(text))


@pytest.mark.parametrize(
    "sentences",
    [
        ["Fit a filter, e.g. a sieve, i.e. less mud.", "Moe et al. tried it."],
        ["Mr. Hale and Prof. Ito met at 5 p.m. on Friday.", "Nobody spoke."],
        ["Get v3.11.4 at https://example.net/x.y?z=2.5 now.", "Then edit tool.cfg, wait 0.5 s."],
        ["Hold... on... now.", "Go."],
        ["He cried \u201cLeave!\u201d", "Nobody left."],
        ['She wrote "Done."', "It was not."],
        ["The gauge reads\nfour metres\nat noon.", "It falls\nlater."],
        ["Is it so?", "It is!", "Good."],
    ],
)
def test_english(sentences):
    assert split(" ".join(sentences)) == sentences


def test_full_width_stops_need_no_space():
    sentences = ["\u8239\u5230\u4e86\u3002", "\u8c01\u6765\uff1f", "\u5feb\u8dd1\uff01"]
    assert split("".join(sentences)) == sentences


def test_blank_lines_and_structure_end_a_sentence():
    text = "# Notes on rust\nIron rusts\n \t\nso does steel\n- one thing\n- another\n| a | b |\n|---|---|\n```\nx\n```"
    assert split(text) == [
        *["# Notes on rust", "Iron rusts", "so does steel", "- one thing", "- another"],
        *["| a | b |", "|---|---|", "```", "x", "```"],
    ]


@pytest.mark.parametrize("text", ["", " ", "\n \t\n"])
def test_blank_text_has_no_sentence(text):
    assert sentence_spans(text) == []


@given(texts())
def test_every_visible_character_once_and_in_order(text):
    spans = sentence_spans(text)
    assert all(piece == piece.strip() != "" for piece in pieces_of(text, spans))
    assert all(end <= start for (_, end), (start, _) in zip(spans, spans[1:], strict=False))
    assert "".join("".join(pieces_of(text, spans)).split()) == "".join(text.split())
    assert_whole_graphemes(text, spans)


@pytest.mark.parametrize(
    "text", [" " * 60_000 + "x", "y" * 60_000, "b." * 30_000, '"' * 30 + "C" * 60_000, "\n " * 30_000]
)
def test_long_runs_take_no_long_time(text):
    start = time.process_time()
    sentence_spans(text)
    assert time.process_time() - start < 5


def test_trim_and_fold():
    assert trim("\t a\u00a0", 0, 4) == (2, 3)
    assert trim("   ", 0, 3) in {(n, n) for n in range(4)}
    assert fold(" a \n\t b\u00a0c ") == "a b c"
