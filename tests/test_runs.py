"""Runs of units: how far each reaches, the one worth most, and what is kept of the relevance; against brute force."""

import numpy as np
import pytest
from cutting import ODD, counts
from hypothesis import given
from hypothesis import strategies as st
from texts import PROSE, assert_whole_graphemes, count_words, texts

from rag_lessons.runs import (
    adds_up,
    best_run,
    costs,
    counted_ends,
    ends_within,
    relevance,
    share_kept,
    units,
    words,
)
from rag_lessons.sentences import sentence_spans
from rag_lessons.tokens import estimate_tokens, quarter_length

small = st.lists(st.integers(0, 6), max_size=12)
pieces = texts([*PROSE, *ODD], 14)


@given(small, st.integers(-2, 20), st.integers(0, 3))
def test_ends_within_by_trying_all(added, budget, more):
    alone = [cost + more for cost in added]
    expected = [
        max([i, *(j for j in range(i + 1, len(added) + 1) if alone[i] + sum(added[i + 1 : j]) <= budget)])
        for i in range(len(added))
    ]
    assert ends_within(added, budget, alone).tolist() == expected
    if not more:
        assert ends_within(added, budget).tolist() == expected


@given(small, small, st.integers(0, 20), st.none() | st.integers(0, 11))
def test_best_run_by_trying_all(values, added, budget, holding):
    size = min(len(values), len(added))
    values, ends = values[:size], ends_within(added[:size], budget).tolist()
    if holding is not None and holding >= size:
        holding = None
    runs = [(i, j) for i, j in enumerate(ends) if i < j and (holding is None or i <= holding < j)]
    first, last = best_run(values, ends, holding)
    if not runs:
        assert (first, last) == (0, 0)
        return
    assert (first, last) in runs
    assert sum(values[first:last]) == max(sum(values[i:j]) for i, j in runs)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=12), st.integers(1, 6))
def test_best_run_with_fractions(values, reach):
    ends = [min(i + reach, len(values)) for i in range(len(values))]
    first, last = best_run(values, ends)
    most = max(sum(values[i:j]) for i, j in enumerate(ends))
    assert last == ends[first] and sum(values[first:last]) >= most - 1e-8 * (1 + sum(values))


def test_of_equal_runs_the_one_with_the_best_unit_in_its_middle():
    assert best_run([0, 0, 0, 5, 0, 0, 0], ends_within([1] * 7, 3)) == (2, 5)
    assert best_run([0, 0, 0, 5, 0, 0, 0], ends_within([1] * 7, 3), holding=4) == (3, 6)
    assert best_run([9, 0, 0, 0, 1], ends_within([1] * 5, 2), holding=4) == (4, 5)
    assert best_run([], []) == best_run([1.0], [0]) == (0, 0)


@given(pieces, counts, st.integers(0, 40))
def test_reach_is_exact_where_costs_add_up_and_counted_where_not(text, counter, budget):
    spans = sentence_spans(text)
    alone, added = costs(text, spans, counter)
    expected = []
    for i, (start, _) in enumerate(spans):
        fits = [j for j in range(i + 1, len(spans) + 1) if counter(text[start : spans[j - 1][1]]) <= budget]
        expected.append(max([i, *fits]))
    assert counted_ends(text, spans, budget, counter).tolist() == expected
    if counter is not quarter_length:
        assert adds_up(text, spans, counter, alone, added)
        assert ends_within(added, budget, alone).tolist() == expected


def test_rounded_costs_of_many_sentences_do_not_add_up():
    for shift in range(30):
        text = " ".join("x" * (3 + (n * n + shift) % 7) for n in range(24))
        spans = words(text, 0, len(text))
        assert not adds_up(text, spans, quarter_length, *costs(text, spans, quarter_length))
        assert adds_up(text, spans, len, *costs(text, spans, len))


@given(pieces, st.integers(0, 30), counts)
def test_units_are_sentences_or_the_words_of_one_that_is_over(text, budget, counter):
    expected = []
    for start, end in sentence_spans(text):
        expected += [(start, end)] if counter(text[start:end]) <= budget else words(text, start, end)
    found, _ = units(text, "tide", budget, counter)
    assert found == expected == sorted(found)
    assert_whole_graphemes(text, found)
    assert all(end <= start for (_, end), (start, _) in zip(found, found[1:], strict=False))
    assert "".join("".join(text[start:end] for start, end in found).split()) == "".join(text.split())


def test_words_between_white_space_and_kanji_one_by_one():
    text = "Go  to\u6f6e\u6c50x,\n\uac00."
    assert [text[start:end] for start, end in words(text, 0, len(text))] == list([
        "Go",
        "to",
        "\u6f6e",
        "\u6c50",
        "x,",
        "\uac00",
        ".",
    ])
    assert units("Go. No one is here.", "", 9, count_words)[0] == [(0, 3), (4, 19)]


class Fixed:
    """A scorer with scores of its own for any texts."""

    name = "fixed"

    def __init__(self, *values):
        self.values = values

    def fit(self, texts):
        self.texts = list(texts)
        return self

    def scores(self, question):
        return [self.values[i % len(self.values)] for i in range(len(self.texts))]


def test_relevance_is_never_below_0_and_as_long_as_the_spans():
    spans = sentence_spans("One. Two. Three.")
    assert relevance("One. Two. Three.", spans, "", Fixed(-2, 0.5, 0)).tolist() == [0, 0.5, 0]
    assert relevance("", [], "one").shape == (0,)


def test_a_kanji_alone_is_scored_with_the_next():
    text = "\u6f6e\u6c50\u8868\u6e2f"
    assert np.flatnonzero(relevance(text, words(text, 0, 4), "\u6c50\u8868")).tolist() == [1]


@given(st.lists(st.tuples(st.integers(1, 9), st.floats(0, 50)), max_size=8), st.lists(st.integers(0, 40), max_size=6))
def test_share_kept_counts_each_character_once(sized, cuts):
    spans, at = [], 0
    for size, _ in sized:
        spans.append((at, at + size))
        at += size + 1
    values = [value for _, value in sized]
    edges = sorted(set(cuts))
    kept = list(zip(edges[::2], edges[1::2], strict=False))
    inside = {place for start, end in kept for place in range(start, end)}
    worth = sum(
        value * len(inside & set(range(*span))) / (span[1] - span[0]) for span, value in zip(spans, values, strict=True)
    )
    expected = worth / sum(values) if sum(values) else 1.0
    assert share_kept(spans, values, kept) == pytest.approx(expected)


def test_the_whole_is_1_and_nothing_is_0():
    assert share_kept([(0, 4), (5, 9)], [1, 2], [(0, 9)]) == 1.0
    assert share_kept([(0, 4), (5, 9)], [1, 2], []) == 0.0
    assert share_kept([(0, 4)], [0], []) == share_kept([], [], []) == 1.0


def test_the_estimate_adds_up_between_sentences():
    text = (
        "Gates rust in salt air. Terns nest early!\n\nThe boats sink? \u6f6e\u6c50\u8868\u3002\u6e2f\u53e3\u3002 End."
    )
    spans = sentence_spans(text)
    assert len(spans) > 4 and adds_up(text, spans, estimate_tokens, *costs(text, spans, estimate_tokens))


def test_the_words_of_a_long_sentence_share_its_worth():
    text = "The tide gauge and the tide table and the log of the tide. A tide turns."
    spans, values = units(text, "the tide", 6, count_words)
    whole = relevance(text, sentence_spans(text), "the tide")
    assert spans[-1] == (59, 72) and len(spans) == 14
    assert values[-1] == whole[1] and values[:-1].sum() == pytest.approx(whole[0])
    assert (values[:-1] > 0).sum() == 3


def test_words_never_overlap_nor_cut_a_visible_character():
    text = "\uac01\u11a8x"
    assert words(text, 0, 3) == [(0, 2), (2, 3)]
