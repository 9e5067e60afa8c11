"""What the parts of a long text gave for a question: written down, told from nothing, and rid of repeats.

A model says that a part holds nothing by a marker. A text may hold that word, too, so it is chosen
for the run, and counts only where it is the first line of the answer, alone.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from rag_lessons.chunking import Span
from rag_lessons.context import fence
from rag_lessons.extractive import NOTHING
from rag_lessons.sentences import fold, sentence_spans


class Finding(NamedTuple):
    """What one part of a text gave for the question. label: which part. span: of its document."""

    label: str
    doc_id: str
    span: Span
    text: str


def free_marker(texts: Iterable[str]) -> str:
    """A marker for "nothing here" that stands in none of the texts, so that no text can say it.

    >>> free_marker(["The marker NO_RELEVANT_INFO is a word."])
    'NO_RELEVANT_INFO_2'
    """
    found = re.findall(rf"{NOTHING}(?:_([0-9]{{1,9}}))?", "\n".join(texts), re.IGNORECASE)
    taken = {beginning for digits in found for beginning in accumulate(digits)}  # "_25" holds "_2"
    number = 2
    while str(number) in taken:
        number += 1
    return f"{NOTHING}_{number}" if found else NOTHING


def is_nothing(answer: str, marker: str) -> bool:
    """Whether an answer's first line is the marker and nothing else; a marker inside an answer is text.

    >>> is_nothing("no_relevant_info.", NOTHING), is_nothing("It writes NO_RELEVANT_INFO.", NOTHING)
    (True, False)
    """
    first = answer.strip().partition("\n")[0]
    return first.strip(" .!*`'\"").lower() == marker.lower()


def without_repeats(findings: Sequence[Finding]) -> list[Finding]:
    """Findings of parts that overlap, without the sentences that the part before gave already.

    >>> a = Finding("1", "a", (0, 9), "Gates rust. Terns nest.")
    >>> [f.text for f in without_repeats([a, a._replace(span=(5, 14), text="Terns nest. Seals sing.")])]
    ['Gates rust. Terns nest.', 'Seals sing.']
    """
    kept: list[Finding] = []
    for finding in findings:
        before = kept[-1] if kept else None
        if before and before.doc_id == finding.doc_id and finding.span[0] < before.span[1]:
            # Whole sentences, since "It is false that gates rust." does not say "gates rust."
            seen = {fold(sentence) for sentence in _sentences(before.text)}
            finding = finding._replace(text=" ".join(s for s in _sentences(finding.text) if fold(s) not in seen))
        if finding.text:
            kept.append(finding)
    return kept


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def write_findings(findings: Sequence[Finding]) -> str:
    """Findings under numbered labels, whose bars are longer than any in a finding.

    >>> write_findings([Finding("a.txt, part 1 of 1", "a", (0, 9), "Gates rust.")])
    '=== [1] a.txt, part 1 of 1 ===\\nGates rust.'
    """
    bar = fence("\n".join(part for finding in findings for part in (finding.label, finding.text)))
    return "\n".join(f"{bar} [{n}] {f.label} {bar}\n{f.text}" for n, f in enumerate(findings, start=1))
