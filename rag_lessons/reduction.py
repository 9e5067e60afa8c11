"""Reduce many summaries to one, level by level, no step reading more than a budget.

Summaries are packed in order into batches, each batch is summarized, and the summaries of a level
are the input of the next. With `shrink` the rounds are bounded and the result fits, or says that
it cannot. What the batches have in common is not looked at; a lesson clusters them instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rag_lessons.summarizing import Summarizer, cut_to_budget
from rag_lessons.tokens import TokenCounter, check_count, estimate_tokens
from rag_lessons.windows import chunk_tokens


class Node(NamedTuple):
    """One text of a level: its tokens, and the places of what it was made from a level below."""

    text: str
    tokens: int
    children: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reduction:
    """The levels of a reduction, the first being the input, and what came out.

    summary: the text on top, "" for no input. reached: it costs at most the budget.
    calls: how often the summarizer was asked.
    """

    levels: tuple[tuple[Node, ...], ...]
    summary: str
    reached: bool
    calls: int

    @property
    def rounds(self) -> int:
        """How many levels were made above the input."""
        return max(0, len(self.levels) - 1)


def reduce_summaries(
    texts: Sequence[str],
    summarize: Summarizer,
    *,
    budget: int = 90,
    sentences: int = 3,
    counter: TokenCounter = estimate_tokens,
    shrink: bool = True,
) -> Reduction:
    """Reduce texts to one summary.

    budget: tokens that a step may read, and that the result may cost. sentences: how many a
    summary keeps. shrink: cut what is over half the budget, so that two always fit a step and
    every round at least halves the level; a text over the budget is read window by window.
    Without it the published loop runs as it stands, in which a step may read more than the budget.

    Returns a `Reduction`; a single text that fits stays unchanged with `shrink`.

    >>> from rag_lessons.summarizing import CentroidSummarizer
    >>> reduce_summaries(["Gates rust.", "Birds nest."], CentroidSummarizer(), budget=20).summary
    'Gates rust. Birds nest.'
    """
    check_count("budget", budget)
    check_count("sentences", sentences, least=1, unit="sentences")
    if isinstance(texts, str):
        raise TypeError(f"texts must be a list of texts; got one text, {texts!r:.60}")
    counter = lru_cache(maxsize=1024)(counter)  # the same few texts are counted again and again
    level = tuple(Node(text, counter(text)) for text in texts)
    if not level:
        return Reduction((), "", True, 0)
    levels, calls = [level], 0
    half = max(0, (budget - counter(" ")) // 2)

    def step(batches: list[range]) -> tuple[Node, ...]:
        """Summarize each batch of the level into a node of the next."""
        nonlocal calls
        limit = budget if len(batches) == 1 else half
        nodes = []
        for batch in batches:
            source = " ".join(level[i].text for i in batch)
            if shrink and counter(source) > budget:
                inner = by_window(source)
                source, calls = inner.summary, calls + inner.calls
            summary = summarize(source, sentences)
            calls += 1
            text = cut_to_budget(summary, limit, counter).text if shrink else summary.text
            nodes.append(Node(text, counter(text), tuple(batch)))
        return tuple(nodes)

    def by_window(text: str) -> Reduction:
        """Reduce a text that no step may read as a whole; one that cannot be cut is given up."""
        windows = chunk_tokens(text, budget, 0, counter) if budget else []
        parts = [text[start:end] for start, end in windows]
        parts = parts if parts != [text] else []
        return reduce_summaries(parts, summarize, budget=budget, sentences=sentences, counter=counter)

    if shrink and any(node.tokens > (half if len(level) > 1 else budget) for node in level):
        level = step([range(i, i + 1) for i in range(len(level))])
        levels.append(level)
    while len(level) > 1:
        batches = _batches(level, budget, counter)
        if len(batches) == len(level):
            batches = [range(i, min(i + 2, len(level))) for i in range(0, len(level), 2)]
        level = step(batches)
        levels.append(level)
    top = level[0].text
    if not shrink:  # the published loop shortens the last one once more
        top = summarize(top, sentences).text
        calls += 1
    return Reduction(tuple(levels), top, bool(top) and counter(top) <= budget, calls)


def _batches(level: Sequence[Node], budget: int, counter: TokenCounter) -> list[range]:
    """Runs of neighbours whose texts, joined by a space, cost at most the budget."""

    def fits(start: int, end: int) -> bool:
        return counter(" ".join(node.text for node in level[start:end])) <= budget

    batches, start, joiner = [], 0, counter(" ")
    while start < len(level):
        end, total = start + 1, level[start].tokens
        while end < len(level) and total + joiner + level[end].tokens <= budget:
            total += joiner + level[end].tokens
            end += 1
        # A guess, since joining may cost more or less than that; it is mended in ever longer steps.
        most, beyond, stride = start + 1, len(level) + 1, 1
        while most + 1 < beyond:
            end = min(max(end, most + 1), beyond - 1)
            if fits(start, end):
                most, end, stride = end, end + stride, 2 * stride
            else:
                beyond, end = end, (most + end) // 2
        batches.append(range(start, most))
        start = most
    return batches
