"""Turn a text into terms: the words that searching, summarizing and measuring compare.

Terms are folded to lower case, normalized (NFC), stemmed in English, and Chinese, Japanese and
Korean runs become pairs of characters, so that no word list is needed. Meaning is not looked at:
embeddings come in a later lesson.
"""

import re
import unicodedata
from collections.abc import Iterable

import snowballstemmer

STOP_WORDS = frozenset(
    "a about all also am an and any are as at be because been being but by can could did do does doing for from "
    "had has have how i if in into is it its may me more most must my no nor not of on one or our out own shall "
    "she should so some such than that the their them then there these they this those to too us was we were "
    "what when where which while who whom whose why will with would you your".split()
)
_INVISIBLE = re.compile("[\u200b\u00ad\u2060\ufeff]")
_EAST = "\u2e80-\u2fdf\u3005-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TERM = re.compile(rf"[{_EAST}]+|(?:(?![{_EAST}])[^\W_])+(?:[\u0300-\u036f\u200c\u200d](?:(?![{_EAST}])[^\W_])*)*")
_SPECIAL = re.compile(f"[{_EAST}\u0300-\u036f\u200c\u200d]")
_WORD = re.compile(r"[^\W_]+")
# Small letters and digits stay, capitals become small, all else a space: quicker than a pattern.
_ASCII_WORDS = "".join(chr(i).lower() if chr(i).isalnum() else " " for i in range(128))
_SIGNS = "\u2018\u2019\u201c\u201d\u2013\u2014\u2026"  # the quotation marks, dashes and dots of plain English
_STEMMER = snowballstemmer.stemmer("english")


def terms(text: str) -> list[str]:
    """List the terms of a text in order, repeats kept, stop words left out.

    >>> terms("The pumps were failing at 3.5 bar"), terms("漢字文")
    (['pump', 'fail', '3', '5', 'bar'], ['漢字', '字文'])
    """
    if (plain := _without_signs(text)).isascii():
        return list(filter(None, map(_term, plain.translate(_ASCII_WORDS).split())))
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", text).lower())
    if not _SPECIAL.search(text):
        return list(filter(None, map(_term, _WORD.findall(text))))
    found = []
    for word in _TERM.findall(text):
        if word[0] >= "\u2e80" and re.match(f"[{_EAST}]", word):
            found += [word[i : i + 2] for i in range(len(word) - 1)] or [word]
        elif term := _term(word):
            found.append(term)
    return found


def term_bags(text: str, spans: Iterable[tuple[int, int]]) -> list[dict[str, None]]:
    """The different terms of each span of a text, as the keys of a dictionary, in order.

    >>> [list(bag) for bag in term_bags("A pump, the pump. Seals fail.", [(0, 17), (18, 29)])]
    [['pump'], ['seal', 'fail']]
    """
    plain = _without_signs(text)
    if not plain.isascii():
        return [dict.fromkeys(terms(text[start:end])) for start, end in spans]
    words = plain.translate(_ASCII_WORDS)  # as long as the text, so that the spans hold here, too
    bags = [dict.fromkeys(map(_term, words[start:end].split())) for start, end in spans]
    for bag in bags:
        bag.pop("", None)
    return bags


def _without_signs(text: str) -> str:
    """The text with a space for each of `_SIGNS`, for the quick way of ASCII."""
    if not text.isascii():
        for sign in _SIGNS:
            text = text.replace(sign, " ")
    return text


class _Terms(dict):
    """Word -> its term, "" for a stop word: stems are costly to find and quick to look up."""

    def __missing__(self, word: str) -> str:
        if len(self) >= 1 << 17:
            self.clear()
        self[word] = term = "" if word in STOP_WORDS else stem(word)
        return term


_term = _Terms().__getitem__


def stem(word: str) -> str:
    """The English stem of a lower-case word; words with digits stay as they are.

    >>> stem("failures"), stem("v2")
    ('failur', 'v2')
    """
    return _STEMMER.stemWord(word) if word.isalpha() else word
