"""Cut a text into chunks: spans of characters, none over a hard cap.

A chunk is a pair (start, end) into the text, so nothing is re-joined, normalized or searched for
again. Cuts fall back from paragraph to sentence to word to visible character. The spans hold every
character that is not white space, once. A single visible character larger than the cap is kept
whole, with an `OversizeWarning`. Windows of tokens are `windows.py`'s work, Markdown structure is
`markdown.py`'s.
"""

import re
import warnings

from rag_lessons.sentences import sentence_spans
from rag_lessons.tokens import TokenCounter, check_count, grapheme_cut

Span = tuple[int, int]

_SPACED_LINE = re.compile(r"\n[^\S\n]+(?=\n)")
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*")
_LAST_STOP = re.compile(r".*[.!?\u2026\u3002\uff01\uff1f]", re.DOTALL)
_AFTER_STOP = re.compile(r"[\"'\u2019\u201d)\]]*(?=\s+[^\sa-z])")
_CJK_STOPS = "\u3002\uff01\uff1f"


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
    return _SPACED_LINE.sub(lambda match: "\n" * len(match[0]), text)


def chunk_paragraphs(text: str, target: int = 420) -> list[Span]:
    """Group paragraphs while they fit; cut one that does not by sentence, word, character.

    target: the cap of a chunk, in characters, what stands between its paragraphs included.

    Returns (start, end) pairs, in time linear in the text. A paragraph over the target may begin
    in the chunk before it, with as many of its sentences as fit. Raises TypeError or ValueError
    for a target that is no whole number, 1 or more.

    >>> chunk_paragraphs("A first.\\n\\nA second.\\n\\nA third.", target=20)
    [(0, 19), (21, 29)]
    """
    check_count("target", target, least=1, unit="characters")
    spans: list[Span] = []
    shape, length = _blank_shape(text), len(text.rstrip())
    at = _BLANK_LINES.match(text).end()
    while at < length:
        limit = at + target
        if limit >= length:
            spans.append((at, length))
            break
        gap = shape.rfind("\n\n", at, limit + 2)
        if gap > at:
            end = gap
            follows = gap + 2
            if limit - follows > 0 and shape.find("\n\n", follows, follows + target + 2) < 0 and follows + target < length:
                end = max(gap, _sentence_cut(text, follows, limit))
        else:
            end = _sentence_cut(text, at, limit) or _word_cut(text, at, limit)
        stop = end
        while text[stop - 1].isspace():
            stop -= 1
        spans.append((at, stop))
        at = end
        if text[at].isspace():
            at = _next_start(text, shape, at)
    return spans


def _next_start(text: str, shape: str, at: int) -> int:
    """The first place after white space at `at`, an indent at a line's start kept."""
    if shape.startswith("\n\n", at):
        at += 2
        return at if not text[at].isspace() else _BLANK_LINES.match(text, at).end()
    while text[at].isspace():
        at += 1
    return at


def _sentence_cut(text: str, start: int, limit: int) -> int:
    """The last end of a sentence in (start, limit], told by its stop and what follows; 0 if none.

    Cheaper than `sentence_spans` and more careful: a stop before a small letter is passed over.
    """
    end = limit
    while stop := _LAST_STOP.match(text, start, end):
        end = stop.end()
        if text[end - 1] in _CJK_STOPS:
            return end
        if (closing := _AFTER_STOP.match(text, end)) and closing.end() <= limit:
            return closing.end()
        end -= 1
    return 0


def _word_cut(text: str, start: int, limit: int) -> int:
    """The last white space in (start, limit], else the last boundary of a visible character."""
    for cut in range(limit, start, -1):
        if text[cut].isspace():
            return cut
    cut = grapheme_cut(text, limit, start)
    return cut if cut > start else whole_grapheme(text, start, limit - start, len)


def whole_grapheme(text: str, start: int, size: int, counter: TokenCounter) -> int:
    """The end of the visible character at `start`, with a warning that it is over the size."""
    end = start + 1
    while grapheme_cut(text, end, start) != end:
        end += 1
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
