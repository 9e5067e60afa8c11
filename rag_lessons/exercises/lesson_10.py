"""Checks for lesson 10: a choice of strategy that beats the published thresholds, and headings counted right."""

from collections.abc import Callable
from functools import cache
from statistics import fmean

from rag_lessons.analysis import analyse
from rag_lessons.corpora import data_folder
from rag_lessons.documents import Document, load_documents
from rag_lessons.evaluation import Question, load_questions
from rag_lessons.exercises.feedback import Feedback, gentle
from rag_lessons.exercises.lesson_08 import tokens_by_line
from rag_lessons.long_context import LongContext
from rag_lessons.markdown import headings
from rag_lessons.metrics import evidence_seen
from rag_lessons.strategies import STRATEGIES, choose

WINDOWS = (1000, 2000)  # tokens
RESERVE = 256  # tokens
WANTED = 0.05  # of the evidence, above the published thresholds
_SMALL = (
    ("# One\n\n## Two\n\ntext", "two headings"),
    ("### Three marks\n\ntext", "one heading of three marks"),
    ("#hashtag\n\ntext", "a hashtag, without a space"),
    ("####### Seven\n\ntext", "seven marks, which make no heading"),
    ("text with a # in it", "a mark in the middle of a line"),
    ("# A\n\n```sh\n# comment\n```\n\n# B", "a comment in a fence of backticks"),
    ("# A\n\n~~~\n# one\n# two\n```\n# three\n~~~\n\n# B", "backticks in a fence of tildes"),
    ("````\n```\n# one\n# two\n````\n\n# B", "a fence of three marks in one of four"),
    ("   ## Three spaces\n\ntext", "three spaces before the mark"),
    ("```\n# never closed", "a fence that is never closed"),
    ("#\n\ntext", "a heading without words"),
    ("", "an empty text"),
)


@cache
def _handbook() -> dict[str, Document]:
    return {document.doc_id: document for document in load_documents(data_folder("handbook"))[0]}


@cache
def _single() -> tuple[Question, ...]:
    """The questions with their evidence in one document."""
    return tuple(q for q in load_questions() if len({doc_id for doc_id, _ in q.evidence}) == 1)


@cache
def _context(window: int, quotes: bool) -> LongContext:
    """The handbook in a window; without a model that quotes, only the prompt is of use."""
    model = None if quotes else lambda prompt: "not asked"
    context = LongContext(window, reserve=RESERVE, counter=tokens_by_line, model=model)
    context.add(_handbook().values())
    return context


@cache
def _seen(question: Question, window: int, strategy: str) -> float:
    context = _context(window, strategy == STRATEGIES[3])
    return evidence_seen(context.ask(question.text, question.evidence[0][0], strategy).prompt, question)


@cache
def _sizes() -> dict[str, int]:
    return {doc_id: analyse(document, tokens_by_line).tokens for doc_id, document in _handbook().items()}


@cache
def _published() -> float:
    """The evidence that the published thresholds show, 0 to 1."""
    found = []
    for window in WINDOWS:
        for question in _single():
            document = _handbook()[question.evidence[0][0]]
            room = _context(window, False).plan(question.text).room
            strategy = choose(analyse(document, tokens_by_line), room, question.text).strategy
            found.append(_seen(question, window, strategy))
    return fmean(found)


@gentle
def check_choice(choose_mine: Callable[[float], str]) -> Feedback:
    """Check a choice by size: five points more evidence than the published thresholds, at two windows.

    choose_mine: size of the document as a share of the room -> one of `STRATEGIES`.
    """
    found = []
    for window in WINDOWS:
        for question in _single():
            ratio = _sizes()[question.evidence[0][0]] / _context(window, False).plan(question.text).room
            strategy = choose_mine(ratio)
            if strategy not in STRATEGIES:
                said = f"for a ratio of {ratio:.2f} it returned {strategy!r:.60}"
                return Feedback(False, f"{said}; return one of {', '.join(STRATEGIES)}")
            found.append(_seen(question, window, strategy))
    mine, theirs = fmean(found), _published()
    said = f"your choice shows {mine:.1%} of the evidence, the published thresholds {theirs:.1%}"
    if mine < theirs + WANTED:
        return Feedback(False, f"{said}; {100 * WANTED:.0f} points more are wanted: look at what each bound costs")
    return Feedback(True, said)


@gentle
def check_headings(count_headings: Callable[[str], int]) -> Feedback:
    """Check a count of Markdown headings, on small texts and on the handbook."""
    texts = [*_SMALL, *((document.text, doc_id) for doc_id, document in _handbook().items() if doc_id.endswith(".md"))]
    for text, what in texts:
        count, right = count_headings(text), len(headings(text))
        if isinstance(count, bool) or not isinstance(count, int):
            return Feedback(False, f"it returned {count!r:.60}; return a whole number")
        if count != right:
            return Feedback(False, f"it counts {count}, not {right}, in {what}: {text[:60]!r}")
    return Feedback(True, f"it counts the headings of {len(texts)} texts as a Markdown parser does")
