"""Cut a document to the window of it that matters for a question, or to several.

Sentences are scored against the question; what a window is worth is the sum over its sentences.
`best_window` finds the window worth most, exactly; `sliding_window` the one worth most among those
that hold the best sentence; `windows` several under one budget. Where nothing matches, the head is
kept and the note says so. The cuts that do not look at the question, `cuts.py`, can be had here, too.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import accumulate, takewhile

import numpy as np

from rag_lessons.chunking import Span
from rag_lessons.cuts import Truncation, cut, head, middle, tail
from rag_lessons.cutting import ENDS, INK, Cutting
from rag_lessons.documents import check_text
from rag_lessons.policies import longest_run
from rag_lessons.runs import DEFAULT, adds_up, best_run, costs, counted_ends, ends_within, relevance, units, words
from rag_lessons.scoring import Scorer
from rag_lessons.sentences import sentence_spans
from rag_lessons.tokens import TokenCounter, check_count, estimate_tokens

__all__ = ["ENDS", "Truncation", "best_window", "head", "middle", "sliding_window", "tail", "windows"]
FEW = 24  # spans; the rounded costs of fewer may add up by chance
NO_MATCH = "nothing in the text matches the question; the head is kept"


def best_window(
    text: str,
    question: str,
    budget: int,
    counter: TokenCounter = estimate_tokens,
    *,
    scorer: Scorer = DEFAULT,
    ends: str = "sentence",
    marker: str = "",
) -> Truncation:
    """Keep the window of whole sentences that is worth most for a question: no other is worth more.

    budget: in the counter's tokens, 0 or more. scorer: what scores the sentences. ends, marker: as in
    `head`; with an end finer than "sentence", the window goes on into the sentences next to it. A
    sentence over the budget is searched word by word. Exact with any counter that never falls as a
    text grows; in linear time with one whose costs add up, as those of
    tokenizers do.

    >>> best_window("Gates rust. Terns nest. Terns hatch late. Boats sink.", "When do terns hatch?", 8).text
    'Terns nest. Terns hatch late.'
    """

    def choose(it: Cutting) -> list[Span] | None:
        spans, values = units(text, question, budget, counter, scorer)
        return _window(it, spans, values) if values.any() else None

    return _or_head(choose, text, question, budget, counter, ends, marker)


def sliding_window(
    text: str,
    question: str,
    budget: int,
    counter: TokenCounter = estimate_tokens,
    *,
    scorer: Scorer = DEFAULT,
    ends: str = "sentence",
    marker: str = "",
) -> Truncation:
    """Keep a window round the sentence worth most, slid to where it holds the most besides.

    Only sentences near the best one are counted, and their costs added up. The parameters are those of `best_window`.

    >>> sliding_window("Gates rust. Terns nest. Terns hatch late. Boats sink.", "When do terns hatch?", 8).text
    'Terns nest. Terns hatch late.'
    """

    def choose(it: Cutting) -> list[Span] | None:
        spans = sentence_spans(text)
        values = relevance(text, spans, question, scorer)
        if not values.any():
            return None
        best = int(np.argmax(values))
        if counter(text[slice(*spans[best])]) > budget:
            spans = words(text, *spans[best])
            return _window(it, spans, relevance(text, spans, question, scorer))
        first, last = _near(it, spans, best)
        return _window(it, spans[first:last], values[first:last], best - first)

    return _or_head(choose, text, question, budget, counter, ends, marker)


def windows(
    text: str,
    question: str,
    budget: int,
    counter: TokenCounter = estimate_tokens,
    *,
    count: int = 2,
    scorer: Scorer = DEFAULT,
    ends: str = "sentence",
    marker: str = "",
) -> Truncation:
    """Keep at most `count` windows under one budget: the best sentences first, then what is next to them.

    Each grows to the side where the better sentence stands. The other parameters are those of `best_window`.

    >>> windows("Gates rust. Boats sink. Nets tear. Terns nest.", "Do gates rust, do terns nest?", 7).text
    'Gates rust.\\nTerns nest.'
    """
    check_count("count", count, least=1, unit="windows")

    def choose(it: Cutting) -> list[Span] | None:
        spans, values = units(text, question, budget, counter, scorer)
        if not values.any():
            return None
        order = _growth(values.tolist(), [it.cost([span]) for span in spans], it.budget, count)
        taken = longest_run(lambda n: it.cost(it.tidy([spans[i] for i in order[:n]])), len(order), it.budget, 4)[0]
        return _filled(it, it.tidy([spans[i] for i in order[:taken]]), spans, values)

    return _or_head(choose, text, question, budget, counter, ends, marker)


def _or_head(
    choose: Callable[[Cutting], list[Span] | None],
    text: str,
    question: str,
    budget: int,
    counter: TokenCounter,
    ends: str,
    marker: str,
) -> Truncation:
    """What `choose` keeps or, where that is nothing, the head."""
    check_text("question", question)
    kept = cut(choose, text, budget, counter, ends, marker)
    if kept.spans or not kept.truncated or not budget:
        return kept
    note = f"nothing that matches fits into a budget of {budget}; the head is kept" if kept.note else NO_MATCH
    first = head(text, budget, counter, ends="word", marker=marker)
    return first._replace(note=note) if first.spans else first


def _near(it: Cutting, spans: Sequence[Span], best: int) -> Span:
    """The places of the spans that could stand in one window with the best: (first, behind the last)."""

    def beside(others: Iterable[Span]) -> int:
        spent = accumulate(it.counter(it.text[start:end]) for start, end in others)
        return sum(1 for _ in takewhile(lambda total: total <= it.budget, spent))

    return best - beside(reversed(spans[:best])), best + 1 + beside(spans[best + 1 :])


def _window(it: Cutting, spans: Sequence[Span], values: np.ndarray, holding: int | None = None) -> list[Span]:
    """The run of spans worth most that fits beside its markers, then filled up; none if it is worth nothing."""
    alone, added = costs(it.text, spans, it.counter)
    counted = holding is None and (len(spans) < FEW or not adds_up(it.text, spans, it.counter, alone, added))

    def reach(room: np.ndarray) -> np.ndarray:
        return counted_ends(it.text, spans, room, it.counter) if counted else ends_within(added, room, alone)

    first, last = best_run(values, _beside_markers(it, spans, reach), holding)
    if last > first and it.cost([(spans[first][0], spans[last - 1][1])]) > it.budget:
        counted = True
        first, last = best_run(values, _beside_markers(it, spans, reach), holding)
    if not values[first:last].any():
        return []
    return _filled(it, [(spans[first][0], spans[last - 1][1])], spans, values)


def _beside_markers(it: Cutting, spans: Sequence[Span], reach: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """How far a run from each span reaches where a marker stands before it, behind it, or both."""
    room = np.full(len(spans), it.budget)
    if not it.marker or not spans:
        return reach(room)
    word = it.counter("x")
    room -= it.counter(f"{it.marker} x") - word
    if not INK.search(it.text, 0, spans[0][0]):
        room[0] = it.budget
    ends = reach(room - (it.counter(f"x {it.marker}") - word))
    if INK.search(it.text, spans[-1][1]):
        return ends
    return np.where(reach(room) == len(spans), len(spans), ends)


def _growth(values: Sequence[float], costs: Sequence[int], budget: int, count: int) -> list[int]:
    """The places of units in the order in which `count` windows take them in, till twice the budget is spent."""
    order: list[int] = []
    taken: set[int] = set()
    edge: list[tuple[float, int, int]] = []  # what is next to a window: the best first, of equals the longest there

    def take(i: int) -> None:
        order.append(i)
        taken.add(i)
        for j in (i + 1, i - 1):
            if 0 <= j < len(costs) and costs[j] <= budget:
                heappush(edge, (-values[j], len(order), j))

    windows = 0
    for i in sorted(range(len(values)), key=lambda i: -values[i]):  # stable: of equals, the first
        if windows == count or values[i] <= 0:
            break
        if costs[i] <= budget:
            windows += 1 - len({i - 1, i + 1} & taken)
            take(i)
    spent = sum(costs[i] for i in order)
    while edge and spent <= 2 * budget:
        i = heappop(edge)[2]
        if i not in taken:
            spent += costs[i]
            take(i)
    return order


def _filled(it: Cutting, kept: list[Span], spans: Sequence[Span], values: np.ndarray) -> list[Span]:
    """The kept spans, and next to them what else fits: whole units, then, where the cut may be finer, parts."""
    starts = [start for start, _ in spans]
    while kept:
        sides = [bisect_left(starts, end) for _, end in kept] + [bisect_left(starts, start) - 1 for start, _ in kept]
        sides = sorted((i for i in sides if 0 <= i < len(spans)), key=lambda i: -values[i])
        longer = (it.tidy([*kept, spans[i]]) for i in sides)
        fitting = next((found for found in longer if found != kept and it.cost(found) <= it.budget), None)
        if fitting is None:
            break
        kept = fitting
    if it.ends == "sentence":
        return kept
    for i in reversed(range(len(kept))):
        stop = kept[i + 1][0] if i + 1 < len(kept) else len(it.text)
        kept = it.extended(kept[i][0], stop, kept[:i] + kept[i + 1 :])
    if kept:
        kept = it.extended_back(0, kept[0][1], kept[1:])
    # Where the beginning is reached, a marker is spared: forward once more.
    return it.extended(kept[-1][0], len(it.text), kept[:-1]) if kept else []
