"""`head`, `tail`, `middle` and `cut` against the plainest way to write their rules down: every place is tried."""

import random

import pytest
from cutting import BLIND, places, written
from texts import count_words

from rag_lessons.cuts import Truncation, cut, head, middle, tail
from rag_lessons.cutting import ENDS

WORDS = ["a", "of", "the", "tide", "Gate", "seawater"]
MARKERS = ["", "[...]", "[ cut ]"]


def random_text(choose):
    sentences = [" ".join(choose.choices(WORDS, k=choose.randint(1, 5))) for _ in range(choose.randint(1, 5))]
    return " ".join(sentence.capitalize() + "." for sentence in sentences)


def stripped(text, start, end):
    """A span without the white space at its ends."""
    body = text[start:end]
    return start + len(body) - len(body.lstrip()), start + len(body.rstrip())


def plain_spans(name, text, budget, counter, kind, mark):
    """What is kept: the longest beginning, the longest end, or half of the budget for each, then what is left."""

    def fits(spans, room=budget):
        return counter(written(text, spans, mark)) <= room

    at = places(text, kind)

    def longest(spans, room=budget):
        return max((span for span in spans if span[0] < span[1] and fits([span], room)), key=size, default=None)

    def size(span):
        return span[1] - span[0]

    beginnings = [stripped(text, 0, end) for end in at]
    ends = [stripped(text, start, len(text)) for start in at]
    if name != "middle":
        found = longest(beginnings if name == "head" else ends)
        return [found] if found else []
    gap = counter(f" {mark} ") if mark else 0
    front = longest(beginnings, (budget + gap + 1) // 2)
    own = [front] if front else []
    backs = [span for span in ends if (not own or span[0] > front[1]) and fits([*own, span])]
    back = max((span for span in backs if span[0] < span[1]), key=size, default=None)
    if not back:  # all is left to the head
        found = longest(beginnings)
        return [found] if found else []
    fronts = [span for span in beginnings if span[0] < span[1] < back[0] and fits([span, back])]
    return [*([max(fronts, key=size)] if fronts else []), back]


def plain_cut(name, text, budget, counter, ends, marker):
    """With the marker or without, at the ends asked for or at the next finer ones: the first way that keeps a part."""
    if counter(text) <= budget:
        return text, [(0, len(text))], ""
    for kind in ENDS[ENDS.index(ends) :]:
        for mark in (marker, ""):
            if spans := plain_spans(name, text, budget, counter, kind, mark):
                note = "" if kind == ends else f"no {ends} fits into a budget of {budget}; cut inside one"
                return written(text, spans, mark), spans, note
    return "", [], f"nothing fits into a budget of {budget}"


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("name", BLIND)
def test_cuts_follow_the_rules_written_plainly(name, ends):
    for seed in range(120):
        choose = random.Random(seed)
        text, marker, counter = random_text(choose), choose.choice(MARKERS), [count_words, len][seed % 2]
        budget = choose.randint(1, counter(text) + 1)
        kept = BLIND[name](text, budget, counter, ends=ends, marker=marker)
        found, spans, note = plain_cut(name, text, budget, counter, ends, marker)
        assert (kept.text, list(kept.spans), kept.note) == (found, spans, note), (text, budget, marker)
        assert (kept.tokens, kept.truncated) == (counter(found) if found else 0, found != text)


@pytest.mark.parametrize(
    ("budget", "kept"),
    [(1, "a"), (2, "a\nh"), (3, "a b\nh"), (4, "a b\ng h"), (6, "a b c\nf g h"), (7, "a b c d\nf g h")],
)
def test_an_odd_token_goes_to_the_head(budget, kept):
    assert middle("a b c d e f g h", budget, count_words).text == kept


@pytest.mark.parametrize(
    ("budget", "kept"),
    [(1, "a"), (2, "a [...]"), (3, "a [...] h"), (4, "a b [...] h"), (5, "a b [...] g h"), (7, "a b c [...] f g h")],
)
def test_the_marker_is_paid_before_the_halves_are_made(budget, kept):
    assert middle("a b c d e f g h", budget, count_words, marker="[...]").text == kept


def test_a_marker_of_three_words_stands_between_even_halves():
    kept = middle("a b c d e f g h", 7, count_words, marker="[ cut ]")
    assert kept == Truncation("a b [ cut ] g h", ((0, 3), (12, 15)), 7, True)


@pytest.mark.parametrize("marker", ["", "[...]"])
def test_what_the_other_end_cannot_use_goes_to_the_head_and_what_the_head_cannot_to_the_other(marker):
    tail_only = middle(f"{'x' * 30} b c d", 14, len, marker=marker)
    assert tail_only.text == f"{marker} b c d".strip()
    head_only = middle(f"b c d {'x' * 30}", 14, len, marker=marker)
    assert head_only.text == f"b c d {marker}".strip()
    # Nothing of the end fits, and the head goes on past its half; the other way round, the end does.
    assert middle(f"bb cc dd ee {'x' * 30}", 9, len).text == "bb cc dd"
    assert middle(f"{'x' * 30} bb cc dd ee", 9, len).text == "cc dd ee"
    # Over half of the budget, and yet there is room beside an end that is short.
    assert middle(f"abcdef {'y' * 30} x", 9, len).text == "abcdef\nx"


def choices(spans_of, text="Gates rust.", budget=3, ends="sentence", marker="[...]"):
    """The ends and markers with which `cut` asks for a choice, in order, and what it makes of the answers."""
    asked = []

    def choose(it):
        asked.append((it.ends, it.marker))
        assert (it.text, it.budget) == (text, budget)
        return spans_of(it.ends, it.marker)

    return cut(choose, text, budget, len, ends, marker), asked


def test_a_choice_is_asked_for_at_ever_finer_ends_with_the_marker_first():
    kept, asked = choices(lambda ends, marker: [])
    assert asked == [(ends, marker) for ends in ("sentence", "word", "character") for marker in ("[...]", "")]
    assert kept == Truncation("", (), 0, True, "nothing fits into a budget of 3")
    assert choices(lambda ends, marker: [], ends="word", marker="")[1] == [("word", ""), ("character", "")]
    assert choices(lambda ends, marker: [], budget=0)[1] == []


def test_a_choice_over_the_budget_is_not_taken():
    kept, asked = choices(lambda ends, marker: [(0, 4)] if ends == "word" else [(0, 3)], ends="word", marker="")
    assert asked == [("word", ""), ("character", "")]
    assert kept == Truncation("Gat", ((0, 3),), 3, True, "no word fits into a budget of 3; cut inside one")
    kept, asked = choices(lambda ends, marker: [(0, 1)], budget=7)
    assert asked == [("sentence", "[...]")] and kept == Truncation("G [...]", ((0, 1),), 7, True)


def test_where_a_choice_says_that_no_cut_would_help_none_is_made():
    kept, asked = choices(lambda ends, marker: None)
    assert kept == Truncation("", (), 0, True) and asked == [("sentence", "[...]")]


@pytest.mark.parametrize("cut_at", [head, tail])
@pytest.mark.parametrize("budget", [1, 10, 11, 12])
def test_of_a_long_text_no_more_than_8_characters_a_token_are_read_and_one_token_more(cut_at, budget):
    longest = []

    def eighth(text):
        longest.append(len(text))
        return len(text) // 8

    kept = cut_at("x" * 5_000, budget, eighth, ends="character")
    assert max(longest) <= 8 * (budget + 1) and kept.tokens == budget


def test_a_text_as_long_as_such_a_part_or_shorter_is_counted_whole_and_kept():
    for length in (1, 15, 16, 17, 40):
        text = "x" * length
        assert head(text, 1, lambda text: 1) == Truncation(text, ((0, length),), 1, False)
        assert head(text, 1, lambda text: 2) == Truncation("", (), 0, True, "nothing fits into a budget of 1")


def test_a_text_that_costs_nothing_is_kept_and_a_budget_of_0_keeps_nothing():
    assert head("Gates rust.", 0, lambda text: 0) == Truncation("", (), 0, True, "nothing fits into a budget of 0")
    assert head("", 0, len) == Truncation("", (), 0, False)
    assert head("Gates rust.", 1, lambda text: 0) == Truncation("Gates rust.", ((0, 11),), 0, False)


@pytest.mark.parametrize("cut_at", [head, tail, middle])
def test_text_budget_and_counter_have_names_and_the_rest_have_nothing_else(cut_at):
    assert cut_at(text="a b", budget=1, counter=len).tokens == 1
    with pytest.raises(TypeError, match="positional"):
        cut_at("a b", 1, len, "word")


def test_ends_are_told_by_what_they_say():
    assert head("one two", 1, count_words, ends="".join(["wo", "rd"])).note == ""


@pytest.mark.parametrize("cut_at", [head, tail, middle])
def test_a_text_whose_beginning_costs_just_the_budget_is_cut_all_the_same(cut_at):
    found = cut_at("seawater " * 30, 10, count_words)  # in its first 88 characters are ten words, one cut
    assert found.truncated and found.tokens == 10


@pytest.mark.parametrize("cut_at", [head, tail, middle])
def test_where_white_space_alone_is_over_the_budget_all_else_is_kept(cut_at):
    assert cut_at("a b  ", 3, len) == Truncation("a b", ((0, 3),), 3, True)
