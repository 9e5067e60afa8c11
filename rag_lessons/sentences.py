"""Find the sentences of a text as spans.

Boundaries come from the library sentencex, which knows abbreviations, quotations, decimal points
and many scripts. Added here: a sentence also ends at a blank line and at a Markdown heading, list
item, table row or fence line. Language-specific rules other than English are not chosen.
"""

import re

from sentencex import get_sentence_boundaries

# Where a line opens a new unit although no full stop came before it: blank lines, then structure.
_OPENS = re.compile(r"\n(?=[^\S\n]*(?:\n|(?P<alone>#{1,6}[ \t]|```|~~~|\|)|[-*+][ \t]|\d{1,3}[.)][ \t]|>))")
_WIDE_SPACE = re.compile(r"[^\S\x00-\x7f]")
_WINDOW = 10_000  # characters
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
    cuts = {0, len(text)}
    length = len(text)
    for cut in _stops(text):
        while 0 < cut < length and text[cut] in "*_" and not text[cut - 1].isspace():
            cut += 1  # the sign that closes bold or italics stays with its sentence
        cuts.add(cut)
    alone = [0] if _ALONE.match(text) else []
    for match in _OPENS.finditer(text):
        cuts.add(match.end())
        if match["alone"]:
            alone.append(match.end())
    cuts.update(text.find("\n", start) + 1 for start in alone)
    edges = sorted(cuts)
    spans = []
    for start, end in zip(edges, edges[1:], strict=False):
        if body := text[start:end].strip():
            start = text.index(body[0], start)
            spans.append((start, start + len(body)))
    return spans


def _stops(text: str) -> list[int]:
    """Where sentences end, found window by window: on some marks sentencex takes quadratic time."""
    if len(text) <= _WINDOW and text.isascii():
        return [boundary["end_index"] for boundary in get_sentence_boundaries("en", text)]
    stops, at = [], 0
    while at < len(text):
        # Other white space than ASCII's before a full stop makes sentencex 1.0.32 panic.
        window = text[at : at + _WINDOW]
        window = window if window.isascii() else _WIDE_SPACE.sub(" ", window)
        ends = [boundary["end_index"] for boundary in get_sentence_boundaries("en", window)]
        if at + _WINDOW < len(text):
            ends = ends[:-1]  # the last one goes on behind the window
        stops += [at + end for end in ends]
        at += ends[-1] if ends else _WINDOW
    return stops


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
