"""Find the sentences of a text as spans.

Boundaries come from the library sentencex, which knows abbreviations, quotations, decimal points
and many scripts. Added here: a sentence also ends at a blank line and at a Markdown heading, list
item, table row or fence line. Language-specific rules other than English are not chosen.
"""

import re
import string
from itertools import accumulate, pairwise

import regex
from sentencex import get_sentence_boundaries, segment

from rag_lessons.documents import check_text

# Where a line opens a new unit although no full stop came before it: blank lines, then structure.
_OPENS = re.compile(r"\n(?=[^\S\n]*+(?:\n|(?P<alone>#{1,6}[ \t]|```|~~~|\|)|[-*+][ \t]|\d{1,3}[.)][ \t]|>))")
_WIDE_SPACES = (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_WINDOW = 10_000  # characters
_WHOLE = 10_240  # bytes that `segment` reads at once; where it has to begin anew, it loses white space
# Accents and joiners belong to what stands before them, even to a space.
_MARK = regex.compile(r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]+")
_CARRIED = regex.compile(r"\p{Zs}[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]")
# Where sentencex sees an end and there is none: inside "../a" and ".x", and in "approx. 3".
_GOES_ON = regex.compile(
    r"(?<=\.)[a-z0-9/]|(?<=(?:\s|^)\.)[A-Z]|(?<=\b(?i:"
    r"approx|avg|chap|ch|eds|ed|eqs|eq|est|figs|incl|max|refs|resp|sect|tbsp|tel|tsp|vols|vol"
    r")\.\s{1,80})[a-z0-9(]"
)
_SMALL = frozenset("/(" + string.digits + string.ascii_lowercase)
# A sentence in brackets, and where the next one starts: sentencex ends none inside or right behind them.
_BRACKETED = re.compile(r"[(\[][^()\[\]]*[.!?][\"'\u2019\u201d]?[)\]]\s+(?=[^\sa-z])")
_ALONE = re.compile(r"[^\S\n]*(?:#{1,6}[ \t]|```|~~~|\|)")  # such a line ends with itself, too


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Split a text into sentences.

    text: any text, blank ones included.

    Returns (start, end) pairs in characters, in order, without outer white space; together they
    hold every character that is not white space, once. Raises ValueError for half a character.

    >>> text = "Dr. Vale measured 3.5 bar. Then she left."
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['Dr. Vale measured 3.5 bar.', 'Then she left.']
    """
    check_text("text", text)
    padded = text + " "
    stops = [
        s
        for s in _stops(text)
        # The first tests are cheap and true of all that the pattern finds.
        if not (
            ((padded[s - 1] == "." and padded[s] > " ") or (padded[s] in _SMALL and padded[s - 2] in ". \t"))
            and _GOES_ON.match(text, s)
        )
    ]
    if "*" in text or "_" in text:
        stops = [_closed(text, stop) if padded[stop] in "*_" else stop for stop in stops]
    if not text.isascii():
        stops = [mark.end() if padded[stop] > "\x7f" and (mark := _MARK.match(text, stop)) else stop for stop in stops]
    cuts = {0, len(text), *stops}
    if _ALONE.match(text):
        cuts.add(text.find("\n") + 1)
    for match in _OPENS.finditer(text):
        cuts.add(start := match.end())
        if match["alone"]:
            cuts.add(text.find("\n", start) + 1)
    if "(" in text or "[" in text:
        for start in [cut for cut in cuts if padded[cut] in "(["]:  # and those that follow in a row
            while (match := _BRACKETED.match(text, start)) and (start := match.end()) not in cuts:
                cuts.add(start)
    spans = []
    for start, end in pairwise(sorted(cuts)):
        if body := text[start:end].lstrip():
            at = end - len(body)
            spans.append((at if body[0] < "\x7f" else _with_space(text, at, start), at + len(body.rstrip())))
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
    """Where sentencex ends sentences. The pieces of `segment`, joined, are the text up to `_WHOLE`, and cost less."""
    if len(text.encode()) <= _WHOLE:
        return list(accumulate(map(len, segment("en", text))))
    return [boundary["end_index"] for boundary in get_sentence_boundaries("en", text)]


def _closed(text: str, stop: int) -> int:
    """The place behind the signs at `stop` that close bold or italics: they stay with their sentence."""
    while 0 < stop < len(text) and text[stop] in "*_" and not text[stop - 1].isspace():
        stop += 1
    return stop


def _with_space(text: str, at: int, start: int) -> int:
    """The place `at`, or one before it where a space, not before `start`, carries the accent at `at`."""
    return at - bool(at > start and text[at : at + 1] > "\x7f" and _CARRIED.match(text, at - 1))


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends of a span inwards over white space; a blank span comes back empty.

    White space that carries an accent stays, as in chunks and sentences.

    >>> trim("  a b ", 0, 6)
    (2, 5)
    """
    at = start
    while at < end and text[at].isspace():
        at += 1
    while end > at and text[end - 1].isspace():
        end -= 1
    return _with_space(text, at, start) if at < end else at, end


def fold(text: str) -> str:
    """Put every run of white space down as one space, for showing a text on one line.

    >>> fold(" one\\n  two ")
    'one two'
    """
    return " ".join(text.split())
