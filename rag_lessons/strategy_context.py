"""What a strategy brought into the room there is, what it left out and why, and how far to trust it.

The record that `full_document`, `smart_selection` and `hybrid` return. It prints as text; it decides nothing.
"""

from dataclasses import dataclass
from typing import NamedTuple

from rag_lessons.chunking import Span
from rag_lessons.confidence import Confidence


class Kept(NamedTuple):
    """A part that went in: its label, its spans of the document, its tokens without labels."""

    label: str
    doc_id: str
    spans: tuple[Span, ...]
    tokens: int


class LeftOut(NamedTuple):
    """A section of which something stayed out: its span, the tokens of what did, and why."""

    label: str
    doc_id: str
    span: Span
    tokens: int
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class StrategyContext:
    """What a strategy brought into the room, as written; every number in the counter's tokens.

    tokens: of `text`, labels included. document_tokens: of all that could have gone in.
    """

    strategy: str
    question: str
    room: int
    counter: str
    text: str
    tokens: int
    document_tokens: int
    kept: tuple[Kept, ...]
    left_out: tuple[LeftOut, ...]
    confidence: Confidence

    @property
    def dropped_tokens(self) -> int:
        """Tokens of what stayed out; 0 only if nothing did."""
        return sum(part.tokens for part in self.left_out)

    @property
    def truncated(self) -> bool:
        """Whether anything stayed out."""
        return bool(self.left_out)

    @property
    def spans(self) -> list[tuple[str, int, int]]:
        """(doc_id, start, end) of everything that went in."""
        return [(part.doc_id, *span) for part in self.kept for span in part.spans]

    def __repr__(self) -> str:
        lines = [f"{self.strategy}: {self.tokens:,} of {self.room:,} tokens, {self.document_tokens:,} in all"]
        lines += [f"  in   {part.tokens:7,}  {part.label}" for part in self.kept[:12]]
        lines += [f"  out  {part.tokens:7,}  {part.label}: {part.reason}" for part in self.left_out[:12]]
        more = len(self.kept[12:]), len(self.left_out[12:])
        lines += [f"  and {more[0]} more in, {more[1]} more out"] if any(more) else []
        return "\n".join([*lines, f"Confidence: {self.confidence.level}; {self.confidence.reason}"])
