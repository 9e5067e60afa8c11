"""Write the chosen pieces down as the text that a model reads: labels, gaps, order.

A piece is a chunk and the spans of it that were chosen. Three layouts stand here: the article's
three header lines before each chunk; one label a document, and one a chunk for answers that cite,
whose bars are longer than any run of their sign in the texts, so that no document can forge one.
Counting is `budgeting.py`'s work.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rag_lessons.chunking import Span
from rag_lessons.documents import Document
from rag_lessons.index import ChunkRecord, HierarchicalIndex
from rag_lessons.markdown import open_fence
from rag_lessons.sentences import fold

_GAP = "\n[...]\n"
_BARS = re.compile("=+")


class Piece(NamedTuple):
    """A chunk, and what of it is chosen: spans of its document, in order."""

    chunk: ChunkRecord
    spans: tuple[Span, ...]


class Texts(NamedTuple):
    """The documents that a layout reads, by id; an index has them too, but may change later."""

    documents: dict[str, Document]


Layout = Callable[[HierarchicalIndex | Texts, Sequence[Piece]], str]


def whole(chunk: ChunkRecord) -> Piece:
    """A chunk as a piece, from its start to its end.

    >>> whole(ChunkRecord("a-1", "a", 1, 0, 9, "")).spans
    ((0, 9),)
    """
    return Piece(chunk, ((chunk.start, chunk.end),))


def article_layout(index: HierarchicalIndex | Texts, pieces: Sequence[Piece]) -> str:
    """Each chunk under three header lines, in order of source and position, a rule between them.

    The paragraphs of a chunk are joined by one blank line, as the article does. As there, a document
    can forge a header or a rule: `labelled_layout` is the one that prevents it.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust.")])
    >>> article_layout(index, [whole(index.chunks[0])]).splitlines()[0]
    'Source: a.txt'
    """
    sources = {piece.chunk.doc_id: fold(index.documents[piece.chunk.doc_id].source) for piece in pieces}
    blocks = []
    for chunk, spans in sorted(pieces, key=lambda piece: (sources[piece.chunk.doc_id], piece.chunk.position)):
        raw = "\n\n".join(index.documents[chunk.doc_id].text[start:end] for start, end in spans)
        body = "\n\n".join(part.strip() for part in re.split(r"\n\s*\n", raw))
        head = f"Source: {sources[chunk.doc_id]}\nChunk ID: {fold(chunk.chunk_id)}\nChunk position: {chunk.position}"
        blocks.append(f"{head}\n\n{body}")
    return "\n\n---\n\n".join(blocks)


def labelled_layout(index: HierarchicalIndex | Texts, pieces: Sequence[Piece]) -> str:
    """One label a document, its text below it in source order; spans that touch are merged.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust.")])
    >>> labelled_layout(index, [whole(index.chunks[0])])
    '=== a.txt ===\\nGates rust.'
    """
    by_document: dict[str, list[Piece]] = {}
    for piece in sorted(pieces, key=lambda piece: (piece.chunk.doc_id, piece.chunk.position)):
        by_document.setdefault(piece.chunk.doc_id, []).append(piece)
    bodies = {doc_id: _body(index.documents[doc_id].text, found) for doc_id, found in by_document.items()}
    sources = {doc_id: fold(index.documents[doc_id].source) for doc_id in bodies}
    bar = fence("\n".join([*bodies.values(), *sources.values()]))
    return "\n".join(f"{bar} {sources[doc_id]} {bar}\n{body}" for doc_id, body in bodies.items())


def cited_layout(index: HierarchicalIndex | Texts, pieces: Sequence[Piece]) -> str:
    """One label a chunk, its id, so that a model can name the chunk of each statement.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust.")])
    >>> cited_layout(index, [whole(index.chunks[0])])
    '=== a.txt-chunk-001 ===\\nGates rust.'
    """
    pieces = sorted(pieces, key=lambda piece: (piece.chunk.doc_id, piece.chunk.position))
    bodies = [_body(index.documents[piece.chunk.doc_id].text, [piece]) for piece in pieces]
    labels = [fold(piece.chunk.chunk_id) for piece in pieces]
    bar = fence("\n".join([*bodies, *labels]))
    return "\n".join(f"{bar} {label} {bar}\n{body}" for label, body in zip(labels, bodies, strict=True))


def fence(text: str) -> str:
    """A run of "=" longer than any in the text, three at least.

    >>> fence("a == b ==== c")
    '====='
    """
    if "===" not in text:
        return "==="
    return "=" * (1 + max(map(len, _BARS.findall(text))))


def _body(text: str, pieces: list[Piece]) -> str:
    """The chosen spans of one document; a code fence that is cut is opened and closed again."""
    chunks = {start: piece.chunk for piece in pieces for start, _ in piece.spans}
    parts: list[str] = []
    for start, end in merge_spans(text, [span for piece in pieces for span in piece.spans]):
        lead = chunks[start].lead
        if start > chunks[start].start:
            lead = open_fence(f"{lead}\n{text[chunks[start].start : start]}")[0]
        part = "\n".join(filter(None, [lead, text[start:end].rstrip()]))
        parts.append("\n".join(filter(None, [part, open_fence(part)[1]])))
    return _GAP.join(parts)


def merge_spans(text: str, spans: Sequence[Span]) -> list[Span]:
    """Sort spans and merge those that overlap or have only white space between them.

    >>> merge_spans("one two three", [(8, 13), (0, 3), (4, 7)])
    [(0, 13)]
    """
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and (start <= merged[-1][1] or text[merged[-1][1] : start].isspace()):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged
