"""Find how much of a text fits into a budget between places where a cut may fall, and write it down.

A cut falls at the end of a sentence, of a word or of a visible character, and white space round it
goes. What is written, the marker for what is left out included, is what is counted. Which part to
keep is decided in `cuts.py` and `truncation.py`.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import regex

from rag_lessons.chunking import Span
from rag_lessons.context import merge_spans
from rag_lessons.policies import longest_run
from rag_lessons.sentences import sentence_spans, trim
from rag_lessons.tokens import TokenCounter, check_count, grapheme_cut

ENDS = ("sentence", "word", "character")
EAST = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"  # written without spaces
_EDGE = re.compile(rf"(?<=\s)|(?=\s)|(?=[{EAST}])|(?<=[{EAST}])")
INK = re.compile(r"\S")
_CLUSTER = regex.compile(r"\X")
_LONGEST = 1000  # characters; a longer run without an edge is no word


@dataclass(frozen=True)
class Cutting:
    """A text to be cut: the budget, what counts it, where cuts may fall, and what marks a gap."""

    text: str
    budget: int
    counter: TokenCounter
    ends: str
    marker: str = ""

    def write(self, spans: Sequence[Span]) -> str:
        """The kept spans as text, with the marker, or a line's end, in place of what is left out."""
        parts, at = [], 0
        gap = f" {self.marker} " if self.marker else "\n"
        for start, end in spans:
            if INK.search(self.text, at, start):
                parts.append(gap if at else gap.lstrip())
            parts.append(self.text[start:end])
            at = end
        if parts and INK.search(self.text, at):
            parts.append(gap.rstrip())
        return "".join(parts)

    def cost(self, spans: Sequence[Span]) -> int:
        """Tokens of the spans as written; nothing costs nothing."""
        return check_count("what the counter returns", self.counter(self.write(spans))) if spans else 0

    def tidy(self, spans: Sequence[Span]) -> list[Span]:
        """The spans without white space round them, those that touch merged, empty ones left out."""
        trimmed = [trim(self.text, start, end) for start, end in spans]
        return merge_spans(self.text, [(start, end) for start, end in trimmed if start < end])

    def extended(self, start: int, stop: int, others: Sequence[Span] = (), room: int | None = None) -> list[Span]:
        """The longest span from `start`, to `stop` at most, that fits beside the others; with them, in order."""
        return self._longest(stop - start, lambda length: (start, self._before(start + length, start)), others, room)

    def extended_back(self, start: int, stop: int, others: Sequence[Span] = ()) -> list[Span]:
        """The longest span that ends at `stop`, from `start` at the earliest; with the others, in order."""
        return self._longest(stop - start, lambda length: (self._after(stop - length, stop), stop), others, None)

    def _longest(self, limit: int, span: Callable[[int], Span], others: Sequence[Span], room: int | None) -> list[Span]:
        room = self.budget if room is None else room

        def cost(length: int) -> int:
            return self.cost(self.tidy([*others, span(length)]))

        most = 8 * (room + 1)
        while most < limit and cost(most) <= room:  # or a long text would be counted half by half
            most *= 2
        return self.tidy([*others, span(longest_run(cost, min(limit, most), room, 4 * room)[0])])

    @cached_property
    def _sentences(self) -> tuple[list[int], list[int]]:
        spans = sentence_spans(self.text)
        return [start for start, _ in spans], [end for _, end in spans]

    def _before(self, at: int, start: int) -> int:
        """The last place from `start` to `at` where a cut may fall; `start` if there is none."""
        if self.ends == "sentence" and at < len(self.text):
            ends = self._sentences[1]
            place = bisect_right(ends, at)
            return max(start, ends[place - 1]) if place else start
        place = at
        if self.ends == "word":
            while start < place < len(self.text) and not _EDGE.match(self.text, place):
                place -= 1
                if at - place > _LONGEST:
                    place = at
                    break
        return max(start, grapheme_cut(self.text, place, start))

    def _after(self, at: int, stop: int) -> int:
        """The first place from `at` to `stop` where a cut may fall; `stop` if there is none."""
        if self.ends == "sentence" and at > 0:
            starts = self._sentences[0]
            place = bisect_left(starts, at)
            return min(stop, starts[place]) if place < len(starts) else stop
        place = at
        if self.ends == "word":
            while 0 < place < stop and not _EDGE.match(self.text, place):
                place += 1
                if place - at > _LONGEST:
                    place = at
                    break
        return min(stop, grapheme_end(self.text, place))


def grapheme_end(text: str, place: int, start: int = 0) -> int:
    """The first place at or after `place` where no visible character is cut in two.

    start: a place known to be a boundary, not after `place`.

    >>> grapheme_end("cafe\\u0301 au lait", 4)
    5
    """
    cut = grapheme_cut(text, place, start)
    return cut if cut == place else _CLUSTER.match(text, cut).end()
