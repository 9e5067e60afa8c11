"""Decide by evidence whether a question is worth a model's answer: a model hardly ever says that it does not know.

Two signs are looked at: how near the nearest sentence of the context is in meaning, and how much of the
question the documents have words for, rare words counting most. A question on a subject that the documents
never touch fails both. One on their subject whose answer is just not there passes both: that is not seen.
"""

import math
from dataclasses import dataclass

from rag_lessons.answering import context_sentences
from rag_lessons.embedding import Embedder, EmbeddingScorer
from rag_lessons.index import HierarchicalIndex
from rag_lessons.scoring import BM25
from rag_lessons.terms import terms
from rag_lessons.tokens import check_weight
from rag_lessons.trace import Trace


@dataclass(frozen=True)
class EvidenceGate:
    """Scores the evidence for a question, 0 to 1, and lets those pass that reach `least`.

    >>> from rag_lessons import Document, ask, prepare_index
    >>> from rag_lessons.embedding import Letters
    >>> index = prepare_index([Document("a.txt", "Gates rust. Birds nest.")])
    >>> gate = EvidenceGate(Letters())
    >>> [round(gate.score(ask(asked, index), index), 2) for asked in ("Which birds nest?", "Birds of the Quiz?")]
    [0.9, 0.36]
    """

    embedder: Embedder
    least: float = 0.5  # on the handbook it refuses 1 in 30 that can be answered; see the tests

    def __post_init__(self) -> None:
        check_weight("least", self.least, most=1)

    def score(self, trace: Trace, index: HierarchicalIndex) -> float:
        """The mean of the best cosine in the context and the share of the question that is known; 0 without context.

        trace: of a question to this index.
        """
        spans = context_sentences(index, trace.selection.pieces)
        sentences = [index.documents[doc_id].text[start:end] for doc_id, (start, end) in spans]
        if not sentences:
            return 0.0
        near = EmbeddingScorer(self.embedder).fit(sentences).scores(trace.question).max()
        return (min(1.0, float(near)) + known_share(trace.question, index)) / 2

    def passes(self, score: float) -> bool:
        """Whether a score is enough."""
        return score >= self.least


def known_share(question: str, index: HierarchicalIndex) -> float:
    """The share of a question's terms that stand anywhere in an index, each weighed by the square of its rarity.

    A term that stands nowhere is as rare as can be. 0 for a question without content words.

    >>> from rag_lessons.index import Document, build_index
    >>> known_share("Do gates rattle?", build_index([Document("a.txt", "Gates rust.")])) < 0.5
    True
    """
    words = index.scorer(BM25(), "chunk text")
    rarest = math.log(1 + (words.size + 0.5) / 0.5)
    rarity = [words.idf(term) for term in dict.fromkeys(terms(question))]
    total = sum((found or rarest) ** 2 for found in rarity)
    return sum(found**2 for found in rarity) / total if total else 0.0
