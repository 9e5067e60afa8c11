"""Score the sentences of some chunks by themselves and by the passages round them.

A sentence that answers a question often shares few words with it: the subject was named a
sentence, a paragraph or a section before. So each one is also read inside windows of text round
it. Terms are counted once, sentence by sentence; what a window holds is the difference of two
running sums, so a question costs time for the sentences asked about and not for the corpus.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag_lessons.chunking import Span
from rag_lessons.embedding import Embedder, fuse, shares
from rag_lessons.index import HierarchicalIndex
from rag_lessons.routing import Candidate
from rag_lessons.scoring import BM25
from rag_lessons.sentence_counts import APART, BEFORE, SentenceCounts
from rag_lessons.sentences import fold
from rag_lessons.terms import terms
from rag_lessons.tokens import check_count, check_weight
from rag_lessons.vectors import sentence_vectors

Unit = tuple[float, int, Span]


@dataclass(frozen=True, slots=True)
class Passages:
    """How sentences are scored: BM25 of a sentence, plus shares of the windows round it and of its chunk.

    windows: (characters, share) pairs; a window holds the sentences of its document whose middle lies
    within it. chunk: share of the candidate's own score. power: how much more a rare term counts, 1
    for plain BM25. k1, b: as in `BM25`. embedder: compare meaning too, in windows of `near` characters,
    which add up to `meaning` of the best score by words. Raises TypeError or ValueError for one out of
    its range.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust. Terns nest. They hatch in May.")])
    >>> [span for _, _, span in Passages()("When do terns hatch?", index, [Candidate(index.chunks[0], 1.0)])]
    [(24, 42), (12, 24), (0, 12)]
    """

    windows: tuple[tuple[int, float], ...] = ((500, 0.5), (1500, 0.5), (4500, 0.5))
    chunk: float = 0.5
    power: float = 1.5
    k1: float = 1.2
    b: float = 0.6
    embedder: Embedder | None = None
    near: int = 600
    meaning: float = 0.4

    def __post_init__(self) -> None:
        for width, share in self.windows:
            check_count("window", width, least=1, unit="characters")
            check_weight("window share", share)
        check_count("near", self.near, least=1, unit="characters")
        for name in ("chunk", "power", "k1", "meaning"):
            check_weight(name, getattr(self, name))
        check_weight("b", self.b, most=1)

    def __call__(self, question: str, index: HierarchicalIndex, candidates: Sequence[Candidate]) -> list[Unit]:
        """Score the sentences of some candidates: (score, place of the candidate, span), best first.

        candidates: of this index; KeyError for a chunk that it does not hold. The spans, in characters
        of the document, tile each chunk. A sentence with the text of a better one is left out.
        """
        counts = index.keep("sentences", lambda: SentenceCounts(index))
        places, rows = counts.rows_of([candidate.chunk.chunk_id for candidate in candidates])
        scores = np.zeros(len(rows))
        bounds, parts, norms = self._passages(counts, rows)
        rarity = index.scorer(BM25(), "chunk text").idf
        for term in dict.fromkeys(terms(question)):
            found = counts.count(term, bounds)  # shape (2, passages, sentences): before the start, before the end
            if found is not None:
                tf = found[1] - found[0]
                weights = tf * (self.k1 + 1) / np.maximum(tf + norms, 1)  # below 1 only where the term is not
                scores += rarity(term) ** self.power * (parts @ weights)
        if self.embedder:
            vectors = sentence_vectors(index, self.embedder)
            scores = fuse(scores, shares(vectors.windows(vectors.cosines(question), self.near))[rows], self.meaning)
        scores += self.chunk * np.array([candidate.score for candidate in candidates], float)[places]
        order = np.lexsort((rows, places, -scores))
        units: dict[str, Unit] = {}
        for score, place, start, end in zip(
            scores[order].tolist(), places[order].tolist(), *counts.spans[:, rows[order]].tolist(), strict=True
        ):
            text = index.documents[candidates[place].chunk.doc_id].text[start:end]
            units.setdefault(fold(text), (score, place, (start, end)))
        return list(units.values())

    def _passages(self, counts: "SentenceCounts", rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Bounds of each sentence and its windows in rows, the share of each, and BM25's length terms."""
        middle = counts.middles[rows]
        low, high = [rows], [rows + 1]
        means = [counts.mean]
        for width, _ in self.windows:
            reach = min(width, APART / 2)
            low.append(np.searchsorted(counts.middles, middle - BEFORE * reach))
            high.append(np.searchsorted(counts.middles, middle + (1 - BEFORE) * reach, "right"))
            means.append(max(1.0, counts.density * width))
        bounds = np.array([low, high])
        length = counts.lengths[bounds[1]] - counts.lengths[bounds[0]]
        norms = self.k1 * (1 - self.b + self.b * length / np.array(means)[:, None])
        return bounds, np.array([1.0, *(share for _, share in self.windows)]), norms
