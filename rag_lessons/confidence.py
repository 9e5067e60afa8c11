"""Say how far to trust an answer from a context, from what the context holds of the question and of the documents.

It is counted, not felt: which of the question's words are there, and how much of what matches the
question was left out. Whether the answer is true is not known here, and a word that means the same
is not seen.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from rag_lessons.analysis import question_words, word_pattern
from rag_lessons.chunking import Span
from rag_lessons.terms import terms

_WORD = re.compile(r"[^\W_]+")
LEVELS = ("low", "medium", "high")


class Confidence(NamedTuple):
    """One of "low", "medium", "high", and why.

    words: share of the question's different terms that stand in the context, 0 to 1. matching: share
    of what matches the question in the documents that the context holds, 0 to 1.
    """

    level: str
    reason: str
    words: float
    matching: float


def judge_context(
    question: str, context: str, matching: float, left_out: str = "", whole: str = "nothing was left out"
) -> Confidence:
    """Say how far a context can be trusted to hold what a question needs.

    matching: share of the documents' matches that is in the context, 0 to 1. left_out: what is not there,
    in words; empty if nothing of the documents was left out. whole: what to say then.

    "high" needs nine tenths of the words and of the matches, "medium" half of both; a question with
    no content words is at most "medium" if all of the text is there, else "low".

    >>> judge_context("Do gates rust?", "Gates rust.", 1.0).level
    'high'
    """
    asked = {term: word if term.isascii() else term for word in _WORD.findall(question) for term in terms(word)}
    if not context:
        return Confidence("low", "nothing is in the context", 0.0, 0.0)
    if not asked:
        reason = f"no words of the question can be looked for; {left_out or whole}"
        return Confidence("low" if left_out else "medium", reason, 0.0, matching)
    found = set(terms(context))
    missing = [word for term, word in asked.items() if term not in found]
    words = 1 - len(missing) / len(asked)
    both = min(words, matching)
    level = "high" if both >= 0.9 else "medium" if both >= 0.5 else "low"
    reason = f"{len(asked) - len(missing)} of {len(asked)} content words of the question are in the context"
    reason += f" (not {_list(missing)})" if missing else ""
    reason += f"; {left_out or whole}"
    return Confidence(level, reason, words, matching)


def matching_share(question: str, texts: Mapping[str, str], kept: Iterable[tuple[str, Span]]) -> float:
    """How much of what matches a question some spans hold: the mean over its words of the share of places kept.

    texts: doc_id -> text. kept: (doc_id, (start, end)), apart from each other. 1 where no word occurs.

    >>> matching_share("Do gates rust?", {"a": "Gates rust. Some gates do not."}, [("a", (0, 11))])
    0.75
    """
    spans = list(kept)
    shares = []
    for word in question_words(question):
        pattern = re.compile(word_pattern([word]), re.IGNORECASE)
        everywhere = sum(len(pattern.findall(text)) for text in texts.values())
        if everywhere:
            shares.append(sum(len(pattern.findall(texts[doc_id][s:e])) for doc_id, (s, e) in spans) / everywhere)
    return min(1.0, fmean(shares)) if shares else 1.0


def _list(words: Sequence[str]) -> str:
    return ", ".join(words[:4]) + (", ..." if len(words) > 4 else "")


def percent(share: float) -> str:
    """A share in whole per cent; never 100 % for less than all, never 0 % for something.

    >>> percent(0.999)
    '99 %'
    """
    return f"{min(99, max(1, round(100 * share))) if 0 < share < 1 else round(100 * share)} %"
