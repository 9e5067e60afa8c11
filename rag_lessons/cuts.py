"""Cut a text to a budget at its tail, its head or its middle, and say what is left.

A cut keeps spans of the text as they are. It falls at the end of a sentence or of a word or, where
not one of those fits, of a visible character; what is written costs at most the budget, the marker
for what is left out included. Where relevance lies is not asked: see `truncation.py`.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from rag_lessons.chunking import Span
from rag_lessons.cutting import ENDS, Cutting
from rag_lessons.documents import check_text
from rag_lessons.sentences import trim
from rag_lessons.tokens import TokenCounter, check_count, estimate_tokens


class Truncation(NamedTuple):
    """What a cut keeps: the text as written, its spans of the source, and what it costs in tokens.

    truncated: something was left out. note: what the reader should know, such as that nothing fits.
    """

    text: str
    spans: tuple[Span, ...]
    tokens: int
    truncated: bool
    note: str = ""


def head(
    text: str, budget: int, counter: TokenCounter = estimate_tokens, *, ends: str = "word", marker: str = ""
) -> Truncation:
    """Keep the beginning of a text: right where relevance falls with position, as in a news report.

    budget: in the counter's tokens, 0 or more. ends: where the cut falls, one of `ENDS`; a finer one
    where nothing fits. marker: stands for what is left out, and is left out itself where it leaves no room.

    Returns a `Truncation`; a text that fits comes back unchanged. Raises TypeError or ValueError for
    bad settings.

    >>> head("Gates rust. Birds nest.", 3)
    Truncation(text='Gates rust.', spans=((0, 11),), tokens=3, truncated=True, note='')
    """
    return cut(lambda it: it.extended(0, len(text)), text, budget, counter, ends, marker)


def tail(
    text: str, budget: int, counter: TokenCounter = estimate_tokens, *, ends: str = "word", marker: str = ""
) -> Truncation:
    """Keep the end of a text: right where relevance rises with position, as in a verdict.

    The parameters and what is returned are those of `head`.

    >>> tail("Gates rust. Birds nest.", 3).text
    'Birds nest.'
    """
    return cut(lambda it: it.extended_back(0, len(text)), text, budget, counter, ends, marker)


def middle(
    text: str, budget: int, counter: TokenCounter = estimate_tokens, *, ends: str = "word", marker: str = ""
) -> Truncation:
    """Keep both ends of a text and leave its middle out, half of the budget for each.

    An odd token goes to the head, and what one end cannot use goes to the other. The parameters and
    what is returned are those of `head`.

    >>> middle("w0 w1 w2 w3 w4 w5", 4, lambda text: len(text.split()), marker="[...]").text
    'w0 w1 [...] w5'
    """

    def both(it: Cutting) -> list[Span]:
        gap = counter(f" {it.marker} ") if it.marker else 0
        front = it.extended(0, len(text), room=(it.budget + gap + 1) // 2)
        start = front[0][1] if front else 0
        kept = it.extended_back(start, len(text), front)
        back = [span for span in kept if span not in front]
        if front and back and len(kept) == 1:  # they met
            return kept
        return it.extended(front[0][0] if front else 0, back[0][0] if back else len(text), back)

    return cut(both, text, budget, counter, ends, marker)


def cut(
    choose: Callable[[Cutting], list[Span] | None],
    text: str,
    budget: int,
    counter: TokenCounter,
    ends: str,
    marker: str,
) -> Truncation:
    """Cut a text the way that `choose` says, with the marker or without, at the ends asked for or at finer ones.

    choose: a `Cutting` -> the spans to keep; none where nothing fits, None where no cut would help.

    >>> cut(lambda it: [(0, 5)], "Gates rust.", 2, len, "word", "").note
    'nothing fits into a budget of 2'
    """
    check_text("text", text)
    budget = check_count("budget", budget)
    check_text("marker", marker)
    if ends not in ENDS:
        raise ValueError(f"ends must be one of {', '.join(ENDS)}; got {ends!r}")
    counter = lru_cache(maxsize=1024)(counter)  # a few sentences and windows are counted again and again
    plain = Cutting(text, budget, counter, ends)
    part = 8 * (budget + 1)  # of a long text, so many characters cost too much already, and are soon counted
    whole = plain.cost([trim(text, 0, part)]) if part < len(text) else 0
    if whole <= budget:
        whole = plain.cost([(0, len(text))] if text else [])
    if whole <= budget and (budget or not text):  # into a budget of 0 goes nothing, not even what is free
        return Truncation(text, ((0, len(text)),) if text else (), whole, False)
    for finer in ENDS[ENDS.index(ends) :] if budget else ():
        for mark in dict.fromkeys((marker, "")):
            it = Cutting(text, budget, counter, finer, mark)
            spans = choose(it)
            if spans is None:
                return Truncation("", (), 0, True)
            if spans and (cost := it.cost(spans)) <= budget:
                note = "" if finer == ends else f"no {ends} fits into a budget of {budget}; cut inside one"
                return Truncation(it.write(spans), tuple(spans), cost, True, note)
    return Truncation("", (), 0, True, f"nothing fits into a budget of {budget}")
