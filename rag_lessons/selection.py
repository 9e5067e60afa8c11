"""Put a context together part by part under a room of tokens, and keep account of what stays out.

A `Draft` is what the strategies of `strategies.py` write on; `finish` turns it into a
`StrategyContext`. Which parts to take is not decided here.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from rag_lessons.analysis import Analysis, Section, analyse
from rag_lessons.chunking import Span
from rag_lessons.confidence import judge_context, matching_share, percent
from rag_lessons.context import Piece, Texts, labelled_layout, merge_spans
from rag_lessons.cuts import Truncation, head
from rag_lessons.documents import Document, check_text
from rag_lessons.index import ChunkRecord
from rag_lessons.policies import longest_run
from rag_lessons.sentences import fold, trim
from rag_lessons.strategy_context import Kept, LeftOut, StrategyContext
from rag_lessons.tokens import TokenCounter, check_count, check_counter, counter_name
from rag_lessons.truncation import sliding_window


class Draft:
    """A context in the making: documents, a question, a room in tokens, and the pieces kept so far.

    Raises TypeError or ValueError for a bad room or question.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        question: str,
        room: int,
        counter: TokenCounter,
        analysis: Analysis | None = None,
    ) -> None:
        self.documents, self.question, self.counter = (
            documents,
            check_text("question", question),
            check_counter(counter),
        )
        self.room = check_count("room", room)
        self.analysis = analysis or analyse(documents, self.counter)
        self.texts = {document.doc_id: document.text for document in documents}
        if len(self.texts) < len(documents):
            raise ValueError(f"documents must differ in their ids; got {[document.doc_id for document in documents]}")
        self._sources = Texts({document.doc_id: document for document in documents})
        self.kept: list[Piece] = []
        self._labels: list[str] = []
        self._passed: list[int] = []
        self._reasons: dict[int, str] = {}

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections of all documents."""
        return self.analysis.sections

    @property
    def left(self) -> int:
        """Tokens that are left of the room."""
        return self.room - self._cost(self.kept)

    def _write(self, pieces: Sequence[Piece]) -> str:
        return labelled_layout(self._sources, pieces) if pieces else ""

    def _cost(self, pieces: Sequence[Piece]) -> int:
        """Never free, so that nothing fits into a room of 0."""
        return max(1, self.counter(self._write(pieces))) if pieces else 0

    def cost_of_more(self, pieces: Sequence[Piece]) -> int:
        """What pieces would add to the context."""
        return self._cost([*self.kept, *pieces]) - self._cost(self.kept)

    def holds(self, chunk: ChunkRecord) -> bool:
        """Whether a chunk is in already."""
        spans = [span for piece in self.kept if piece.chunk.doc_id == chunk.doc_id for span in piece.spans]
        return any(start <= chunk.start and chunk.end <= end for start, end in spans)

    def add_pieces(self, pieces: Iterable[Piece]) -> None:
        """Add pieces of an index's chunks, which are known to fit."""
        for piece in pieces:
            self.kept.append(piece)
            self._labels.append(fold(piece.chunk.chunk_id))

    def add_documents(self) -> Document | None:
        """Add documents from the first on while they fit; returns the first that does not, if any."""
        spans = [trim(document.text, 0, len(document.text)) for document in self.documents]
        pieces = [self._piece(d.doc_id, 1, span) for d, span in zip(self.documents, spans, strict=True)]
        fit, _ = longest_run(
            lambda count: self._cost([p for p in pieces[:count] if p.spans]), len(pieces), self.room, len(pieces)
        )
        for document, piece in zip(self.documents[:fit], pieces, strict=False):
            if piece.spans:
                self._keep(piece, fold(document.source))
        return self.documents[fit] if fit < len(pieces) else None

    def add_head(self, document: Document) -> None:
        """Add as much of a document's beginning as fits."""
        self._add_cut(document.doc_id, (0, len(document.text)), fold(document.source), head)

    def add_sections(self, order: Sequence[int], room: int) -> None:
        """Add sections in this order while they fit into `room`; one that does not is passed over."""
        used, labelled, taken = self._cost(self.kept), {piece.chunk.doc_id for piece in self.kept}, []
        gap = self.counter("\n[...]\n")
        for i in order:
            section = self.sections[i]
            piece = self._piece(section.doc_id, i + 1, (section.start, section.end))
            first = section.doc_id not in labelled
            needs = (
                self._cost([piece]) if first else gap + self.counter(self.texts[section.doc_id][slice(*piece.spans[0])])
            )
            if used + needs <= room:
                used += needs
                labelled.add(section.doc_id)
                taken.append((i, piece))
            else:
                self._reasons[i] = f"needs {needs} tokens, {room - used} of {room} are left"
        pieces = [piece for _, piece in taken]
        fit, _ = longest_run(lambda count: self._cost([*self.kept, *pieces[:count]]), len(taken), room, len(taken))
        for i, _ in taken[fit:]:
            self._reasons[i] = f"beside the others it does not fit into {room} tokens"
        self._passed = [i for i in order if i in self._reasons]
        for i, piece in taken[:fit]:
            self._keep(piece, self._label(self.sections[i]))

    def add_window(self) -> None:
        """Of the best section that was passed over, add the window that matters for the question."""
        if self._passed:
            section = self.sections[self._passed[0]]
            self._add_cut(
                section.doc_id,
                (section.start, section.end),
                self._label(section),
                lambda text, budget, counter: sliding_window(text, self.question, budget, counter),
            )

    def finish(self, strategy: str) -> StrategyContext:
        """The context as it stands, with what was left out and how far it can be trusted."""
        text = self._write(self.kept)
        spans: dict[str, list[Span]] = {doc_id: [] for doc_id in self.texts}
        for piece in self.kept:
            spans[piece.chunk.doc_id] += piece.spans
        merged = {doc_id: merge_spans(self.texts[doc_id], found) for doc_id, found in spans.items()}
        left_out = tuple(filter(None, (self._left_out(i, merged) for i in range(len(self.sections)))))
        matching = matching_share(
            self.question, self.texts, ((d, span) for d, found in merged.items() for span in found)
        )
        words = f"{percent(matching)} of what matches it in the text is there"
        return StrategyContext(
            strategy,
            self.question,
            self.room,
            counter_name(self.counter),
            text,
            self._cost(self.kept),
            self.analysis.tokens,
            tuple(
                Kept(
                    label,
                    piece.chunk.doc_id,
                    piece.spans,
                    sum(self._tokens(piece.chunk.doc_id, s) for s in piece.spans),
                )
                for label, piece in zip(self._labels, self.kept, strict=True)
            ),
            left_out,
            judge_context(self.question, text, matching, words if left_out else ""),
        )

    def _left_out(self, i: int, merged: dict[str, list[Span]]) -> LeftOut | None:
        section = self.sections[i]
        spans, at, tokens, inside = merged[section.doc_id], section.start, 0, False
        first = bisect_right(spans, section.start, key=itemgetter(1))  # of those that end behind its start
        last = bisect_right(spans, section.end, key=itemgetter(0))
        for start, end in [*spans[first:last], (section.end, section.end)]:
            inside |= start < section.end
            if self.texts[section.doc_id][at:start].strip():
                tokens += max(1, self._tokens(section.doc_id, (at, start)))
            at = max(at, end)
        if not tokens:
            return None
        reason = (
            "a part of it is in" if inside else self._reasons.get(i, f"comes after the room of {self.room} was full")
        )
        return LeftOut(self._label(section), section.doc_id, (section.start, section.end), tokens, reason)

    def _add_cut(self, doc_id: str, span: Span, label: str, cut: Callable[..., Truncation]) -> None:
        """Cut a part of a document so that it fits beside what is kept, its label included."""
        text, budget = self.texts[doc_id][slice(*span)], self.left
        while budget > 0:
            found = cut(text, budget, self.counter)
            spans = tuple((span[0] + start, span[0] + end) for start, end in found.spans)
            if not spans:
                return
            piece = self._piece(doc_id, 1 + len(self.kept), *spans)
            if (over := self.cost_of_more([piece]) - self.left) <= 0:
                self._keep(piece, label)
                return
            budget = min(budget, found.tokens) - over

    def _keep(self, piece: Piece, label: str) -> None:
        self.kept.append(piece)
        self._labels.append(label)

    def _tokens(self, doc_id: str, span: Span) -> int:
        return self.counter(self.texts[doc_id][slice(*span)])

    def _label(self, section: Section) -> str:
        return fold(f"{self._sources.documents[section.doc_id].source}, {section.title or 'beginning'}")

    @staticmethod
    def _piece(doc_id: str, position: int, *spans: Span) -> Piece:
        spans = tuple((start, end) for start, end in spans if end > start)
        start, end = (spans[0][0], spans[-1][1]) if spans else (0, 0)
        return Piece(ChunkRecord(f"{doc_id}-part-{position:03d}", doc_id, position, start, end, ""), spans)
