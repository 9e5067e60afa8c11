"""Route a question to chunks: through document summaries to chunks, hard or soft.

`HardRoute` chooses a few documents by their summaries and looks only inside them. `SoftRoute` lets
every document in and uses summaries as a hint. Both lead back to raw chunks, with neighbours. What
fits into a prompt is not asked here.
"""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from rag_lessons.embedding import Embedder, fuse, shares
from rag_lessons.index import ChunkRecord, HierarchicalIndex
from rag_lessons.postings import Found, TwoLevelPostings
from rag_lessons.scoring import BM25, Scorer, rank, top
from rag_lessons.tokens import check_count, check_weight
from rag_lessons.vectors import sentence_vectors

REACH = 4  # chunks to either side that raise a chunk's score in a soft route
_GAP = np.arange(1, REACH + 1)[:, None]


@dataclass(frozen=True, slots=True)
class Hit:
    """A document or chunk that the search found: its id and its score, above 0."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A raw chunk that asks for a place in the prompt, why, and how much it is worth.

    reason: "hit"; "next of …" / "previous of …" a hit in a hard route; "near a hit" in a soft one.
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
    """Search the chunks of many documents; summaries, the document and what stands near raise a score.

    k: candidates at most. summary: weight of the chunk's summary. document: weight of the
    document's summary and of its best chunk. neighbours: share of the chunks beside it, falling
    to nothing over five; 0 for none. k_documents: how many documents are looked into. embedder:
    compare meaning too, in all documents; the nearest chunk adds `meaning` of the best score by words.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust."), Document("b.txt", "Birds nest.")])
    >>> [candidate.chunk.chunk_id for candidate in SoftRoute()("Which birds nest?", index).candidates]
    ['b.txt-chunk-001']
    """

    scorer: BM25 = field(default_factory=BM25)
    k: int = 64
    summary: float = 0.2
    document: float = 0.3
    neighbours: float = 0.1
    k_documents: int = 32
    embedder: Embedder | None = None
    meaning: float = 1.0

    def __post_init__(self) -> None:
        check_count("k", self.k, unit="chunks")
        check_count("k_documents", self.k_documents, unit="documents")
        for name in ("summary", "document", "neighbours", "meaning"):
            check_weight(name, getattr(self, name))
        if not isinstance(self.scorer, BM25):
            raise TypeError(f"scorer must be a BM25, whose scores add up term by term; got {self.scorer!r:.60}")

    @property
    def name(self) -> str:
        """How the trace names it."""
        weights = f"{self.summary:g} summary, {self.document:g} document, {self.neighbours:g} neighbours"
        if self.embedder:
            return f"soft, {self.k} chunks of all documents, weights {weights}, {self.meaning:g} {self.embedder.name}"
        return f"soft, {self.k} chunks of {self.k_documents} documents, weights {weights}"

    def search(self, question: str, index: HierarchicalIndex) -> tuple[np.ndarray, np.ndarray]:
        """The places in `index.chunks` of the best `k` chunks, best first, and their scores."""
        rows, scores, *_ = self._search(question, index)
        return rows, scores

    def _search(self, question: str, index: HierarchicalIndex) -> tuple:
        postings = index.keep((self.scorer, self.summary), lambda: TwoLevelPostings(index, self.scorer, self.summary))
        found = postings.find(question, None if self.embedder else self.k_documents, gap=REACH)
        if self.embedder:
            found = self._with_meaning(question, index, found)
        if not len(found.documents):
            return found.documents, found.scores, found.scores, found.documents, found.summaries
        score = np.convolve(found.scores, _kernel(self.neighbours))[REACH:-REACH]
        whole = self.document * (found.summaries + np.maximum.reduceat(found.scores, found.starts))
        ends = found.starts + found.sizes
        score[ends - _GAP] = 0
        score += whole.repeat(found.sizes) * (score > 0)
        best = top(score, self.k)
        rows = best + (found.first - found.starts)[ends.searchsorted(best, "right")]
        return rows, score[best], found.scores[best], found.documents, whole

    def _with_meaning(self, question: str, index: HierarchicalIndex, found: Found) -> Found:
        """The scores of all chunks of an index, with what their cosines add."""
        vectors = sentence_vectors(index, self.embedder)
        sizes = found.sizes - REACH
        places = np.arange(sizes.sum()) + (found.starts - found.first).repeat(sizes)
        meaning = shares(vectors.chunks(vectors.cosines(question)))
        scores = found.scores.astype(float)  # without a match they are whole numbers
        scores[places] = fuse(scores[places], meaning, self.meaning)
        return found._replace(scores=scores)

    def __call__(self, question: str, index: HierarchicalIndex) -> Route:
        """Route one question."""
        rows, scores, own, documents, whole = self._search(question, index)
        ids, chunks = sorted(index.records), index.chunks
        found = tuple(
            Candidate(chunks[i], score, "hit" if alone > 0 else "near a hit")
            for i, score, alone in zip(rows.tolist(), scores.tolist(), own.tolist(), strict=True)
        )
        return Route(
            tuple(Hit(ids[documents[i]], float(whole[i])) for i in rank(whole, 5)),
            tuple(Hit(candidate.chunk.chunk_id, candidate.score) for candidate in found),
            found,
        )


@cache
def _kernel(neighbours: float) -> np.ndarray:
    """The share that a chunk has of the scores around it: 1 of its own, less the farther away."""
    side = neighbours * np.arange(REACH, 0, -1) / REACH
    return np.concatenate([side[::-1], [1.0], side])
