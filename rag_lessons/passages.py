"""Score the sentences of some chunks by themselves and by the passages round them.

A sentence that answers a question often shares few words with it: the subject was named a
sentence, a paragraph or a section before. So each one is also read inside windows of text round
it. Terms are counted once, sentence by sentence; what a window holds is the difference of two
running sums, so a question costs time for the sentences asked about and not for the corpus.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag_lessons.chunking import Span
from rag_lessons.index import HierarchicalIndex
from rag_lessons.routing import Candidate
from rag_lessons.scoring import BM25
from rag_lessons.sentences import fold, sentence_spans
from rag_lessons.terms import terms
from rag_lessons.tokens import check_count, check_weight

_APART = 1e9  # characters between two documents, so that no window reaches from one into the next
_BEFORE = 0.6  # of a window lies before the middle of the sentence: a text names its subject first

Unit = tuple[float, int, Span]


@dataclass(frozen=True, slots=True)
class Passages:
    """How sentences are scored: BM25 of a sentence, plus shares of the windows round it and of its chunk.

    windows: (characters, share) pairs; a window holds the sentences of its document whose middle lies
    within it. chunk: share of the candidate's own score. power: how much more a rare term counts, 1
    for plain BM25. k1, b: as in `BM25`. Raises TypeError or ValueError for one out of its range.

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

    def __post_init__(self) -> None:
        for width, share in self.windows:
            check_count("window", width, least=1, unit="characters")
            check_weight("window share", share)
        for name in ("chunk", "power", "k1"):
            check_weight(name, getattr(self, name))
        check_weight("b", self.b, most=1)

    def __call__(self, question: str, index: HierarchicalIndex, candidates: Sequence[Candidate]) -> list[Unit]:
        """Score the sentences of some candidates: (score, place of the candidate, span), best first.

        candidates: of this index; KeyError for a chunk that it does not hold. The spans, in characters
        of the document, tile each chunk. A sentence with the text of a better one is left out.
        """
        counts = index.keep("sentences", lambda: SentenceCounts(index))
        places, rows = counts.rows_of([candidate.chunk.chunk_id for candidate in candidates])
        scores = self.chunk * np.array([candidate.score for candidate in candidates], float)[places]
        bounds, shares, norms = self._passages(counts, rows)
        rarity = index.scorer(BM25(), "chunk text").idf
        for term in dict.fromkeys(terms(question)):
            found = counts.count(term, bounds)  # shape (2, passages, sentences): before the start, before the end
            if found is not None:
                tf = found[1] - found[0]
                weights = tf * (self.k1 + 1) / np.maximum(tf + norms, 1)  # below 1 only where the term is not
                scores += rarity(term) ** self.power * (shares @ weights)
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
            reach = min(width, _APART / 2)
            low.append(np.searchsorted(counts.middles, middle - _BEFORE * reach))
            high.append(np.searchsorted(counts.middles, middle + (1 - _BEFORE) * reach, "right"))
            means.append(max(1.0, counts.density * width))
        bounds = np.array([low, high])
        length = counts.lengths[bounds[1]] - counts.lengths[bounds[0]]
        norms = self.k1 * (1 - self.b + self.b * length / np.array(means)[:, None])
        return bounds, np.array([1.0, *(share for _, share in self.windows)]), norms


class SentenceCounts:
    """Where the n sentences of an index stand, and how often each holds each term.

    middles: of each sentence, in characters from the start of the first document, documents set
    far apart, shape (n,), ascending. spans: starts and ends in characters of the document, shape
    (2, n). lengths: terms before each sentence and in all, shape (n + 1,). ends: sentences up to the
    end of each chunk. sizes: sentences of each chunk. mean: terms in a sentence. density: terms in
    a character.

    >>> from rag_lessons.index import Document, build_index
    >>> SentenceCounts(build_index([Document("a.txt", "Gates rust. Terns nest.")])).spans.tolist()
    [[0, 12], [12, 23]]
    """

    def __init__(self, index: HierarchicalIndex) -> None:
        self.places = {chunk.chunk_id: i for i, chunk in enumerate(index.chunks)}
        self.vocabulary: dict[str, int] = {}
        numbers, rows, counts = array("i"), array("i"), array("i")
        starts, ends, lengths, first, sizes = array("q"), array("q"), array("i"), array("q"), array("i")
        for chunk in index.chunks:
            text = index.text(chunk)
            cuts = [0, *(start for start, _ in sentence_spans(text)[1:]), len(text)]
            for start, end in zip(cuts, cuts[1:], strict=False):
                found = terms(text[start:end])
                for term, count in Counter(found).items():
                    numbers.append(self.vocabulary.setdefault(term, len(self.vocabulary)))
                    rows.append(len(lengths))
                    counts.append(count)
                starts.append(chunk.start + start)
                ends.append(chunk.start + end)
                lengths.append(len(found))
            first.append(len(lengths))
            sizes.append(len(cuts) - 1)
        self.ends, self.sizes = np.array(first, np.int64), np.array(sizes, np.int64)
        self.spans = np.array([starts, ends], np.int64)
        documents = {doc_id: number for number, doc_id in enumerate(sorted(index.records))}
        document = np.repeat([documents[chunk.doc_id] for chunk in index.chunks], self.sizes)
        # Chunks that overlap hold a sentence twice; windows are searched for in ascending order.
        self.middles = np.maximum.accumulate(document * _APART + self.spans.sum(axis=0) / 2)
        self.lengths = np.concatenate([[0], np.cumsum(np.array(lengths, np.int64))])
        total = int(self.lengths[-1])
        self.mean = max(1.0, total / max(1, len(lengths)))
        self.density = total / max(1, int((self.spans[1] - self.spans[0]).sum()))
        order = np.argsort(np.array(numbers, np.int32), kind="stable")
        self._rows = np.array(rows, np.int32)[order]
        self._edges = np.searchsorted(np.array(numbers, np.int32)[order], np.arange(len(self.vocabulary) + 1)).tolist()
        self._sums = np.concatenate([[0], np.cumsum(np.array(counts, np.int32)[order])])

    def rows_of(self, chunk_ids: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """For each sentence of some chunks: which of the chunks it is of, and its row; shapes (m,)."""
        chunks = np.array([self.places[chunk_id] for chunk_id in chunk_ids], np.int64)
        sizes = self.sizes[chunks]
        rows = np.arange(sizes.sum()) + np.repeat(self.ends[chunks] - np.cumsum(sizes), sizes)
        return np.repeat(np.arange(len(chunks)), sizes), rows

    def count(self, term: str, rows: np.ndarray) -> np.ndarray | None:
        """How often a term stands before each of some rows, shape kept; None where it stands nowhere."""
        number = self.vocabulary.get(term)
        if number is None:
            return None
        low, high = self._edges[number], self._edges[number + 1]
        return self._sums[low + np.searchsorted(self._rows[low:high], rows)]
