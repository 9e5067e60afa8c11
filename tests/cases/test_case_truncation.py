"""Cases of truncation: the budget is for what is written, what fits stays, and a window is where the words meet.

The rules behind them are properties in tests/test_cuts.py and tests/test_truncation.py: `test_the_promise`.
"""

import pytest
from cutting import BLIND, SEEING, assert_cut, cut_by
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import COUNTERS, count_bytes, count_words

from rag_lessons.truncation import NO_MATCH

each_way = pytest.mark.parametrize("name", [*BLIND, *SEEING])
each_window = pytest.mark.parametrize("name", SEEING)


def words(count, letter="w"):
    return " ".join(f"{letter}{n}" for n in range(count))


@case("TR-01")
@each_way
@pytest.mark.parametrize("counter", COUNTERS.values(), ids=COUNTERS)
def test_a_budget_of_0_keeps_nothing_and_not_all(name, counter):
    for text in (words(8), "w0. w1. w2.", "\u6f6e\u6c50\u8868", "\n w0"):
        kept = cut_by(name, text, "w3", 0, counter)
        assert (kept.text, kept.tokens, kept.truncated) == ("", 0, True)


@case("TR-03")
@each_way
def test_the_marker_is_paid_from_the_budget(name):
    text = words(20)
    for budget in range(1, 20):
        kept = cut_by(name, text, "w10", budget, count_words, marker="[...]")
        assert count_words(kept.text) == kept.tokens <= budget and kept.truncated
        assert budget < 4 or "[...]" in kept.text
    found = cut_by(name, text, "w10", 7, count_words, marker="[...]").text
    expected = {"head": f"{words(6)} [...]", "tail": "[...] w14 w15 w16 w17 w18 w19"}
    expected["middle"] = "w0 w1 w2 [...] w17 w18 w19"
    assert found == expected.get(name, found) and count_words(found) == 7
    assert name in BLIND or "w10" in found.split()


@case("TR-04")
@each_way
def test_a_marker_over_the_budget_is_left_out(name):
    for budget in (1, 2, 3, 4, 5):
        kept = cut_by(name, words(20), "w10", budget, count_words, marker="[ text was cut here ]")
        assert 0 < count_words(kept.text) <= budget and kept.truncated
        assert budget > 2 or "cut here" not in kept.text
        assert set(kept.text.split()) & set(words(20).split())


@case("TR-05")
@each_way
@given(st.text("w0 \t\n\u3000\u0301", min_size=1, max_size=30))
def test_what_fits_exactly_stays_byte_for_byte(name, text):
    for exact in ("  w0\tw1\n\nw2  ", text + "w"):
        kept = cut_by(name, exact, "w1", count_words(exact), count_words, marker="[...]")
        assert (kept.text, kept.truncated, kept.tokens) == (exact, False, count_words(exact))


@case("TR-07")
@each_window
@pytest.mark.parametrize("budget", [4, 8, 12, 30])
@pytest.mark.parametrize("apart", [("", ""), (".", ""), (".", ".")])
def test_a_window_is_where_the_words_meet(name, budget, apart):
    text = f"gate {words(60, 'f')}{apart[0]} the red gate opens at noon{apart[1]} {words(30, 'g')}"
    kept = cut_by(name, text, "red gate", budget, count_words)
    assert "red gate opens" in kept.text or budget == 4 and "red gate" in kept.text
    assert kept.tokens <= budget


@case("TR-09")
@each_window
@pytest.mark.parametrize("budget", [1, 3, 10, 49])
def test_a_question_that_matches_nothing_gives_the_head_and_says_so(name, budget):
    kept = cut_by(name, words(50), "zebra", budget, count_words)
    assert (kept.text, kept.note, kept.truncated) == (words(budget), NO_MATCH, True)
    assert "head" in NO_MATCH and "matches the question" in NO_MATCH


@case("TR-11")
@each_way
@pytest.mark.parametrize("question", ["zebra", "\u65e5\u672c", "na\u00efve"])
@pytest.mark.parametrize(
    "unit",
    [
        "na\u00efve \U0001f680 \u65e5\u672c\u8a9e ",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467e\u0301\U0001f1eb\U0001f1f7. ",
    ],
)
def test_what_is_kept_is_counted_again_and_no_character_is_halved(name, question, unit):
    text = unit * 10
    for budget in range(1, 61):
        kept = cut_by(name, text, question, budget, count_bytes)
        assert_cut(text, kept, budget, count_bytes)
        assert "\ufffd" not in kept.text and all(text[start:end] in kept.text for start, end in kept.spans)
