"""Checks for lesson 12: a pipeline that beats flat BM25, and a paired interval by hand."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from statistics import fmean

from rag_lessons.context import Piece, labelled_layout
from rag_lessons.corpora import data_folder
from rag_lessons.documents import load_documents
from rag_lessons.evaluation import Question, load_questions
from rag_lessons.exercises.feedback import Feedback, expect_list, gentle
from rag_lessons.index import ChunkRecord, HierarchicalIndex
from rag_lessons.intervals import bootstrap_interval, paired_difference
from rag_lessons.metrics import Place, measure, trace_spans
from rag_lessons.pipeline import ask, prepare_index
from rag_lessons.presets import default_settings
from rag_lessons.tokens import estimate_tokens

BUDGET = 250  # tokens; a few questions are asked at SMALL too, so that no answer can be fixed to it
SMALL = 60
_NEAR = 0.25  # of an interval's width: how far a bootstrap by hand may be from the package's


@cache
def _handbook() -> tuple[HierarchicalIndex, tuple[Question, ...]]:
    documents, _ = load_documents(data_folder("handbook"))
    return prepare_index(documents), tuple(q for q in load_questions() if q.evidence)


def prompt_tokens(places: Sequence[Place]) -> int:
    """Tokens of some spans of the handbook as a prompt holds them: a label a document, gaps marked.

    places: (document id, start, end). Overlaps count once.

    >>> prompt_tokens([])
    0
    """
    index, _ = _handbook()
    spans: dict[str, list[tuple[int, int]]] = {}
    for doc_id, start, end in places:
        spans.setdefault(doc_id, []).append((start, end))
    pieces = [
        Piece(ChunkRecord(doc_id, doc_id, 1, 0, len(index.documents[doc_id].text), ""), tuple(sorted(found)))
        for doc_id, found in spans.items()
    ]
    return estimate_tokens(labelled_layout(index, pieces))


@cache
def flat_recalls() -> tuple[float, ...]:
    """What flat BM25 with whole chunks brings of each question's evidence at `BUDGET`, 0 to 1."""
    index, questions = _handbook()
    settings = default_settings()
    bare = replace(settings.route, summary=0, document=0, neighbours=0)
    flat = replace(settings, route=bare, policy="first-fit")
    scores = measure(lambda text, budget: trace_spans(ask(text, index, budget, flat)), index, questions, [BUDGET])
    return tuple(score.recall for score in scores)


@gentle
def check_pipeline(pipeline: Callable[[str, int], Sequence[Place]]) -> Feedback:
    """Check a pipeline: within its budget, it must bring more evidence into the prompt than flat BM25.

    pipeline: (question, budget in tokens) -> (document id, start, end) of each span of the prompt.
    """
    index, questions = _handbook()
    for question in questions[:5]:
        wrong = _wrong(pipeline(question.text, SMALL), question, SMALL)
        if wrong:
            return Feedback(False, wrong)
    chosen = {}
    for question in questions:
        places = pipeline(question.text, BUDGET)
        wrong = _wrong(places, question, BUDGET)
        if wrong:
            return Feedback(False, wrong)
        chosen[question.text] = list(places)
    if not any(chosen.values()):
        return Feedback(False, "it returned an empty list for every question, so that nothing is in its prompts")
    mine = [score.recall for score in measure(lambda text, _: chosen[text], index, questions, [BUDGET])]
    above, low, high = paired_difference(mine, flat_recalls())
    said = (
        f"your pipeline brings {100 * fmean(mine):.1f} % of the evidence into {BUDGET} tokens, flat BM25 "
        f"{100 * fmean(flat_recalls()):.1f} %: {100 * above:+.1f} points, {100 * low:+.1f} to {100 * high:+.1f}"
    )
    if above <= 0:
        return Feedback(False, f"{said}; what does a chunk bring along that the answer does not need?")
    return Feedback(True, said + ("" if low > 0 else "; 0 is in that interval, so it may be chance"))


def _wrong(places: object, question: Question, budget: int) -> str | None:
    """What is wrong with the spans for one question, in words."""
    index, _ = _handbook()
    listed = expect_list(places, "(document id, start, end)")
    if listed:
        return listed.text
    for place in places:
        if not (isinstance(place, (list, tuple)) and len(place) == 3 and all(isinstance(n, int) for n in place[1:])):
            return f"it returned {place!r:.60} among the spans; each is (document id, start, end), in characters"
        doc_id, start, end = place
        if doc_id not in index.documents:
            return f"the handbook has no document {doc_id!r:.60}; its ids are like {min(index.documents)!r}"
        length = len(index.documents[doc_id].text)
        if not 0 <= start <= end <= length:
            return f"({start}, {end}) is outside {doc_id!r}, which has {length} characters"
    used = prompt_tokens(places)
    if used > budget:
        return f"for {question.id} it spends {used} tokens, labels included; the budget was {budget}"
    return None


def _pairs(seed: int, shift: float) -> tuple[list[float], list[float]]:
    """Shares of 121 made-up questions, easy and hard ones, for two pipelines that differ on some."""
    draw = random.Random(seed)
    theirs = [draw.choice((0.0, 0.5, 1.0)) for _ in range(121)]
    moved = [max(0.0, min(1.0, share + (shift if draw.random() < 0.3 else 0.0))) for share in theirs]
    return moved, theirs


@gentle
def check_paired(interval: Callable[[Sequence[float], Sequence[float]], tuple[float, float]]) -> Feedback:
    """Check a paired bootstrap: a 95 % interval of the mean difference, near to the package's.

    interval: (ours, theirs), a value a question each -> (low, high).
    """
    for seed, shift in ((1, 0.5), (2, -0.5)):
        ours, theirs = _pairs(seed, shift)
        answer = interval(list(ours), list(theirs))
        try:
            low, high = map(float, answer)  # a tuple, a list, an array
        except (TypeError, ValueError):
            return Feedback(False, f"it returned {answer!r:.60}; return (low, high)")
        mean, right_low, right_high = paired_difference(ours, theirs)
        width = right_high - right_low
        said = f"it says {low:+.3f} to {high:+.3f} where the mean difference is {mean:+.3f}"
        if not low - 1e-9 <= mean <= high + 1e-9:
            return Feedback(False, f"{said}; an interval must hold it: take ours - theirs, and low before high")
        apart = sum(b - a for a, b in map(bootstrap_interval, (ours, theirs)))
        if high - low > 0.6 * apart:
            why = "too wide: draw questions, and take both values of each, not ours and theirs apart"
            return Feedback(False, f"{said}; {why}")
        if abs(low - right_low) > _NEAR * width or abs(high - right_high) > _NEAR * width:
            why = "draw as many questions as there are, with repeats, and cut 2.5 % of the means off at each end"
            return Feedback(False, f"{said}; the package says {right_low:+.3f} to {right_high:+.3f}: {why}")
    return Feedback(True, f"on the last made-up pair {said}; the package says {right_low:+.3f} to {right_high:+.3f}")
