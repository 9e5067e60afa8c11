"""Count the terms of each sentence of an index once, as running sums.

What a run of sentences holds of a term is then the difference of two sums, whatever its length.
"""

from array import array
from collections import Counter
from collections.abc import Sequence

import numpy as np

from rag_lessons.index import HierarchicalIndex
from rag_lessons.sentences import sentence_spans
from rag_lessons.terms import terms

APART = 1e9  # characters between two documents, so that no window reaches from one into the next
BEFORE = 0.6  # of a window lies before the middle of the sentence: a text names its subject first


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
        self.middles = np.maximum.accumulate(document * APART + self.spans.sum(axis=0) / 2)
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
