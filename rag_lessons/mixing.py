"""Mix summaries of many documents with the full text of the best few, under one budget.

The summaries are those of the index, made before any question was asked. Of the last document
that goes in as text, the window that matters is kept. Whether a summary leaves out what the
question needs is not looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rag_lessons.chunking import Span
from rag_lessons.context import fence
from rag_lessons.documents import check_text
from rag_lessons.index import HierarchicalIndex
from rag_lessons.routing import SoftRoute
from rag_lessons.sentences import fold, trim
from rag_lessons.tokens import TokenCounter, check_count, check_weight, counter_name, estimate_tokens
from rag_lessons.truncation import sliding_window

MARKER = "[...]"
_ROUTE = SoftRoute()


class Part(NamedTuple):
    """What of a document goes into the context: its "text", a "window" of it, its "summary" or "nothing".

    spans: of the document, none for a summary. tokens: of its block alone. reason: why there is nothing.
    """

    doc_id: str
    form: str
    text: str
    spans: tuple[Span, ...]
    tokens: int
    reason: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Mix:
    """One question's documents in rank order, each with what of it goes in, and the context as written."""

    question: str
    budget: int
    share: float
    counter: str
    parts: tuple[Part, ...]
    context: str
    tokens: int

    def __repr__(self) -> str:
        lines = [f"Question: {fold(self.question)}", f"Share for full text: {self.share:g}, counter: {self.counter}"]
        lines += [
            f"  {part.tokens:5d}  {part.form:7s}  {fold(part.doc_id)}  {part.reason}".rstrip() for part in self.parts
        ]
        return "\n".join([*lines, f"{self.tokens} of {self.budget} tokens"])


def summary_mix(
    question: str,
    index: HierarchicalIndex,
    budget: int,
    *,
    share: float = 0.5,
    counter: TokenCounter = estimate_tokens,
) -> Mix:
    """Write summaries of the documents that a soft route finds, and the text of the best ones.

    budget: in the counter's tokens, 0 or more; labels count. share: the part of the budget, 0 to 1,
    that summaries leave free for text in the first round. What they do not use goes to text as
    well, and what text does not use to summaries.

    Returns a `Mix`; the index's documents that the route does not find are not in it. Raises TypeError or ValueError
    for a bad budget or share.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust."), Document("b.txt", "Terns nest.")])
    >>> summary_mix("Do terns nest?", index, 20).context
    '=== b.txt ===\\nTerns nest.'
    """
    check_text("question", question)
    budget = check_count("budget", budget)
    check_weight("share", share, most=1)
    ranked = list(dict.fromkeys(candidate.chunk.doc_id for candidate in _ROUTE(question, index).candidates))
    chosen: dict[str, Part] = {}

    def tokens(text: str) -> int:
        return check_count("what the counter returns", counter(text)) if text else 0

    def cost(part: Part | None = None) -> int:
        """Tokens of the context with one part more, or in place of what its document has there."""
        parts = chosen | ({part.doc_id: part} if part else {})
        return tokens(_write(index, [parts[doc_id] for doc_id in ranked if doc_id in parts]))

    def add_summaries(room: int) -> None:
        for doc_id in ranked:
            part = Part(doc_id, "summary", index.records[doc_id].summary, (), 0)
            if doc_id not in chosen and cost(part) <= room:
                chosen[doc_id] = part

    def add_texts() -> None:
        for doc_id in ranked:
            text = index.documents[doc_id].text
            start, end = trim(text, 0, len(text))
            part = Part(doc_id, "text", text[start:end], ((start, end),), 0)
            if cost(part) <= budget:
                chosen[doc_id] = part
                continue
            window = _window(part, question, budget - cost(part._replace(form="window", text="")), counter)
            while window.text and cost(window) > budget:  # a text may cost more below its label than alone
                window = _window(part, question, window.tokens - 1, counter)
            if window.text:
                chosen[doc_id] = window
            break

    if budget:  # into a budget of 0 goes nothing, not even what is free
        add_summaries(budget - int(share * budget))
        add_texts()
        add_summaries(budget)
    left = budget - cost()
    parts = []
    for doc_id in ranked:
        part = chosen.get(doc_id)
        if part is None:
            needs = cost(Part(doc_id, "summary", index.records[doc_id].summary, (), 0)) - cost()
            part = Part(doc_id, "nothing", "", (), 0, f"its summary needs {needs} tokens, {left} of {budget} are left")
        else:
            part = part._replace(tokens=tokens(_write(index, [part])))
        parts.append(part)
    context = _write(index, [part for part in parts if part.text])
    return Mix(question, budget, share, counter_name(counter), tuple(parts), context, tokens(context))


def _window(part: Part, question: str, room: int, counter: TokenCounter) -> Part:
    kept = sliding_window(part.text, question, max(0, room), counter, marker=MARKER)
    spans = tuple((part.spans[0][0] + start, part.spans[0][0] + end) for start, end in kept.spans)
    return part._replace(form="window", text=kept.text, spans=spans, tokens=kept.tokens)


def _write(index: HierarchicalIndex, parts: Sequence[Part]) -> str:
    """One label a document, which says whether what follows is a summary; bars that no text can forge."""
    sources = [fold(index.documents[part.doc_id].source) for part in parts]
    bar = fence("\n".join([*sources, *(part.text for part in parts)]))
    labels = [
        f"{source}, summary" if part.form == "summary" else source for source, part in zip(sources, parts, strict=True)
    ]
    return "\n".join(f"{bar} {label} {bar}\n{part.text}" for label, part in zip(labels, parts, strict=True))
