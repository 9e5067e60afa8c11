"""Sentences: where one ends and where it does not, and that no character is lost."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import assert_whole_graphemes, pieces_of, texts

from rag_lessons import sentences
from rag_lessons.sentences import fold, sentence_spans, trim


def split(text):
    return pieces_of(text, sentence_spans(text))


@pytest.mark.parametrize(
    "expected",
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
def test_english(expected):
    assert split(" ".join(expected)) == expected


def test_full_width_stops_need_no_space():
    expected = ["\u8239\u5230\u4e86\u3002", "\u8c01\u6765\uff1f", "\u5feb\u8dd1\uff01"]
    assert split("".join(expected)) == expected


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


@pytest.mark.parametrize("space", ["\u00a0", "\u0085", "\u2028", "\u2029", "\u3000"])
def test_wide_space_before_a_full_stop(space):
    text = f"It is buoy B{space}. Then it sinks."
    assert split(text) == [f"It is buoy B{space}.", "Then it sinks."]
    assert split(f"A{space}.") == [f"A{space}."]


def test_a_window_changes_nothing_in_ordinary_prose(monkeypatch):
    lines = (f"Gate {n} shut at {n % 12} p.m. and held 2.{n} bar. Did Mr. Moe ask? He did!" for n in range(400))
    text = " ".join(lines)
    assert len(text) > 2 * sentences._WINDOW
    within = sentence_spans(text)
    monkeypatch.setattr(sentences, "_WINDOW", len(text))
    assert within == sentence_spans(text) and len(within) == 1_200


def test_a_sentence_longer_than_the_window_stays_whole():
    long = "Hold the " + "very " * 6_000 + "long rope."
    assert split(f"Now. {long} Then go.") == ["Now.", long, "Then go."]


@given(texts(), st.integers(1, 40))
def test_no_window_loses_a_character(text, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences, "_WINDOW", size)
        assert "".join("".join(split(text)).split()) == "".join(text.split())


@pytest.mark.parametrize("more", [0, 1])
def test_segment_is_asked_up_to_so_many_bytes_as_it_keeps_white_space(more):
    text = ("\u6f22\u5b57. " + "The pump fails.  Why?\n\n" * 1000).encode()[: sentences._WHOLE + more].decode()
    ends = [boundary["end_index"] for boundary in sentences.get_sentence_boundaries("en", text)]
    assert sentences._ends(text) == ends and ends[-1] == len(text)


@pytest.mark.parametrize("marks", ["```", '"`"'])
def test_no_more_than_a_window_is_read_at_once(marks, monkeypatch):
    read, find = [], sentences.segment

    def counted(language, text):
        read.append(len(text))
        return find(language, text)

    monkeypatch.setattr(sentences, "segment", counted)
    text = marks * (200_000 // len(marks))
    assert "".join(split(text)) == text
    assert max(read) <= 10_000 and sum(read) <= 3 * len(text)
