"""Read what kind of document it is: its size, its sections, and what makes it hard to read in parts.

The parser of `markdown.py` says what a heading is, so neither a comment in code nor a table's rule
is one. What to do with a document is decided in `strategies.py`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from os.path import commonprefix
from typing import NamedTuple

from rag_lessons.documents import Document, check_documents, check_text
from rag_lessons.markdown import Block, heading_title, markdown_blocks
from rag_lessons.terms import terms
from rag_lessons.tokens import TokenCounter, estimate_tokens

MANY_SECTIONS, MANY_TOKENS = 10, 50_000
_OPENINGS = re.compile(r"\b(?:introduction|abstract|summary|conclusions?)\b", re.IGNORECASE)
_MATHEMATICS = re.compile(
    r"\$\$.+?\$\$|\\\((?:(?!\\\().)+?\\\)|\\\[(?:(?!\\\[).)+?\\\]|\\begin\{"
    r"|\$(?=[^\s$][^$\n]*\$)[^$\n]*\\[a-z]|[\u2211\u222b\u221a\u2202]",
    re.DOTALL,
)  # none reads on over the next opening, so that many that are not closed take no longer
_NUMBERED = re.compile(r"\b(?:section|chapter|part)\s+(\d+(?:\.\d+)*)|\u00a7\s*(\d+(?:\.\d+)*)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


class Section(NamedTuple):
    """A heading and what stands below it, up to the next heading; an empty title before the first."""

    doc_id: str
    title: str
    level: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found in one document or several together.

    tokens: of all texts. points: one for each of tables, code, mathematics, more than 10 sections
    with a heading, more than 50,000 tokens; `reasons` names them.
    """

    tokens: int
    sections: tuple[Section, ...]
    reasons: tuple[str, ...]

    @property
    def points(self) -> int:
        """How many of the five make it hard, 0 to 5."""
        return len(self.reasons)

    @property
    def complexity(self) -> str:
        """ "simple" with no point, "moderate" with 1 or 2, "complex" from 3 on."""
        return "simple" if not self.points else "moderate" if self.points < 3 else "complex"


def analyse(documents: Document | Iterable[Document], counter: TokenCounter = estimate_tokens) -> Analysis:
    """Count a document's tokens, find its sections, and say what makes it complex, in time linear in its text.

    documents: one, or several that are asked together.

    >>> found = analyse(Document("a.md", "# Gates\\n\\nThey rust.\\n\\n```\\n# no heading\\n```"))
    >>> [section.title for section in found.sections], found.complexity, found.reasons
    (['Gates'], 'moderate', ('code',))
    """
    documents = check_documents([documents] if isinstance(documents, Document) else documents)
    sections: list[Section] = []
    kinds: set[str] = set()
    for document in documents:
        blocks = markdown_blocks(document.text)
        sections += _sections(document, blocks)
        kinds |= {block.kind for block in blocks}
        if "mathematics" not in kinds and _has_mathematics(document.text, blocks):
            kinds.add("mathematics")
    tokens = sum(counter(document.text) for document in documents if document.text)
    reasons = [kind for kind in ("table", "code", "mathematics") if kind in kinds]
    if (headed := sum(section.level > 0 for section in sections)) > MANY_SECTIONS:
        reasons.append(f"{headed} sections")
    if tokens > MANY_TOKENS:
        reasons.append(f"{tokens:,} tokens")
    return Analysis(tokens, tuple(sections), tuple(reasons))


def _has_mathematics(text: str, blocks: list[Block]) -> bool:
    return any(block.kind != "code" and _MATHEMATICS.search(text, block.start, block.end) for block in blocks)


def _sections(document: Document, blocks: list[Block]) -> list[Section]:
    """The sections of a text; together they hold every character from the first block on."""
    heads = [block for block in blocks if block.kind == "heading"]
    starts = [(block.start, block.level, heading_title(document.text, block)) for block in heads]
    if blocks and (not heads or heads[0].start > blocks[0].start):
        starts.insert(0, (blocks[0].start, 0, ""))
    edges = [start for start, _, _ in starts] + [len(document.text)]
    spans = [(start, start + len(document.text[start:end].rstrip())) for start, end in pairwise(edges)]
    return [
        Section(document.doc_id, title, level, *span) for (_, level, title), span in zip(starts, spans, strict=True)
    ]


def question_words(question: str) -> list[str]:
    """The beginnings of the question's words that may match: of words longer than three letters, or pairs of CJK.

    Endings are left off, so that "pumps" finds "pump"; stop words are left out.

    >>> question_words("Which companies own the pumps?")
    ['compan', 'pump']
    """
    found = []
    for word in _WORD.findall(check_text("question", question).lower()):
        if len(word) > 3 or not word.isascii():
            found += [commonprefix([word, term.removesuffix("i")]) or term for term in terms(word)]
    return list(dict.fromkeys(found))


def word_pattern(words: Iterable[str]) -> str:
    """A pattern that finds words that begin so, or pairs of CJK anywhere; none at all for no words.

    >>> word_pattern(["pump"])
    '\\\\bpump'
    """
    return "|".join(rf"\b{re.escape(word)}" if word.isascii() else re.escape(word) for word in words) or "(?!)"


def section_scores(sections: Iterable[Section], texts: dict[str, str], question: str) -> list[float]:
    """Score sections for a question: 0.5 for each word of it, 2 for each in the heading, 1 for a summary's heading.

    texts: doc_id -> text. A section whose number the question names ("section 3") is worth all of them together.

    >>> text = "# Gates\\n\\nGates rust.\\n\\n# Summary\\n\\nAll is well."
    >>> section_scores(analyse(Document("a.md", text)).sections, {"a.md": text}, "Do gates rust?")
    [3.5, 1.0]
    """
    sections = list(sections)
    words = question_words(question)
    pattern = re.compile(word_pattern(words))
    scores = []
    for section in sections:
        body = len(pattern.findall(texts[section.doc_id][section.start : section.end].lower()))
        title = len(pattern.findall(section.title.lower()))
        scores.append(0.5 * body + 2.0 * title + bool(_OPENINGS.search(section.title)))
    named = set(named_sections(question, sections))
    most = sum(scores) + 1
    return [most if i in named else score for i, score in enumerate(scores)]


def named_sections(question: str, sections: Iterable[Section]) -> list[int]:
    """Places of the sections that a question points at: by number, as in "section 3", where a title begins with it.

    >>> sections = [Section("a", "1 Gates", 1, 0, 9), Section("a", "2 Terns", 1, 9, 19)]
    >>> named_sections("What does section 2 say?", sections)
    [1]
    """
    numbers = {a or b for a, b in _NUMBERED.findall(question)}
    titles = [re.match(r"\W*(?:section|chapter|part)?\s*(\d+(?:\.\d+)*)", s.title, re.IGNORECASE) for s in sections]
    return [i for i, match in enumerate(titles) if match and match[1] in numbers]
