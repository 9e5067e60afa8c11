"""Keep one vector for each sentence of an index, and compare passages of any length with a question.

A passage's vector is the sum of its sentences' vectors, brought to length 1. A model reads every
sentence once; chunks and windows of any width then cost no further call. What one sentence says of
another ("it", "the second pump") is lost on the way.
"""

import numpy as np

from rag_lessons.embedding import Embedder, FittedVectors, embed
from rag_lessons.index import HierarchicalIndex
from rag_lessons.sentence_counts import APART, BEFORE, SentenceCounts
from rag_lessons.tokens import check_count


class SentenceVectors:
    """The vectors of the n sentences of an index, in the order of `SentenceCounts`.

    Raises what `embed` raises for an embedder that returns no vectors of length 1.

    >>> from rag_lessons.embedding import Letters
    >>> from rag_lessons.index import Document, build_index
    >>> vectors = SentenceVectors(build_index([Document("a.txt", "Aa. Bb. Ab.")]), Letters("ab"))
    >>> vectors.cosines("a").round(2).tolist(), vectors.chunks(vectors.cosines("a")).round(2).tolist()
    ([1.0, 0.0, 0.71], [0.71])
    """

    def __init__(self, index: HierarchicalIndex, embedder: Embedder) -> None:
        self.counts = index.keep("sentences", lambda: SentenceCounts(index))
        ends = self.counts.ends
        documents = (index.documents[chunk.doc_id].text for chunk in index.chunks)
        rows = zip(documents, ends - self.counts.sizes, ends, strict=True)
        spans = self.counts.spans.T.tolist()
        texts = [text[start:end].strip() for text, low, high in rows for start, end in spans[low:high]]
        self._fitted = FittedVectors(embedder, embed(embedder, texts))
        self._edges = (ends - self.counts.sizes, ends)
        self._passages: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}

    def cosines(self, question: str) -> np.ndarray:
        """The cosine of each sentence with a question, shape (n,)."""
        return self._fitted.cosines(question)

    def chunks(self, cosines: np.ndarray) -> np.ndarray:
        """The cosine of each chunk of the index, from those of its sentences; shape (chunks,)."""
        return self._spread(cosines, 0)

    def windows(self, cosines: np.ndarray, width: int) -> np.ndarray:
        """The cosine of the window round each sentence, from those of the sentences; shape (n,).

        width: in characters; the window holds the sentences of the document whose middle lies within it, and
        more of it lies before the sentence than behind, as in `Passages`.
        """
        return self._spread(cosines, check_count("width", width, least=1, unit="characters"))

    def _spread(self, cosines: np.ndarray, width: int) -> np.ndarray:
        """The cosines of passages: a sum of dot products, over the length of a sum of vectors."""
        if width not in self._passages:
            self._passages[width] = self._measure(width)
        low, high, lengths = self._passages[width]
        sums = np.concatenate([[0.0], np.cumsum(cosines)])
        return (sums[high] - sums[low]) / lengths

    def _measure(self, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """First and last rows of each passage, and the length of its sum of vectors; width 0 for chunks."""
        low, high = self._edges
        if width:
            middles, reach = self.counts.middles, min(width, APART / 2)
            low = np.searchsorted(middles, middles - BEFORE * reach)
            high = np.searchsorted(middles, middles + (1 - BEFORE) * reach, "right")
        vectors = self._fitted.vectors
        lengths = [np.linalg.norm(vectors[a:b].sum(axis=0)) for a, b in zip(low, high, strict=True)]
        return low, high, np.maximum(np.array(lengths, float), 1e-6)  # a blank passage has no direction


def sentence_vectors(index: HierarchicalIndex, embedder: Embedder) -> SentenceVectors:
    """The vectors of an index, made once and kept until it changes."""
    return index.keep((embedder, "sentences"), lambda: SentenceVectors(index, embedder))
