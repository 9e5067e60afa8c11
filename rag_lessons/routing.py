"""Route a question to chunks: through document summaries to chunks, hard or soft.

`HardRoute` chooses a few documents by their summaries and looks only inside them. `SoftRoute` lets
every document in and uses summaries as a hint. Both lead back to raw chunks, with neighbours. What
fits into a prompt is not asked here.
"""

from dataclasses import dataclass, field

import numpy as np

from rag_lessons.index import ChunkRecord, HierarchicalIndex
from rag_lessons.scoring import BM25, Scorer, rank
from rag_lessons.tokens import check_count, check_weight


@dataclass(frozen=True, slots=True)
class Hit:
    """A document or chunk that the search found: its id and its score, above 0."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A raw chunk that asks for a place in the prompt, why, and how much it is worth.

    reason: "hit", or "next of …" / "previous of …" a hit.
    """

    chunk: ChunkRecord
    score: float
    reason: str = "hit"


@dataclass(frozen=True, slots=True)
class Route:
    """What a route found: hits on both levels and the candidates in rank order."""

    documents: tuple[Hit, ...]
    chunks: tuple[Hit, ...]
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class HardRoute:
    """Search document summaries, then the chunk summaries inside the best documents.

    k_documents, k_chunks: how many documents, and chunks in each. neighbours: add the chunk after
    each hit, then the one before. The candidates stand in rank order of documents, then of chunks.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust."), Document("b.txt", "Birds nest.")])
    >>> [hit.id for hit in HardRoute()("Which birds nest?", index).documents]
    ['b.txt']
    """

    scorer: Scorer = field(default_factory=BM25)
    k_documents: int = 2
    k_chunks: int = 2
    neighbours: bool = True

    def __post_init__(self) -> None:
        check_count("k_documents", self.k_documents, unit="documents")
        check_count("k_chunks", self.k_chunks, unit="chunks")
        if not isinstance(self.neighbours, bool):
            raise TypeError(f"neighbours must be True or False; got {self.neighbours!r}")

    @property
    def name(self) -> str:
        """How the trace names it."""
        near = "with" if self.neighbours else "without"
        return f"hard, documents {self.k_documents}, chunks in each {self.k_chunks}, {near} neighbours"

    def __call__(self, question: str, index: HierarchicalIndex) -> Route:
        """Route one question."""
        ids, chunks = sorted(index.records), index.chunks
        scores = index.scorer(self.scorer, "document summary").scores(question)
        documents = [Hit(ids[i], float(scores[i])) for i in rank(scores, self.k_documents)]
        scores = index.scorer(self.scorer, "chunk summary").scores(question) if documents else None
        hits: list[tuple[ChunkRecord, float]] = []
        for document in documents:
            places = index.place(document.id)
            inside = scores[places.start : places.stop]
            hits += [(chunks[places.start + i], float(inside[i])) for i in rank(inside, self.k_chunks)]
        found = _with_neighbours(index, hits) if self.neighbours else [Candidate(c, s) for c, s in hits]
        return Route(tuple(documents), tuple(Hit(c.chunk_id, s) for c, s in hits), tuple(found))


def _with_neighbours(index: HierarchicalIndex, hits: list[tuple[ChunkRecord, float]]) -> list[Candidate]:
    """Each hit, then the chunk after it, then the one before, without repeats."""
    found: dict[str, Candidate] = {}
    for chunk, score in hits:
        found.setdefault(chunk.chunk_id, Candidate(chunk, score))
        for step, word in ((1, "next"), (-1, "previous")):
            near = index.neighbour(chunk, step)
            if near:
                # Half of the hit's score: evidence often goes on, but less surely.
                found.setdefault(near.chunk_id, Candidate(near, score / 2, f"{word} of {chunk.chunk_id}"))
    return list(found.values())


@dataclass(frozen=True, slots=True)
class SoftRoute:
    """Search every chunk; summaries, the document and the neighbours raise a chunk's score.

    k: candidates at most. summary: weight of the chunk's summary. document: weight of what the
    document as a whole scores. neighbours: share of the two chunks beside it, 0 for none.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust."), Document("b.txt", "Birds nest.")])
    >>> [candidate.chunk.chunk_id for candidate in SoftRoute()("Which birds nest?", index).candidates]
    ['b.txt-chunk-001']
    """

    scorer: Scorer = field(default_factory=BM25)
    k: int = 24
    summary: float = 0.2
    document: float = 0.3
    neighbours: float = 0.25

    def __post_init__(self) -> None:
        check_count("k", self.k, unit="chunks")
        for name in ("summary", "document", "neighbours"):
            check_weight(name, getattr(self, name))

    @property
    def name(self) -> str:
        """How the trace names it."""
        weights = f"{self.summary:g} summary, {self.document:g} document, {self.neighbours:g} neighbours"
        return f"soft, {self.k} chunks, weights {weights}"

    def __call__(self, question: str, index: HierarchicalIndex) -> Route:
        """Route one question."""
        ids, chunks = sorted(index.records), index.chunks
        text = index.scorer(self.scorer, "chunk text").scores(question)
        score = text + self.summary * index.scorer(self.scorer, "chunk summary").scores(question)
        whole = self.document * index.scorer(self.scorer, "document summary").scores(question)
        for i, doc_id in enumerate(ids):
            places = index.place(doc_id)
            part = score[places.start : places.stop]
            if len(part):
                whole[i] += self.document * part.max()
                score[places.start : places.stop] = self._smooth(part)
        by_chunk = np.repeat(whole, [len(index.records[doc_id].chunks) for doc_id in ids])
        score = np.where(score > 0, score + by_chunk, 0)
        best = rank(score, self.k)
        hits = tuple(Hit(chunks[i].chunk_id, float(score[i])) for i in best)
        documents = tuple(Hit(ids[i], float(whole[i])) for i in rank(whole, 5))
        found = tuple(Candidate(chunks[i], float(score[i]), "hit" if text[i] > 0 else "beside a hit") for i in best)
        return Route(documents, hits, found)

    def _smooth(self, scores: np.ndarray) -> np.ndarray:
        """Each score plus a share of the two beside it, shape kept."""
        padded = np.pad(scores, 1)
        return scores + self.neighbours * (padded[:-2] + padded[2:])
