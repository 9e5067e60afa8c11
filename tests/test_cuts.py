"""Head, tail and middle: within the budget as written, full, whole characters, and nothing changed that fits."""

import pytest
from cutting import BLIND, ODD, SEEING, assert_cut, assert_full, counts, cut_by, markers
from hypothesis import given
from hypothesis import strategies as st
from texts import LINES, PROSE, count_bytes, count_words, texts

from rag_lessons.cuts import head, middle, tail
from rag_lessons.cutting import ENDS, Cutting, grapheme_end
from rag_lessons.runs import words
from rag_lessons.tokens import estimate_tokens

PIECES = [*PROSE, *LINES, *ODD]
each_way = pytest.mark.parametrize("name", BLIND)
every_way = pytest.mark.parametrize("name", [*BLIND, *SEEING])
each_end = pytest.mark.parametrize("ends", ENDS)


@each_way
@each_end
@given(texts(PIECES, 14), st.integers(0, 60), counts, markers)
def test_the_promise(name, ends, text, budget, counter, marker):
    kept = cut_by(name, text, "", budget, counter, ends=ends, marker=marker)
    assert_cut(text, kept, budget, counter, marker)
    if kept.spans and kept.truncated and not kept.note:
        assert_full(text, kept, budget, counter, ends, marker)


@each_way
@given(texts(PIECES, 14), st.integers(0, 60), counts)
def test_where_no_sentence_fits_it_is_words_and_where_no_word_fits_characters(name, text, budget, counter):
    by_ends = [cut_by(name, text, "", budget, counter, ends=ends) for ends in ENDS]
    for kind, kept, finer in zip(ENDS, by_ends, by_ends[1:], strict=False):
        if kept.note and kept.spans:
            assert kept.note == f"no {kind} fits into a budget of {budget}; cut inside one"
            assert kept[:4] == finer[:4]
    assert by_ends[-1].note in ("", f"nothing fits into a budget of {budget}")


@each_way
def test_a_finer_cut_is_said(name):
    kept = cut_by(name, "one two three four. five six seven eight.", "", 2, count_words, ends="sentence")
    assert kept.note == "no sentence fits into a budget of 2; cut inside one" and kept.tokens == 2
    kept = cut_by(name, "abcdef ghijkl", "", 2, len, ends="word")
    assert kept.note == "no word fits into a budget of 2; cut inside one"
    kept = cut_by(name, "\U0001f469\u200d\U0001f527" * 3, "", 2, len, ends="word")
    assert (kept.text, kept.note) == ("", "nothing fits into a budget of 2")


@pytest.mark.parametrize(
    ("text", "budget", "ends", "found"),
    [
        ("One tide. Two tides. Now.", 4, "sentence", ["One tide. Two tides.", "Two tides. Now.", "One tide.\nNow."]),
        (
            "One tide. Two tides. Now.",
            4,
            "word",
            ["One tide. Two tides.", "tide. Two tides. Now.", "One tide.\ntides. Now."],
        ),
        ("ab cd ef", 1, "word", ["ab", "ef", "ab"]),
        ("one two  \n", 1, "word", ["one", "two", "one"]),
    ],
)
def test_by_hand(text, budget, ends, found):
    assert [cut(text, budget, count_words, ends=ends).text for cut in (head, tail, middle)] == found


def test_an_odd_token_goes_to_the_head_and_what_one_end_cannot_use_to_the_other():
    text = "a b c d e f g h"
    assert middle(text, 5, count_words).text == "a b c\ng h"
    long = "x" * 30
    assert middle(f"{long} b c d", 9, len, ends="word").text == "b c d"
    assert middle(f"a b c d {long}", 7, len, ends="word").text == "a b c d"


@each_end
def test_half_a_flag_family_or_accent_is_never_left(ends):
    text = "".join(ODD) * 3 + "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 5
    for cut in BLIND.values():
        for budget in range(count_bytes(text) + 2):
            assert_cut(text, cut(text, budget, count_bytes, ends=ends), budget, count_bytes)


@every_way
@pytest.mark.parametrize("text", ["", "  ", "\r\n", " a\tb \r\n", "\u05e9\u05dc\u05d5\u05dd", "\U0001f1eb\U0001f1f7 x"])
def test_what_fits_stays_as_it_is(name, text):
    kept = cut_by(name, text, "a", 30, len, marker="[...]")
    assert kept == (text, ((0, len(text)),) if text else (), len(text), False, "")


@every_way
@pytest.mark.parametrize("counter", [count_words, len, lambda text: len(text) // 99], ids=["words", "len", "free"])
@pytest.mark.parametrize("text", ["", "  ", "ab cd. ef gh.", "ab cd. " * 40])
def test_a_budget_of_0_keeps_nothing(name, counter, text):
    kept = cut_by(name, text, "ef", 0, counter, marker="[...]")
    assert (kept.text, kept.spans, kept.tokens, kept.truncated) == ("", (), 0, bool(text))


@every_way
def test_a_marker_that_leaves_no_room_is_left_out(name):
    text = "Gates rust. Terns nest. Boats sink."
    with_it = cut_by(name, text, "terns", 5, count_words, marker="[...]")
    without = cut_by(name, text, "terns", 2, count_words, marker="[ cut here ]")
    assert "[...]" in with_it.text and with_it.tokens <= 5
    assert without.truncated and "cut" not in without.text and 0 < without.tokens <= 2


class Counting:
    """A counter that keeps account of how often it was asked, and about how many characters."""

    def __init__(self, counter):
        self.counter, self.calls, self.read = counter, 0, 0

    def __call__(self, text):
        self.calls += 1
        self.read += len(text)
        return self.counter(text)


LONG = {
    "letters": "a" * 100_000,
    "flags": "\U0001f1eb\U0001f1f7" * 20_000,
    "accents": "a" + "\u0301" * 50_000,
    "kanji": "\u6f6e" * 20_000,
    "spaces": " " * 100_000 + "a b",
}


@every_way
@each_end
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_run_without_spaces_is_not_counted_again_and_again(name, ends, text):
    counter = Counting(estimate_tokens)
    kept = cut_by(name, text, "a \u6f6e\u6f6e", 20, counter, ends=ends)
    assert kept.tokens <= 20 and kept.truncated
    assert all(part in text for part in kept.text.split("\n"))
    assert "\U0001f1eb" not in text or all(place % 2 == 0 for span in kept.spans for place in span)
    assert counter.read < 8 * len(text) + 200_000
    if name in BLIND:
        assert counter.calls < 150


def test_what_lies_behind_the_budget_is_not_counted():
    counter = Counting(estimate_tokens)
    head("pump seal " * 100_000, 100, counter)
    assert counter.read < 40_000


def test_the_end_of_a_visible_character():
    text = "x" + "\U0001f1eb\U0001f1f7" * 5_000 + "a\u0301\u0302"
    assert [grapheme_end(text, at) for at in (0, 1, 2, 3, 9_998, 9_999, 10_001, 10_002, 10_003, 10_004)] == [
        *[0, 1, 3, 3, 9_999, 9_999, 10_001, 10_004, 10_004, 10_004],
    ]


def test_syllables_in_parts_and_spaces_with_accents_are_whole_words():
    text = "a \u0301x \uac00\u11a8\uac01 \u6f6eb"
    assert words(text, 0, len(text)) == [(0, 1), (1, 4), (5, 7), (7, 8), (9, 10), (10, 11)]


def test_a_gap_costs_what_is_written_for_it():
    it = Cutting("Gates rust. Terns nest. Boats sink.", 9, count_words, "word", "[...]")
    assert it.write([(12, 23)]) == "[...] Terns nest. [...]" and it.cost([(12, 23)]) == 4
    assert it.cost([(0, 11), (24, 35)]) == 5 and it.cost([]) == 0


@every_way
@pytest.mark.parametrize(
    ("named", "error", "message"),
    [
        ({"budget": -1}, ValueError, "budget must be a whole number of tokens, 0 or more; got -1"),
        ({"budget": 2.5}, TypeError, "budget must be .* got 2.5"),
        ({"budget": True}, TypeError, "budget must be .* got True"),
        ({"budget": "5"}, TypeError, "budget must be .* got '5'"),
        ({"ends": "line"}, ValueError, "ends must be one of sentence, word, character; got 'line'"),
        ({"marker": None}, TypeError, "marker must be a string; got None"),
        ({"marker": "\ud800"}, ValueError, "marker holds half a character"),
        ({"text": b"Gates rust."}, TypeError, "text must be a string; got b'Gates rust.'"),
        ({"text": "a\udcff"}, ValueError, "text holds half a character"),
        ({"counter": lambda text: None}, TypeError, "what the counter returns must be a whole number .* got None"),
        ({"counter": lambda text: len(text) / 4}, TypeError, "what the counter returns must be .* got"),
    ],
)
def test_bad_settings_are_named(name, named, error, message):
    settings = {"text": "Gates rust. Terns nest.", "budget": 5, "counter": len} | named
    with pytest.raises(error, match=message):
        cut_by(name, settings.pop("text"), "terns", settings.pop("budget"), settings.pop("counter"), **settings)


def test_a_text_that_fits_is_whole_though_a_part_of_it_costs_more():
    text = "a" + " " * 30 + "\n"
    assert head(text, 2).text == text and not head(text, 2).truncated
