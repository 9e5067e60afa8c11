"""Find the sentences of a text as spans.

Boundaries come from the library sentencex, which knows abbreviations, quotations, decimal points
and many scripts. Added here: a sentence also ends at a blank line and at a Markdown heading, list
item, table row or fence line. Language-specific rules other than English are not chosen.
"""

import re
from itertools import accumulate, pairwise

from sentencex import get_sentence_boundaries, segment

# Where a line opens a new unit although no full stop came before it: blank lines, then structure.
_OPENS = re.compile(r"\n(?=[^\S\n]*(?:\n|(?P<alone>#{1,6}[ \t]|```|~~~|\|)|[-*+][ \t]|\d{1,3}[.)][ \t]|>))")
_WIDE_SPACES = (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_WINDOW = 10_000  # characters
_SHORT = 1_000  # characters
_ALONE = re.compile(r"[^\S\n]*(?:#{1,6}[ \t]|```|~~~|\|)")  # such a line ends with itself, too


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Split a text into sentences.

    text: any text, blank ones included.

    Returns (start, end) pairs in characters, in order, without outer white space; together they
    hold every character that is not white space, once.

    >>> text = "Dr. Vale measured 3.5 bar. Then she left."
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['Dr. Vale measured 3.5 bar.', 'Then she left.']
    """
    stops = _stops(text)
    if "*" in text or "_" in text:
        padded = text + " "
        stops = [_closed(text, stop) if padded[stop] in "*_" else stop for stop in stops]
    cuts = {0, len(text), *stops}
    alone = [0] if _ALONE.match(text) else []
    for match in _OPENS.finditer(text):
        cuts.add(match.end())
        if match["alone"]:
            alone.append(match.end())
    cuts.update(text.find("\n", start) + 1 for start in alone)
    edges = sorted(cuts)
    spans = []
    for start, end in pairwise(edges):
        if body := text[start:end].strip():
            start = text.index(body[0], start)
            spans.append((start, start + len(body)))
    return spans


def _stops(text: str) -> list[int]:
    """Where sentences end, found window by window: on some marks sentencex takes quadratic time."""
    if len(text) <= _WINDOW and text.isascii():
        return _ends(text)
    stops, at = [], 0
    while at < len(text):
        window = text[at : at + _WINDOW]
        for space in "" if window.isascii() else _WIDE_SPACES:  # before a full stop, sentencex 1.0.32 panics
            window = window.replace(space, " ")
        ends = _ends(window)
        if at + _WINDOW < len(text):
            ends = ends[:-1]  # the last one goes on behind the window
        stops += [at + end for end in ends]
        at += ends[-1] if ends else _WINDOW
    return stops


def _ends(text: str) -> list[int]:
    """Where sentencex ends sentences. Its pieces, joined, are the text, and cost less while they are few."""
    if len(text) < _SHORT:
        return list(accumulate(map(len, segment("en", text))))
    return [boundary["end_index"] for boundary in get_sentence_boundaries("en", text)]


def _closed(text: str, stop: int) -> int:
    """The place behind the signs at `stop` that close bold or italics: they stay with their sentence."""
    while 0 < stop < len(text) and text[stop] in "*_" and not text[stop - 1].isspace():
        stop += 1
    return stop


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends of a span inwards over white space; a blank span comes back empty.

    >>> trim("  a b ", 0, 6)
    (2, 5)
    """
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def fold(text: str) -> str:
    """Put every run of white space down as one space, for showing a text on one line.

    >>> fold(" one\\n  two ")
    'one two'
    """
    return " ".join(text.split())
