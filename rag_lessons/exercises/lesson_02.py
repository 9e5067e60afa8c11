"""Checks for lesson 02: a summarizer that drops no number, and one that finds more with fewer tokens."""

import re
from collections.abc import Callable
from functools import cache

from rag_lessons.corpora import data_folder
from rag_lessons.documents import load_documents
from rag_lessons.evaluation import chunks_with, find_evidence, find_ranks, load_questions, mean_reciprocal_rank
from rag_lessons.exercises.feedback import Feedback, gentle
from rag_lessons.pipeline import prepare_index
from rag_lessons.scoring import BM25
from rag_lessons.sentences import fold, sentence_spans
from rag_lessons.summarizing import CentroidSummarizer
from rag_lessons.tokens import estimate_tokens

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"\w+")


def numbers_in(text: str) -> list[str]:
    """The numbers in a text, in order, repeats kept.

    >>> numbers_in("4.1 mg/L at 04:30, below 15 degrees")
    ['4.1', '04:30', '15']
    """
    return _NUMBER.findall(text)


@cache
def _handbook() -> tuple[list[str], list[tuple[str, list[int]]]]:
    """The texts of the handbook's chunks, and each question on one place with the chunks that answer it."""
    documents, _ = load_documents(data_folder("handbook"))
    index = prepare_index(documents)
    found = [
        (question.text, chunks_with(index, find_evidence(index, question.evidence)))
        for question in load_questions()
        if question.evidence and question.kind != "two_documents"
    ]
    return [index.text(chunk) for chunk in index.chunks], [query for query in found if query[1]]


def _not_a_summary(summary: object, text: str) -> Feedback | None:
    """Feedback for what is no summary of a text: no string, or with words that the text does not have."""
    if not isinstance(summary, str):
        return Feedback(False, f"it returned {summary!r:.60}; return the summary as a string")
    parts = re.findall(r"\d+", text)  # a number may be cut out of a name such as P2
    added = set(_WORD.findall(summary.lower())).difference(_WORD.findall(text.lower()), parts)
    if added:
        return Feedback(False, f"{sorted(added)[0]!r} is in the summary and not in the chunk {fold(text)[:60]!r}")
    return None


@gentle
def check_numbers_kept(summarize: Callable[[str], str]) -> Feedback:
    """Check a summarizer over the handbook's chunks: every number is in, and something is left out.

    summarize: text -> summary. A chunk with three sentences or more that hold no number must get
    shorter, in tokens. A summary also holds one of its chunk's sentences unchanged.
    """
    texts, _ = _handbook()
    total = whole = left = 0
    for text in texts:
        summary, opening = summarize(text), fold(text)[:60]
        if wrong := _not_a_summary(summary, text):
            return wrong
        missing = [number for number in numbers_in(text) if number not in numbers_in(summary)]
        if missing:
            return Feedback(False, f"{missing[0]} is lost from the chunk that begins {opening!r}")
        sentences = [fold(text[start:end]) for start, end in sentence_spans(text)]
        if not any(sentence in fold(summary) for sentence in sentences):
            return Feedback(False, f"no sentence of the chunk that begins {opening!r} is in its summary; keep two")
        spare = sum(not numbers_in(sentence) for sentence in sentences) >= 3
        if spare and estimate_tokens(summary) >= estimate_tokens(text):
            return Feedback(False, f"the summary of the chunk that begins {opening!r} is no shorter than it")
        total += len(set(numbers_in(text)))
        whole, left = whole + estimate_tokens(text), left + estimate_tokens(summary)
    share = f"{100 * left / whole:.0f} % of the tokens"
    return Feedback(True, f"all {total} numbers of {len(texts)} chunks are kept, in {share}")


@gentle
def check_finding(summarize: Callable[[str, Callable[[str], float]], str]) -> Feedback:
    """Check a summarizer that is to be found better than two centroid sentences, with no more tokens.

    summarize: (text, rarity) -> summary, where rarity gives a term's BM25 weight among the chunks.
    """
    texts, queries = _handbook()
    rarity = BM25().fit(texts).idf
    mine = [summarize(text, rarity) for text in texts]
    for summary, text in zip(mine, texts, strict=True):
        if wrong := _not_a_summary(summary, text):
            return wrong
    theirs = [CentroidSummarizer()(text, 2).text for text in texts]
    whole = sum(map(estimate_tokens, texts)) / 100
    tokens, limit = (sum(map(estimate_tokens, summaries)) / whole for summaries in (mine, theirs))
    if tokens > limit:
        return Feedback(False, f"your summaries take {tokens:.0f} % of the tokens, the centroid's {limit:.0f} %")
    score, beaten = (mean_reciprocal_rank(find_ranks(summaries, queries)) for summaries in (mine, theirs))
    figures = f"mean reciprocal rank {score:.3f} for {tokens:.0f} % of the tokens; centroid {beaten:.3f}, {limit:.0f} %"
    if score > beaten:
        return Feedback(True, figures)
    return Feedback(False, f"{figures}. Which words of a chunk does no other chunk have?")
