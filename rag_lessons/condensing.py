"""Condense findings in rounds until they fit into one prompt, each at most half as long as the one before.

Neighbours are condensed together, as many as fit. A call that fails for good loses nothing: its
findings are cut in half instead. Calls are made elsewhere: `condense` yields what to ask.
"""

import re
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from rag_lessons.answering import build_prompt
from rag_lessons.calling import Call, Request
from rag_lessons.chunking import Span
from rag_lessons.cuts import head
from rag_lessons.extractive import NOTHING
from rag_lessons.findings import Finding, write_findings
from rag_lessons.tokens import TokenCounter

CONDENSE = "Say the same in half the words, for the question; where findings differ, keep both and say from where."

_NOTHING = re.compile(rf"\W*{NOTHING}(?:_\d+)?\W*", re.IGNORECASE)


class Condensed(NamedTuple):
    """What is left of findings, the calls that were made, the rounds, and what had to be cut."""

    findings: list[Finding]
    calls: list[Call]
    rounds: int
    notes: list[str]


def condense(
    findings: Sequence[Finding], question: str, room: int, counter: TokenCounter, task: str = CONDENSE
) -> Generator[Sequence[Request], list[Call], Condensed]:
    """Condense findings until they cost at most `room` tokens, labels included.

    task: what to ask of each batch. Yields the requests of each round, and is sent their calls; returns
    a `Condensed`, empty where not even one label fits; then nothing is asked.

    >>> finding = Finding("a.txt, part 1 of 1", "a.txt", (0, 11), "Gates rust.")
    >>> next(condense([finding], "Why?", 40, len))[0].label
    'a.txt, part 1 of 1'
    """
    found = [(n, n, finding) for n, finding in enumerate(findings, start=1)]  # first and last number of each
    done = Condensed(list(findings), [], 0, [])
    last = f"findings 1 to {len(found)}" if len(found) > 1 else ""  # the label of what is left in the end
    least = [finding._replace(label=last or finding.label, text="x") for finding in findings[:1]]
    if counter(write_findings(findings)) > room and counter(write_findings(least)) > room:
        return Condensed([], [], 0, [])
    while done.findings and counter(write_findings(done.findings)) > room:
        requests, merged = [], []
        for start, end in _edges(done.findings, room, counter):
            first, last, texts = found[start][0], found[end - 1][1], done.findings[start:end]
            label = texts[0].label if end - start == 1 else f"findings {first} to {last}"
            together = texts[0]._replace(label=label, text="\n".join(finding.text for finding in texts))
            if counter(write_findings(texts)) > room:  # one too long, or two whose labels leave no room
                texts = [_within(together, room, counter)]
                if not texts[0].text.strip():  # nothing to ask about
                    done.notes.append(f"{label}: left out, since its label leaves no room")
                    continue
                done.notes.append(f"{label}: cut to fit into a prompt")
            requests.append(Request("reduce", label, findings_prompt(question, texts, task)))
            merged.append((first, last, together))
        calls = yield requests
        found = []
        for (first, last, finding), call in zip(merged, calls, strict=True):
            text = call.answer or finding.text  # of a call that failed, what was found stays
            if _NOTHING.fullmatch(text):
                text = finding.text
                done.notes.append(f"{finding.label}: the model gave nothing back, so its findings were kept")
            half = head(text, counter(finding.text) // 2, counter, ends="sentence")
            if half.truncated:
                done.notes.append(f"{finding.label}: cut to half of its tokens")
            if half.text:
                found.append((first, last, finding._replace(text=half.text)))
        done = Condensed([finding for *_, finding in found], done.calls + calls, done.rounds + 1, done.notes)
    return done


def findings_prompt(question: str, findings: Sequence[Finding], task: str) -> Callable[[], str]:
    """How to write the prompt about some findings, when its turn comes."""
    return lambda: build_prompt(question, write_findings(findings), task)


def _within(finding: Finding, room: int, counter: TokenCounter) -> Finding:
    """What of a finding fits into a prompt by itself."""
    over = counter(write_findings([finding])) - room
    return finding._replace(text=head(finding.text, max(0, counter(finding.text) - over), counter).text)


def _edges(findings: Sequence[Finding], room: int, counter: TokenCounter) -> list[Span]:
    """Where batches of findings begin and end, as many in each as fit into the room; pairs where none do."""
    edges = [(0, 0)]
    for i in range(len(findings)):
        start, end = edges[-1]
        if end > start and counter(write_findings(findings[start : i + 1])) > room:
            start = i
            edges.append((start, i))
        edges[-1] = (start, i + 1)
    if len(edges) < len(findings):
        return edges
    return [(i, min(i + 2, len(findings))) for i in range(0, len(findings), 2)]
