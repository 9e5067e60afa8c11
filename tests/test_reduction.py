"""Reduction: bounded rounds, steps within the budget, a result that fits or says that it does not."""

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import PROSE, count_words, counters, silently, texts

from rag_lessons.reduction import Reduction, reduce_summaries
from rag_lessons.summarizing import CentroidSummarizer, Summary

summaries = st.lists(texts(PROSE, 8), max_size=20)


class Reader:
    """A centroid summarizer that remembers what each step was given."""

    def __init__(self):
        self.read, self.summarize = [], CentroidSummarizer()

    def __call__(self, text, sentences):
        self.read.append(text)
        return self.summarize(text, sentences)


@given(summaries, counters, st.integers(0, 60))
def test_rounds_steps_and_result_are_bounded(found, counter, budget):
    reader = Reader()
    result = silently(reduce_summaries, found, reader, budget=budget, counter=counter)
    assert result.rounds <= math.ceil(math.log2(max(1, len(found)))) + 2
    assert all(counter(text) <= budget for text in reader.read)
    assert result.calls == len(reader.read)
    assert not result.summary or counter(result.summary) <= budget
    assert result.reached == (not found or bool(result.summary))
    for below, level in zip(result.levels, result.levels[1:], strict=False):
        assert [child for node in level for child in node.children] == list(range(len(below)))
        assert len(level) < len(below) or sum(n.tokens for n in level) < sum(n.tokens for n in below)


@given(texts(PROSE, 8), counters)
def test_a_single_text_that_fits_stays_unchanged(text, counter):
    result = reduce_summaries([text], CentroidSummarizer(), budget=1_000, counter=counter)
    assert (result.summary, result.rounds, result.calls) == (text, 0, 0)


def test_nothing_in_nothing_out():
    assert reduce_summaries([], CentroidSummarizer(), budget=5) == Reduction((), "", True, 0)


def test_two_that_never_fit_together_end_all_the_same():
    found = [f"Sensor {n} reports its own level each hour." for n in range(3)]
    result = reduce_summaries(found, CentroidSummarizer(), budget=9, counter=count_words)
    assert result.reached and 0 < count_words(result.summary) <= 9


def test_rounds_grow_with_the_logarithm():
    found = [f"Station {n} keeps a log of winds." for n in range(64)]
    result = reduce_summaries(found, CentroidSummarizer(), budget=16, counter=count_words)
    assert result.rounds <= 8


def test_a_budget_that_no_text_meets_says_so():
    result = silently(
        reduce_summaries, ["\u6f6e\u6c50", "\u6e2f"], CentroidSummarizer(), budget=1, counter=lambda t: len(t.encode())
    )
    assert (result.summary, result.reached) == ("", False)
    assert not reduce_summaries(["Kelp."], CentroidSummarizer(), budget=0).reached


def test_a_text_over_the_budget_is_read_to_its_end():
    words = [f"w{n}" for n in range(90)]
    reader = Reader()
    result = reduce_summaries([" ".join(words)], reader, budget=40, counter=count_words)
    assert [count_words(text) for text in reader.read[:3]] == [40, 40, 10]
    assert result.reached and result.levels[0][0].tokens == 90


def test_many_texts_need_no_recursion():
    limit = sys.getrecursionlimit()
    found = [f"Line {n}." for n in range(3_000)]
    depth = len(__import__("inspect").stack(0))
    sys.setrecursionlimit(depth + 100)
    try:
        result = reduce_summaries(found, CentroidSummarizer(), budget=100)
    finally:
        sys.setrecursionlimit(limit)
    assert max(len(node.children) for level in result.levels for node in level) <= 100


def test_without_shrink_the_published_loop_runs():
    def first_word(text, sentences):
        return Summary(text.split()[0])

    result = reduce_summaries(["a " * 9, "b " * 9, "c " * 9], first_word, budget=10, counter=count_words, shrink=False)
    assert [[node.text.split()[0] for node in level] for level in result.levels] == [["a", "b", "c"], ["a", "c"], ["a"]]
    assert result.calls == 4  # two batches, one batch, and the last one once more


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"budget": -1}, ValueError, "budget must be a whole number of tokens, 0 or more; got -1"),
        ({"budget": None}, TypeError, "got None"),
        ({"sentences": 0}, ValueError, "sentences must be a whole number of sentences, 1 or more; got 0"),
        ({"texts": "One text."}, TypeError, "texts must be a list of texts; got one text, 'One text.'"),
    ],
)
def test_bad_settings_are_named(settings, error, message):
    with pytest.raises(error, match=message):
        reduce_summaries(**{"texts": [], "summarize": CentroidSummarizer()} | settings)
