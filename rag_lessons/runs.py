"""Find the run of neighbouring units, within a budget, that is worth most: exactly, by running sums.

A unit is a sentence, or a word of a sentence that alone is over the budget. What a run costs is
the cost of its text, from the first unit to the last. What to do with the run is `truncation.py`'s work.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import regex

from rag_lessons.chunking import Span
from rag_lessons.cutting import EAST, grapheme_end
from rag_lessons.scoring import BM25, Scorer
from rag_lessons.sentences import sentence_spans
from rag_lessons.tokens import TokenCounter, grapheme_cut

_PAIR = regex.compile(rf"[{EAST}]{{2}}")
DEFAULT = BM25()
_WORD = regex.compile(rf"[{EAST}][\p{{GCB=Extend}}\p{{GCB=SpacingMark}}\p{{GCB=ZWJ}}]*|[^\s{EAST}]+")


def relevance(text: str, spans: Sequence[Span], question: str, scorer: Scorer = DEFAULT) -> np.ndarray:
    """What each span of a text is worth for a question: its score, 0 at least, shape (n,).

    A Chinese or Japanese character by itself is scored with the next one, since terms are pairs. Raises
    ValueError where the scorer does not return one finite score a span.

    >>> relevance("Gates rust. Terns nest.", [(0, 11), (12, 23)], "Do terns nest?").round(1).tolist()
    [0.0, 1.4]
    """
    texts = [text[start : end + bool(end - start == 1 and _PAIR.match(text, start))] for start, end in spans]
    scores = np.asarray(scorer.fit(texts).scores(question), float)
    if scores.shape != (len(texts),) or not np.isfinite(scores).all():
        name = getattr(scorer, "name", type(scorer).__name__)
        raise ValueError(
            f"scorer {name!r} must return one finite score a text: {len(texts)} texts, got shape {scores.shape}"
            + ("" if np.isfinite(scores).all() else " with nan or inf in it")
        )
    return np.maximum(scores, 0.0)


def ends_within(costs: Sequence[int], budget: int | Sequence[int], alone: Sequence[int] | None = None) -> np.ndarray:
    """For each unit, how far a window from there reaches: the place behind the last that fits, shape (n,).

    costs: of each unit, in tokens, what joins it to the one before included. budget: in tokens, one for
    all or one for each unit to begin with. alone: cost of each unit at the beginning; `costs` if None.

    >>> ends_within([3, 1, 4, 1], budget=5).tolist()
    [2, 3, 4, 4]
    """
    costs = np.asarray(costs, np.int64)
    alone = costs if alone is None else np.asarray(alone, np.int64)
    before = np.concatenate([[0], np.cumsum(costs)])
    ends = np.searchsorted(before, before[1:] - alone + np.asarray(budget), "right") - 1
    return np.maximum(ends, np.arange(len(costs)))


def best_run(values: Sequence[float], ends: Sequence[int], holding: int | None = None) -> Span:
    """The run of units with the highest sum of values: (first, behind the last), exact, in linear time.

    values: 0 or more, shape (n,). ends: how far a run from each unit reaches, as `ends_within` tells.
    holding: a unit that must be in it. Of equals, the run with the best unit nearest to its middle;
    (0, 0) where no run is possible.

    >>> best_run([1, 0, 2, 2, 0], ends_within([1] * 5, budget=3))
    (1, 4)
    """
    values, ends = np.asarray(values, float), np.asarray(ends, np.int64)
    starts = np.arange(len(values))
    allowed = starts < ends if holding is None else (starts <= holding) & (holding < ends)
    if not allowed.any():
        return 0, 0
    before = np.concatenate([[0.0], np.cumsum(values)])
    worth = np.where(allowed, before[ends] - before[:-1], -1.0)
    equal = (worth >= worth.max() - 1e-9 * before[-1]).nonzero()[0]  # running sums are exact to about that
    first = equal[0]
    best = first + int(np.argmax(values[first : ends[first]])) if holding is None else holding
    start = equal[np.argmin(np.abs(2 * best + 1 - equal - ends[equal]))]
    return int(start), int(ends[start])


def share_kept(spans: Sequence[Span], values: Sequence[float], kept: Sequence[Span]) -> float:
    """How much of the relevance of some spans lies in what was kept, from 0 to 1; 1 where there is none.

    spans: in characters, with their values, shape (n,). kept: spans of the same text, apart from each
    other. A span that was cut counts by the part of its characters that is left.

    >>> share_kept([(0, 10), (10, 20)], [1.0, 3.0], [(0, 15)])
    0.625
    """
    values = np.asarray(values, float)
    parts = [sum(max(0, min(end, e) - max(start, s)) for s, e in kept) / (end - start) for start, end in spans]
    total = float(values.sum())
    return float(values @ np.array(parts, float)) / total if total else 1.0


def units(
    text: str, question: str, budget: int, counter: TokenCounter, scorer: Scorer = DEFAULT
) -> tuple[list[Span], np.ndarray]:
    """The sentences of a text, each of those over the budget as its words, and what each is worth.

    The words of a sentence share what it is worth by their own relevance, so that none competes with
    a whole sentence by being short.

    >>> spans, values = units("Go. No one is here.", "Who is here?", 2, lambda text: len(text.split()))
    >>> spans, values.round(1).tolist()
    ([(0, 3), (4, 6), (7, 10), (11, 13), (14, 19)], [0.0, 0.0, 0.0, 0.0, 0.7])
    """
    sentences = sentence_spans(text)
    spans: list[Span] = []
    values: list[float] = []
    for (start, end), worth in zip(sentences, relevance(text, sentences, question, scorer).tolist(), strict=True):
        if counter(text[start:end]) <= budget:
            parts, shares = [(start, end)], [1.0]
        else:
            parts = words(text, start, end)
            shares = relevance(text, parts, question, scorer) if worth else np.zeros(len(parts))
            shares = shares / (float(shares.sum()) or 1.0)
        spans += parts
        values += [worth * share for share in shares]
    return spans, np.array(values, float)


def words(text: str, start: int, end: int) -> list[Span]:
    """What stands between white space in a span of a text; each Chinese or Japanese character is a word.

    >>> words("It rains.", 0, 9)
    [(0, 2), (3, 9)]
    """
    found: list[Span] = []
    at = start
    for match in _WORD.finditer(text, start, end):
        if match.end() > at:  # else it belongs to the visible character before it
            first = grapheme_cut(text, max(match.start(), at), at)
            at = grapheme_end(text, match.end(), at)
            found.append((first, at))
    return found


def costs(text: str, spans: Sequence[Span], counter: TokenCounter) -> tuple[list[int], list[int]]:
    """What each span costs alone, and what it adds to the one before it; for the first, both are the same.

    >>> costs("Gates rust. Terns nest.", [(0, 11), (12, 23)], len)
    ([11, 11], [11, 12])
    """
    alone = [counter(text[start:end]) for start, end in spans]
    pairs = [counter(text[start:end]) for (start, _), (_, end) in pairwise(spans)]
    return alone, alone[:1] + [pair - first for pair, first in zip(pairs, alone, strict=False)]


def adds_up(text: str, spans: Sequence[Span], counter: TokenCounter, alone: list[int], added: list[int]) -> bool:
    """Whether what a span adds depends on nothing but the one before it: true of tokenizers, words and bytes.

    Looked at for any three spans in a row, and for all.

    >>> text, spans = "Gates rust. Terns nest. Boats sink.", [(0, 11), (12, 23), (24, 35)]
    >>> [adds_up(text, spans, counter, *costs(text, spans, counter)) for counter in (len, lambda text: len(text) // 5)]
    [True, False]
    """
    if not spans:
        return True
    threes = zip(spans, spans[2:], alone, added[1:], added[2:], strict=False)
    return all(
        counter(text[start:end]) == first + second + third for (start, _), (_, end), first, second, third in threes
    ) and counter(text[spans[0][0] : spans[-1][1]]) == sum(added)


def counted_ends(text: str, spans: Sequence[Span], budget: int | Sequence[int], counter: TokenCounter) -> np.ndarray:
    """As `ends_within`, with each window counted: slower, and right with any counter that never falls as a text grows.

    >>> counted_ends("Gates rust. Terns nest.", [(0, 11), (12, 23)], 5, lambda text: len(text) // 4).tolist()
    [2, 2]
    """
    ends, end = [], 0
    for i, ((start, _), room) in enumerate(zip(spans, np.broadcast_to(budget, len(spans)).tolist(), strict=True)):
        end = max(end, i)
        while end > i and counter(text[start : spans[end - 1][1]]) > room:  # the room may shrink
            end -= 1
        while end < len(spans) and counter(text[start : spans[end][1]]) <= room:
            end += 1
        ends.append(end)
    return np.array(ends, np.int64)
