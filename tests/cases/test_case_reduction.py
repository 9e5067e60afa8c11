"""Cases of reduction: it ends after few rounds, and no step and no result is over the budget.

The rule behind them is a property in tests/test_reduction.py: `test_rounds_steps_and_result_are_bounded`.
"""

import subprocess
import sys
from math import ceil, log2
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import count_bytes, count_words

from rag_lessons.reduction import Reduction, reduce_summaries
from rag_lessons.summarizing import CentroidSummarizer, Summary

ROOT = Path(__file__).resolve().parents[2]


class Reader:
    """A summarizer that remembers what it was given; `shorten` does the work."""

    name = "reader"

    def __init__(self, shorten=None):
        self.read, self.shorten = [], shorten or CentroidSummarizer()

    def __call__(self, text, sentences):
        self.read.append(text)
        return self.shorten(text, sentences)


def assert_shrinks(result):
    """Each level has fewer or smaller nodes than the one below, and loses none of them."""
    for below, level in zip(result.levels, result.levels[1:], strict=False):
        assert [i for node in level for i in node.children] == list(range(len(below)))
        assert len(level) < len(below) or sum(n.tokens for n in level) < sum(n.tokens for n in below)


@case("RE-01")
def test_texts_that_never_fit_in_pairs_end_within_the_budget():
    found = [
        "River gauges report the level every single hour.",
        "Gate motors need a new seal each year.",
        "Spring rain fills the upper reservoir by May.",
    ]
    reader = Reader()
    result = reduce_summaries(found, reader, budget=9, counter=count_words)
    assert result.reached and 0 < count_words(result.summary) <= 9
    assert result.rounds == len(result.levels) - 1 <= ceil(log2(3)) + 2
    assert max(map(count_words, reader.read)) <= 9
    assert_shrinks(result)


@case("RE-03")
def test_rounds_grow_with_the_logarithm_of_the_texts():
    found = [f"Topic {n:02d} has one short fact about subject {n:02d}." for n in range(30)]
    result = reduce_summaries(found, CentroidSummarizer(), budget=20, counter=count_words)
    assert result.reached and result.rounds <= 7
    assert_shrinks(result)


@case("RE-05")
def test_no_step_reads_more_than_prompt_and_answer_leave():
    window, prompt, answer = 100, 20, 30
    reader = Reader()
    text = " ".join(f"d{n}" for n in range(120))
    result = reduce_summaries([text], reader, budget=window - prompt - answer, counter=count_words)
    assert max(map(count_words, reader.read)) <= 50
    assert set(text.split()) <= set(" ".join(reader.read).split())  # all of it is read
    assert result.reached and count_words(result.summary) <= 50


DEEP = """
import sys
from rag_lessons import Document
from rag_lessons.index import build_index
from rag_lessons.reduction import reduce_summaries
from rag_lessons.summarizing import CentroidSummarizer
text = "\\n\\n".join(f"para {n}." for n in range(200)) + "\\n\\n"
document, paragraphs = Document("long.md", text * 25), [part for part in (text * 25).split("\\n\\n") if part]
sys.setrecursionlimit(200)
index = build_index([document])
result = reduce_summaries(paragraphs, CentroidSummarizer(), budget=100)
most = max(len(node.children) for level in result.levels for node in level)
print(len(paragraphs), len(index.chunks) > 1, result.reached, most)
"""


@case("RE-06")
def test_thousands_of_paragraphs_need_no_deep_call_and_no_giant_step():
    done = subprocess.run([sys.executable, "-c", DEEP], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=30)
    assert done.returncode == 0, done.stderr
    paragraphs, chunks, reached, most = done.stdout.split()
    assert (paragraphs, chunks, reached) == ("5000", "True", "True")
    assert 2 <= int(most) <= 50


@case("RE-07")
def test_nothing_reduces_to_nothing():
    result = reduce_summaries([], CentroidSummarizer(), budget=10)
    assert result == Reduction((), "", True, 0) and result.rounds == 0


@pytest.mark.parametrize("budget", [0, 1, 2])
@pytest.mark.parametrize("counter", [len, count_words, count_bytes])
def test_many_texts_and_no_room_take_no_long(budget, counter):
    counted = []

    def count(text):
        counted.append(len(text))
        return counter(text)

    result = reduce_summaries(["a"] * 800, CentroidSummarizer(), budget=budget, counter=count)
    assert result.reached == bool(result.summary) and result.rounds <= ceil(log2(800)) + 2
    assert sum(counted) < 200_000  # characters; a search step by step reads 300 million


SHORTENERS = [
    CentroidSummarizer(),
    lambda text, sentences: Summary(text),
    lambda text, sentences: Summary(f"{text} {text}"),
    lambda text, sentences: Summary(""),
]


@given(st.lists(st.sampled_from(["", "a", "a b c", "One. Two.", "x" * 30]), max_size=20), st.integers(0, 12), st.data())
def test_it_ends_whatever_the_summarizer_does(found, budget, data):
    reader = Reader(data.draw(st.sampled_from(SHORTENERS)))
    result = reduce_summaries(found, reader, budget=budget, counter=len)
    assert result.rounds <= ceil(log2(max(1, len(found)))) + 2
    assert all(len(text) <= budget for text in reader.read)
    assert len(result.summary) <= budget and result.reached == (not found or bool(result.summary))
