"""Summarize a text by keeping its best sentences: for finding it again, not for answering from it.

A summarizer is a function (text, sentences) -> `Summary`. `CentroidSummarizer` is the default;
`KeyTermSummarizer` scores by a hand-picked list of words. Both keep sentences unchanged and in
their order. Nothing is rephrased: that would take a model.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain
from math import sqrt
from operator import itemgetter
from typing import NamedTuple, Protocol

from rag_lessons.chunking import Span
from rag_lessons.sentences import fold, sentence_spans
from rag_lessons.terms import term_bags
from rag_lessons.tokens import TokenCounter, check_count, check_weight, estimate_tokens, grapheme_cut

_SPACE = re.compile(r"(?<=\S)\s")
_NOT_PROSE = re.compile(
    r"[ ]{0,3}(?:#{1,6}(?:\s|\Z)|\||\$\$)"  # a heading, a row of a table, mathematics
    # a link or a picture alone
    r"|(?:\s*(?:[-*+]|\d{1,3}[.)])\s+)?[*_]*!?\[(?:!\[[^\]\n]*\]\([^)\n]*\)|[^\]\n])*\]\([^)\n]*\)[*_]*\s*\Z"
    r"|\[[^\]\n]+\]:\s|---\n.*\n---\s*\Z|(?:<(?:!--.*?--|[/a-z][^>]*)>\s*)+\Z"  # a link's target, front matter, tags
    r"|[-*_!\s]+\Z",  # a rule, or what is left of a picture
    re.DOTALL,
)
_NOT_PROSE_BEGINS = frozenset("#|-*+$[!<_0123456789")  # so does all that `_NOT_PROSE` finds
_FENCED = re.compile(r"^[ \t>]*(`{3,}|~{3,})[^`\n]*(?:\Z|\n(?:.*?^[ \t>]*\1[`~]*[ \t]*$|.*))", re.DOTALL | re.MULTILINE)
_UNDERLINED = re.compile(  # a heading, or the first row of a table, with a rule below it
    r"[^\n]*\n[ ]{0,3}(?:=+|-+)\s*\Z|[^\n]*\|[^\n]*\n[ ]{0,3}[|:-][|: -]*--[|: -]*(?:\n|\Z)"
)
_CODE_LINE = re.compile(
    r"\s*+(?:>>> |\.\.\. |[\w.]++(?:, \w++)*+ = \S|[$] [a-z]"
    r"|(?:if|elif|else|for|while|try|except|finally|with|def|class|async)\b[^\n]*:\Z"
    r"|import [\w.]+\Z|from [\w.]+ import \S|(?:const|let|var) \w+ =)"
)
_CODE_SIGNS = (":", "=", ">", "{", "}", "$", "import ")  # without any of these, nothing is code


class Summary(NamedTuple):
    """The text of a summary, the spans it was taken from, and whether it was cut to fit."""

    text: str
    spans: tuple[Span, ...] = ()
    truncated: bool = False


class Summarizer(Protocol):
    """Shortens a text to at most `sentences` sentences; its `name` goes into the trace."""

    name: str

    def __call__(self, text: str, sentences: int) -> Summary:
        """Summarize a text."""


def prose_spans(text: str) -> list[Span]:
    """The sentences of a text without headings, tables, links alone, HTML, rules, fences and lines of code.

    Where nothing else is there, all of them: a text that is not blank always has some.

    >>> text = "# Plan\\n\\n| a | b |\\n\\nThe pump fails."
    >>> [text[start:end] for start, end in prose_spans(text)]
    ['The pump fails.']
    """
    spans, kept = sentence_spans(text), []
    signs = [sign for sign in _CODE_SIGNS if sign in text]  # none but these have to be looked for in a sentence
    fenced = [match.span() for match in _FENCED.finditer(text)][::-1] if "```" in text or "~~~" in text else []
    for start, end in spans:
        sentence = text[start:end]
        while fenced and fenced[-1][1] <= start:
            fenced.pop()
        if fenced and fenced[-1][0] <= start:
            continue
        if sentence[0] in _NOT_PROSE_BEGINS and _NOT_PROSE.match(sentence):
            continue
        if "\n" in sentence and ("-" in sentence or "=" in sentence) and _UNDERLINED.match(sentence):
            continue
        if not (signs and is_code(sentence, signs)):
            kept.append((start, end))
    return kept or spans


def is_code(text: str, signs: Iterable[str] = _CODE_SIGNS) -> bool:
    """Whether half of the lines or more read like code, told by how they begin or end.

    signs: those of `_CODE_SIGNS` that there may be in the text.

    >>> is_code("if wet:\\n    level = read()"), is_code("If wet, read the level.")
    (True, False)
    """
    if not any(map(text.__contains__, signs)):
        return False
    lines = text.splitlines()
    code = [line for line in lines if line.endswith(("{", "}")) or _CODE_LINE.match(line)]
    return 2 * len(code) >= len(lines)


class CentroidSummarizer:
    """Keep the sentences nearest to what the whole text is about, the first ones preferred.

    A sentence scores the mean weight of its different terms, a term's weight being the square
    root of its count in the text (a centroid, after Radev et al., 2004), plus `lead` for the
    first sentence and less for each later one.

    >>> CentroidSummarizer()("Gates rust. The gate motor lifts the gate. Birds nest.", 1).text
    'The gate motor lifts the gate.'
    """

    def __init__(self, lead: float = 0.2) -> None:
        check_weight("lead", lead)
        self.name, self.lead = "centroid", lead

    def scores(self, text: str, spans: list[Span] | None = None) -> list[tuple[Span, float]]:
        """The prose sentences of a text (`spans`, where they are known), each with its score, in order."""
        spans = prose_spans(text) if spans is None else spans
        bags = term_bags(text, spans)
        counts = Counter(chain.from_iterable(bags))
        weight = dict(zip(counts, map(sqrt, counts.values()), strict=True)).__getitem__
        # Six at least, so that a short sentence of one common word does not win.
        return [
            (span, sum(map(weight, bag)) / max(6, len(bag)) + self.lead / (1 + i))
            for i, (span, bag) in enumerate(zip(spans, bags, strict=True))
        ]

    def __call__(self, text: str, sentences: int) -> Summary:
        """Keep the best `sentences` sentences, in order."""
        check_count("sentences", sentences, least=1, unit="sentences")
        spans = prose_spans(text)
        if len(spans) <= sentences:  # nothing has to go, so nothing is scored
            return _summary(text, spans)
        return keep_best(text, self.scores(text, spans), sentences)


class KeyTermSummarizer:
    """Keep the sentences with the most key terms: 3 for each occurrence, 1 more for the first.

    key_terms: words that count. words: text -> its words. sentences: text -> its sentences.

    >>> KeyTermSummarizer({"pump"}, str.split, lambda text: text.split(". "))("A. the pump. B", 1).text
    'the pump'
    """

    def __init__(
        self, key_terms: Iterable[str], words: Callable[[str], list[str]], sentences: Callable[[str], list[str]]
    ) -> None:
        self.name, self.key_terms, self.words, self.sentences = "key terms", frozenset(key_terms), words, sentences

    def __call__(self, text: str, sentences: int) -> Summary:
        """Keep the best `sentences` sentences, in order, ties to the earlier."""
        check_count("sentences", sentences, least=1, unit="sentences")
        found = self.sentences(fold(text))
        scores = [3 * sum(w in self.key_terms for w in self.words(s)) + (i == 0) for i, s in enumerate(found)]
        best = sorted(range(len(found)), key=lambda i: (-scores[i], i))[:sentences]
        return Summary(" ".join(found[i] for i in sorted(best)))


def keep_best(text: str, scored: list[tuple[Span, float]], sentences: int) -> Summary:
    """Keep the best-scored sentences in text order; ties go to the earlier one.

    Raises TypeError or ValueError where `sentences` is no whole number, 1 or more.

    >>> keep_best("One. Two. Three.", [((0, 4), 1.0), ((5, 9), 3.0), ((10, 16), 2.0)], 2).text
    'Two. Three.'
    """
    check_count("sentences", sentences, least=1, unit="sentences")
    best = sorted(scored, key=itemgetter(1), reverse=True)[:sentences]  # stable: ties stay in order
    return _summary(text, sorted(span for span, _ in best))


def _summary(text: str, spans: list[Span]) -> Summary:
    # No space where the text has none: a summary is never longer than its text.
    parts, at = [], -1
    for start, end in spans:
        parts.append(text[start:end] if start == at else " " + text[start:end])
        at = end
    return Summary(fold("".join(parts)), tuple(spans))


def cut_to_budget(summary: Summary, budget: int, counter: TokenCounter = estimate_tokens) -> Summary:
    """Cut a summary at a word so that it costs at most `budget` tokens, and mark it as truncated.

    >>> cut_to_budget(Summary("one two three four"), 2, lambda text: len(text.split()))
    Summary(text='one two', spans=(), truncated=True)
    """
    check_count("budget", budget)
    text = summary.text
    if counter(text) <= budget or not text:
        return summary
    ends = [match.start() for match in _SPACE.finditer(text)]
    fitting = bisect_right(ends, budget, key=lambda end: counter(text[:end]))
    cut = ends[fitting - 1] if fitting else _cut_in_word(text, budget, counter)
    return Summary(text[:cut], summary.spans if cut else (), True)


def _cut_in_word(text: str, budget: int, counter: TokenCounter) -> int:
    """The last end of a visible character up to which the text costs at most `budget` tokens."""
    cut = bisect_right(range(1, len(text)), budget, key=lambda end: counter(text[:end]))
    cut = grapheme_cut(text, cut)
    while cut and counter(text[:cut]) > budget:
        cut = grapheme_cut(text, cut - 1)
    return cut
