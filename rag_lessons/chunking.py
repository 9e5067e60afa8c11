"""Cut a text into chunks: spans of characters, none over a hard cap.

A chunk is a pair (start, end) into the text, so nothing is re-joined, normalized or searched for
again. Cuts fall back from paragraph to sentence to word to visible character. The spans hold every
character that is not white space, once. A single visible character larger than the cap is kept
whole, with an `OversizeWarning`. Windows of tokens are `windows.py`'s work, Markdown structure is
`markdown.py`'s.
"""

import re
import warnings

import regex

from rag_lessons.sentences import sentence_spans
from rag_lessons.tokens import TokenCounter, check_count, grapheme_cut

Span = tuple[int, int]

_SPACED_LINES = re.compile(r"\n[^\S\n]\s*\n")
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*")
_EAST_STOPS = "\u3002\uff01\uff1f"
_STOPS = ".!?\u2026" + _EAST_STOPS
_SENTENCE_END = re.compile(r"[.!?\u2026][\"'\u2019\u201d)\]]*(?=\s++[^\sa-z])")
_LAST_SPACE = re.compile(r".*\s", re.DOTALL)
_GRAPHEME = regex.compile(r"\X")


class OversizeWarning(UserWarning):
    """A chunk costs more than the cap because one visible character alone does."""


def paragraph_spans(text: str) -> list[Span]:
    """Find the paragraphs of a text: what stands between blank lines, which may hold spaces.

    Returns (start, end) pairs without trailing white space; an indent of the first line stays.

    >>> paragraph_spans("one\\n \\n  two ")
    [(0, 3), (6, 11)]
    """
    spans, at, shape = [], 0, _blank_shape(text)
    while at < len(text):
        start = _BLANK_LINES.match(text, at).end()
        at = shape.find("\n\n", start)
        at = len(text) if at < 0 else at
        end = start + len(text[start:at].rstrip())
        if end > start:
            spans.append((start, end))
    return spans


def _blank_shape(text: str) -> str:
    """The text with white space on blank lines written as line ends: same length, easy to search."""
    return _SPACED_LINES.sub(lambda match: "\n" * len(match[0]), text)


def chunk_paragraphs(text: str, target: int = 420) -> list[Span]:
    """Group paragraphs while they fit; cut one that does not by sentence, word, character.

    target: the cap of a chunk, in characters, what stands between its paragraphs included.

    Returns (start, end) pairs, in time linear in the text. A paragraph over the target may begin
    in the chunk before it, with as many of its sentences as fit. Raises TypeError or ValueError
    for a target that is no whole number, 1 or more. A text is not searched for half characters: a
    `Document` cannot hold any.

    >>> chunk_paragraphs("A first.\\n\\nA second.\\n\\nA third.", target=20)
    [(0, 19), (21, 29)]
    """
    check_count("target", target, least=1, unit="characters")
    spans: list[Span] = []
    shape, length = _blank_shape(text), len(text)
    while length and text[length - 1].isspace():
        length -= 1
    stops = [stop for stop in _STOPS if stop in text]
    at = _BLANK_LINES.match(text).end() if text[:1].isspace() else 0
    add, last_gap, reach = spans.append, shape.rfind, target + 2  # the loop runs once a chunk: names looked up once
    gap = last_gap("\n\n", at, at + reach)
    while (limit := at + target) < length:
        if gap > 0:
            end, after = gap, gap + 2
            while shape[after] == "\n":
                after += 1
            gap = last_gap("\n\n", after, after + reach)
            long = gap < 0 and after < limit and after + target < length  # the paragraph that follows
            cut = long and _sentence_cut(text, after, limit, stops)
        else:
            end = cut = _sentence_cut(text, at, limit, stops) or _word_cut(text, at, limit)
        if cut:
            end = after = cut
            while text[after : after + 1].isspace():
                after += 1
            if text[after : after + 1] > "\x7f":  # a mark may belong to the white space before it
                after = grapheme_cut(text, after, cut)
            gap = last_gap("\n\n", after, after + reach)
        while text[end - 1].isspace() and end > at:
            end -= 1
        if end > at:  # an indent as wide as the target holds nothing to keep
            add((at, end))
        at = after
    if at < length:
        add((at, length))
    return spans


def _sentence_cut(text: str, start: int, limit: int, stops: list[str]) -> int:
    """The last end of a sentence in (start, limit], told by its stop and what follows; 0 if none.

    Cheaper than `sentence_spans` and more careful: a stop before a small letter is passed over.
    """
    last = start
    for stop in stops:
        at, ending = limit, _GRAPHEME if stop in _EAST_STOPS else _SENTENCE_END
        while (at := text.rfind(stop, last, at)) >= 0:
            if (match := ending.match(text, at)) and match.end() <= limit:
                last = match.end()
                break
    return last if last > start else 0


def _word_cut(text: str, start: int, limit: int) -> int:
    """The last white space in (start, limit], else the last boundary of a visible character."""
    if space := _LAST_SPACE.match(text, start + 1, limit + 1):
        return space.end() - 1
    cut = grapheme_cut(text, limit, start)
    return cut if cut > start else whole_grapheme(text, start, limit - start, len)


def whole_grapheme(text: str, start: int, size: int, counter: TokenCounter) -> int:
    """The end of the visible character at `start`, with a warning that it is over the size."""
    room = 64  # a slice, because the search looks back as far as it can where flags stand in a row
    while (length := _GRAPHEME.match(text[start : start + room]).end()) == room:
        room *= 2
    end = start + length
    warnings.warn(
        f"the character at offset {start} costs {counter(text[start:end])}, over the size of {size}; kept whole",
        OversizeWarning,
        stacklevel=3,
    )
    return end


def chunk_sentences(text: str, target: int = 420) -> list[Span]:
    """Group sentences while they fit into `target` characters, whatever the paragraphs.

    Returns spans as `chunk_paragraphs` does; a sentence over the target is cut by word.

    >>> chunk_sentences("One is here. Two is there. Three.", target=26)
    [(0, 26), (27, 33)]
    """
    check_count("target", target, least=1, unit="characters")
    units = []
    for start, end in sentence_spans(text):
        units += split_span(text, start, end, target)
    return group_spans(units, target)


def split_span(text: str, start: int, end: int, target: int) -> list[Span]:
    """Cut one span of a text as `chunk_paragraphs` does, where it is over the target.

    >>> split_span("one two three", 4, 13, 5)
    [(4, 7), (8, 13)]
    """
    if end - start <= target:
        return [(start, end)]
    return [(start + s, start + e) for s, e in chunk_paragraphs(text[start:end], target)]


def group_spans(units: list[Span], target: int) -> list[Span]:
    """Join neighbouring spans while first start to last end is at most `target` characters.

    >>> group_spans([(0, 2), (3, 5), (6, 8)], 5)
    [(0, 5), (6, 8)]
    """
    check_count("target", target, least=1, unit="characters")
    groups: list[Span] = []
    for start, end in units:
        if groups and end - groups[-1][0] <= target:
            groups[-1] = (groups[-1][0], end)
        else:
            groups.append((start, end))
    return groups
