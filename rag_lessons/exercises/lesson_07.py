"""Checks for lesson 07: two windows under one budget, and a very long text narrowed by its paragraphs."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations

import numpy as np

from rag_lessons.chunking import Span, paragraph_spans
from rag_lessons.corpora import data_folder
from rag_lessons.documents import load_documents
from rag_lessons.evaluation import load_questions
from rag_lessons.exercises.feedback import Feedback, expect_list, gentle
from rag_lessons.runs import relevance, share_kept

ROOM = 4000
GOAL = 0.95
# Values and costs of some sentences, and a budget: facts far apart, facts side by side, one that is too long, none.
_WRITTEN = (
    ([3, 0, 0, 0, 0, 0, 2], [4, 5, 5, 5, 5, 5, 4], 8),
    ([0, 0, 3, 3, 0, 0, 0], [5, 5, 6, 6, 5, 5, 5], 12),
    ([0, 9, 0, 0, 2, 0, 1], [4, 30, 4, 4, 4, 4, 4], 10),
    ([0, 0, 0, 0], [4, 4, 4, 4], 8),
)


@cache
def _problems() -> tuple[tuple[list[int], list[int], int], ...]:
    draw = random.Random(7)
    found = list(_WRITTEN)
    for _ in range(12):
        values = [draw.choice((0, 0, 0, 1, 1, 2, 5)) for _ in range(14)]
        found.append((values, [draw.randint(3, 9) for _ in range(14)], draw.randint(15, 35)))
    return tuple(found)


def _worth(runs: Sequence[Span], values: Sequence[int]) -> int:
    return sum(sum(values[first:last]) for first, last in runs)


@cache
def _most() -> tuple[tuple[int, int], ...]:
    """For each problem, what the best single window is worth, and the best pair; found by trying all."""
    found = []
    for values, costs, budget in _problems():
        places = range(len(values) + 1)
        runs = [run for run in combinations(places, 2) if sum(costs[slice(*run)]) <= budget]
        one = max((_worth([run], values) for run in runs), default=0)
        pairs = [
            _worth([a, b], values)
            for a, b in combinations(runs, 2)
            if (a[1] <= b[0] or b[1] <= a[0]) and sum(costs[slice(*a)]) + sum(costs[slice(*b)]) <= budget
        ]
        found.append((one, max([one, *pairs])))
    return tuple(found)


def _wrong_runs(runs: object, values: list[int], costs: list[int], budget: int) -> str | None:
    """What is wrong with the windows for one problem, in words."""
    listed = expect_list(runs, "windows, each (first, behind the last)")
    if listed:
        return listed.text
    for run in runs:
        if not (
            isinstance(run, (list, tuple)) and len(run) == 2 and all(isinstance(n, (int, np.integer)) for n in run)
        ):
            return f"it returned {run!r:.60} among the windows; each is (first, behind the last), two places"
        if not 0 <= run[0] <= run[1] <= len(values):
            return f"it returned {tuple(run)} for {len(values)} sentences; places go from 0 to {len(values)}"
    runs = sorted(run for run in runs if run[0] < run[1])
    if len(runs) > 2:
        return f"it returned {len(runs)} windows; two are allowed"
    if len(runs) == 2 and runs[0][1] > runs[1][0]:
        return f"the windows {tuple(runs[0])} and {tuple(runs[1])} overlap, so that a sentence is paid for twice"
    paid = sum(sum(costs[first:last]) for first, last in runs)
    if paid > budget:
        return f"for costs of {costs} it spends {paid} tokens; the budget was {budget}"
    return None


@gentle
def check_two_windows(two_windows: Callable[[list[int], list[int], int], Sequence[Span]]) -> Feedback:
    """Check two windows under one budget: never worth less than one, and nearly as much as any pair on average.

    two_windows: (values, costs in tokens, budget) -> (first, behind the last) of each window; empty ones do not count.
    """
    shares = []
    for (values, costs, budget), (one, pair) in zip(_problems(), _most(), strict=True):
        runs = two_windows(list(values), list(costs), budget)
        wrong = _wrong_runs(runs, values, costs, budget)
        if wrong:
            return Feedback(False, wrong)
        worth = _worth(runs, values)
        if worth < one:
            said = f"values {values}, costs {costs}, budget {budget}: your windows are worth {worth}"
            return Feedback(False, f"{said}, and a single one is worth {one}; what if all of it stands side by side?")
        shares.append(worth / pair if pair else 1.0)
    mean = sum(shares) / len(shares)
    said = f"on {len(shares)} made-up texts yours bring {100 * mean:.0f} % of what the best pair is worth"
    if mean < GOAL:
        return Feedback(False, f"{said}; the goal is {100 * GOAL:.0f} %: need both windows be of the same size?")
    return Feedback(True, said)


@cache
def long_text() -> str:
    """The documents of the handbook, one after the other, as one very long text.

    >>> long_text().count("# The seawater system: operating manual")
    1
    """
    documents, _ = load_documents(data_folder("handbook"))
    return "\n\n".join(document.text for document in documents)


@cache
def long_questions() -> tuple[tuple[str, tuple[Span, ...]], ...]:
    """The handbook's questions on one place, each with where its evidence stands in `long_text`.

    >>> question, places = long_questions()[0]
    >>> [long_text()[start:end][:25] for start, end in places]
    ['Dredging and trawling wil']
    """
    text, starts, at = long_text(), {}, 0
    for document in load_documents(data_folder("handbook"))[0]:
        starts[document.doc_id] = at
        at += len(document.text) + 2
    asked = [q for q in load_questions() if q.evidence and q.kind != "two_documents"]
    found = []
    for question in asked:
        places = [(text.index(piece, starts[doc_id]), len(piece)) for doc_id, piece in question.evidence]
        found.append((question.text, tuple((start, start + length) for start, length in places)))
    return tuple(found)


def _held(span: Span, gold: Sequence[Span]) -> float:
    return share_kept(gold, [end - start for start, end in gold], [span])


@cache
def _single() -> float:
    """How much evidence the best paragraph alone holds, on average."""
    text, paragraphs = long_text(), paragraph_spans(long_text())
    best = [(int(np.argmax(relevance(text, paragraphs, question))), gold) for question, gold in long_questions()]
    return sum(_held(paragraphs[place], gold) for place, gold in best) / len(best)


@gentle
def check_narrowing(narrow: Callable[[str, str, list[Span], int], Span]) -> Feedback:
    """Check a first cut by paragraphs: within the room, it must hold more evidence than the best paragraph alone.

    narrow: (question, text, spans of its paragraphs, room in characters) -> (start, end) of what to keep.
    """
    text, paragraphs = long_text(), paragraph_spans(long_text())
    held = []
    for question, gold in long_questions():
        span = narrow(question, text, list(paragraphs), ROOM)
        if not (
            isinstance(span, (list, tuple)) and len(span) == 2 and all(isinstance(n, (int, np.integer)) for n in span)
        ):
            return Feedback(False, f"it returned {span!r:.60}; return (start, end), in characters")
        start, end = map(int, span)
        if not 0 <= start <= end <= len(text):
            return Feedback(False, f"({start}, {end}) is outside the text, which has {len(text)} characters")
        if end - start > ROOM:
            return Feedback(False, f"for {question!r:.50} it keeps {end - start} characters; there is room for {ROOM}")
        held.append(_held((start, end), gold))
    mean, single = sum(held) / len(held), _single()
    said = (
        f"it keeps at most {ROOM} of {len(text)} characters and {100 * mean:.1f} % of the evidence; "
        f"the best paragraph alone holds {100 * single:.1f} %"
    )
    if mean <= single + 1e-9:
        return Feedback(False, f"{said}; start from that one, and use the room that is left")
    return Feedback(True, said)
