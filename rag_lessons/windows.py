"""Slide a window of tokens over a text, each sharing a few tokens with the one before.

Works with any counter that does not fall as a text grows: the offline estimate, words, bytes, a
real tokenizer. Windows end at a word's end where they can, never inside a visible character.
Paragraphs and sentences are not looked at: see `chunking.py`.
"""

import re

from rag_lessons.chunking import Span, whole_grapheme
from rag_lessons.documents import check_text
from rag_lessons.tokens import TokenCounter, check_count, estimate_tokens, grapheme_cut

_CJK = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD_END = re.compile(rf"(?:[^\W{_CJK}]|[\u0300-\u036f])*")


def chunk_tokens(text: str, size: int = 100, overlap: int = 0, counter: TokenCounter = estimate_tokens) -> list[Span]:
    """Cut a text into windows of at most `size` tokens that share at most `overlap` tokens.

    size, overlap: in the counter's tokens, 0 <= overlap < size.

    Returns (start, end) pairs whose starts and ends both rise, so that no window lies inside
    another. Raises TypeError or ValueError for a size or an overlap that is no such number.

    >>> chunk_tokens("w1 w2 w3 w4 w5", size=3, overlap=1, counter=lambda text: len(text.split()))
    [(0, 8), (6, 14)]
    """
    check_count("size", size, least=1)
    check_count("overlap", overlap)
    if overlap >= size:
        raise ValueError(
            f"overlap must be smaller than size, or the window never moves; got overlap {overlap}, size {size}"
        )
    length = len(check_text("text", text).rstrip())
    start = _skip_space(text, 0, length)
    spans: list[Span] = []
    while start < length:
        end = _fill(text, start, length, size, counter)
        if spans and end <= spans[-1][1]:  # the overlap left no room for anything new: give some up
            start = _step(text, start, spans[-1][1])
            continue
        spans.append((start, end))
        start = _step_back(text, spans[-1], overlap, counter) if end < length else length
        start = _skip_space(text, start, length)
    return spans


def _fill(text: str, start: int, length: int, size: int, counter: TokenCounter) -> int:
    """The end of the longest window from `start` that costs at most `size`, without trailing space."""
    step = 4 * size  # gallop, then halve, so that the counter reads about one window each time
    low, high = start, min(start + step, length)
    while high < length and counter(text[start:high]) <= size:
        step *= 2
        low, high = high, min(high + step, length)
    if counter(text[start:high]) <= size:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if counter(text[start:middle]) <= size else (low, middle)
    cut = grapheme_cut(text, low, start)
    if cut <= start:
        return whole_grapheme(text, start, size, counter)
    if _WORD_END.match(text, cut, cut + 1).end() > cut:
        word = grapheme_cut(text, max(start, _word_start(text, start, cut)), start)
        cut = word if word > start else cut
    while text[cut - 1].isspace():
        cut -= 1
    return cut


def _word_start(text: str, start: int, cut: int) -> int:
    """Where the word that `cut` is inside of begins, if after `start`; else 0."""
    at = cut
    while at > start and _WORD_END.match(text, at - 1, at).end() == at:
        at -= 1
    return at if at > start else 0


def _step_back(text: str, span: Span, overlap: int, counter: TokenCounter) -> int:
    """Where the next window starts: as far back from the end as `overlap` tokens reach."""
    low, high = span
    if overlap == 0:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if counter(text[middle : span[1]]) <= overlap else (middle, high)
    word = high
    if _WORD_END.match(text, high - 1, high).end() == high:  # inside a word: begin at the next one
        word = _WORD_END.match(text, high, span[1]).end()
    word = _next_cut(text, word, span[0])
    return word if _skip_space(text, word, span[1]) < span[1] else _next_cut(text, high, span[0])


def _next_cut(text: str, at: int, start: int) -> int:
    """The first place at or after `at` where no visible character is cut; `start` is one before it."""
    while grapheme_cut(text, at, start) != at:
        at += 1
    return at


def _step(text: str, start: int, stop: int) -> int:
    """The place after the word or, where there is no space, the visible character at `start`."""
    end = _WORD_END.match(text, start, stop).end()
    end = end if start < end < stop else start + 1
    return _skip_space(text, _next_cut(text, end, start), len(text))


def _skip_space(text: str, start: int, stop: int) -> int:
    """The first place from `start` on that is no white space; a space that carries an accent is none."""
    at = start
    while at < stop and text[at].isspace():
        at += 1
    return grapheme_cut(text, at, start) if at < stop else at
