"""Counters and cuts: never too low where it hurts, never inside a visible character."""

import time

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from texts import texts

from rag_lessons.tokens import check_count, check_weight, estimate_tokens, grapheme_cut, quarter_length


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("tide", 1),
        ("The tide turns.", 4),
        ("1234567", 3),
        ("internationalization", 3),  # 20 letters: 1, and 2 more for the 13 after the seventh
        ("camelCase", 2),
        ("\u6f6e\u6c50\u8868", 3),
        ("a\n\n\nb", 3),
        ("    deep", 2),
    ],
)
def test_estimate(text, tokens):
    assert estimate_tokens(text) == tokens


def test_unspaced_scripts_are_not_undercounted():
    assert estimate_tokens("\u6f6e\u6c50" * 50) >= 60
    assert estimate_tokens("\u0e19\u0e49\u0e33\u0e02\u0e36\u0e49\u0e19" * 20) >= 60
    assert quarter_length("\u6f6e\u6c50" * 50) == 25  # the rule of thumb is as low as it says


@pytest.mark.parametrize("before", ["", " ", "\u00e9", "a ", "3", ". "])
@pytest.mark.parametrize("pair", ["\u6f6e\u6c50", "\uc870\uc218", "\u3042\u308a", "\u0e19\u0e49"])
def test_no_two_characters_of_an_unspaced_script_are_one_token(before, pair):
    assert estimate_tokens(before + pair) >= 2 + bool(before.strip())


def test_special_tokens_are_plain_text():
    assert estimate_tokens("<|endofprompt|>") > 1


@given(texts(), texts())
def test_estimate_grows_with_the_text_and_joining_adds_nothing(left, right):
    assert estimate_tokens(left) <= estimate_tokens(left + right)
    assert estimate_tokens(f"{left} {right}") <= estimate_tokens(left) + estimate_tokens(right) + 1
    # backwards, too: windows start as far back as their overlap reaches
    assert estimate_tokens(right.lstrip()) <= estimate_tokens(left + right.lstrip())


@given(st.text(max_size=60))
def test_estimate_of_any_text_is_a_count(text):
    assert (estimate_tokens(text) > 0) == bool(text)
    assert quarter_length(text) == max(1, len(text) // 4)


@pytest.mark.parametrize(
    "text", [" " * 900_000, "a" * 900_000, "aB" * 300_000, "\t \r" * 300_000 + "x", "\u6c34" * 300_000]
)
def test_estimate_is_linear(text):
    start = time.process_time()
    estimate_tokens(text)
    assert time.process_time() - start < 5


@given(texts(), st.integers(0, 200))
def test_cut_is_the_last_boundary_before_the_place(text, position):
    edges = [match.start() for match in regex.finditer(r"\X", text)] + [len(text)]
    assert grapheme_cut(text, position) == max(edge for edge in edges if edge <= position)


@given(texts(), st.data())
def test_cut_from_a_known_boundary_is_the_same(text, data):
    edges = [match.start() for match in regex.finditer(r"\X", text)] + [len(text)]
    start = data.draw(st.sampled_from(edges))
    position = data.draw(st.integers(start, len(text)))
    assert grapheme_cut(text, position, start) == grapheme_cut(text, position)


def test_cuts_by_hand():
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert grapheme_cut(f"a{family}b", 3) == 1
    assert grapheme_cut("e\u0301\u0302x", 2) == 0
    assert grapheme_cut("a\r\nb", 2) == 1
    assert grapheme_cut("\U0001f1f3\U0001f1f4\U0001f1f8\U0001f1ea", 3) == 2


@pytest.mark.parametrize("value", [True, False, 2.0, "7", None, float("nan"), [1]])
def test_count_of_another_type(value):
    with pytest.raises(TypeError, match="size must be a whole number of tokens, 1 or more; got "):
        check_count("size", value, least=1)


def test_count_out_of_range_names_the_value():
    with pytest.raises(ValueError, match="size must be a whole number of tokens, 1 or more; got 0"):
        check_count("size", 0, least=1)
    assert check_count("budget", 0) == 0


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan"), float("inf")])
def test_weight_out_of_range(value):
    with pytest.raises(ValueError, match="b must be a number, 0 to 1; got "):
        check_weight("b", value, most=1)
    with pytest.raises(TypeError, match="k1 must be a number, 0 or more; got '1'"):
        check_weight("k1", "1")


@pytest.mark.parametrize(
    ("unit", "size"), [("\U0001f1e9\U0001f1ea", 2), ("\u6f22", 1), ("\u304b\u3099", 2), ("e\u0301", 2)]
)
def test_a_cut_in_a_long_run_is_found_at_once(unit, size):
    text = unit * (100_000 // size)
    assert [at - grapheme_cut(text, at) for at in range(60_000, 60_004)] == [at % size for at in range(4)]
