"""Postings in two levels: for each term its documents, for each of those its chunks.

A search that looks at every chunk grows with the corpus. Here a term leads to documents first, so
that the chunks of the best documents alone are scored. A chunk's text and its summary are one
list: BM25 is a sum over terms, so both weights of a term in a chunk are added once, on building
(two fields of one record, as in BM25F).
"""

from typing import NamedTuple

import numpy as np

from rag_lessons.index import HierarchicalIndex
from rag_lessons.scoring import BM25, Postings, top_set
from rag_lessons.terms import terms

# Records, not an array a field: what is looked up together lies together, and memory is waited for once.
POSTING = np.dtype([("row", np.int64), ("weight", float)])  # a term in a chunk, and what it adds to the score
PAIR = np.dtype([("stop", np.int64), ("length", np.int64), ("summary", float)])  # a term in a document


class Found(NamedTuple):
    """The chunks of the best documents, one document after the other, a gap of empty places behind each.

    scores: of text and summary, one a place, 0 in a gap. The others hold one number a document:
    documents: its place in order of id, ascending. starts: the place of its first chunk. first:
    that chunk's place in `index.chunks`. sizes: its chunks and its gap. summaries: what its own
    summary scores.
    """

    scores: np.ndarray
    documents: np.ndarray
    starts: np.ndarray
    first: np.ndarray
    sizes: np.ndarray
    summaries: np.ndarray


class TwoLevelPostings:
    """The postings of an index, each with what it adds to a score.

    scorer: the BM25 that weighs terms. summary: weight of a chunk's summary, 0 or more. Changes to
    the index are not followed: `SoftRoute` keeps one of these until the next change.

    >>> from rag_lessons.index import Document, build_index
    >>> from rag_lessons.scoring import BM25
    >>> index = build_index([Document("a.txt", "Gates rust."), Document("b.txt", "Birds nest.")])
    >>> TwoLevelPostings(index, BM25(), 0.2).find("Which birds nest?", k_documents=1, gap=0).documents.tolist()
    [1]
    """

    def __init__(self, index: HierarchicalIndex, scorer: BM25, summary: float) -> None:
        sizes = np.array([len(index.records[doc_id].chunks) for doc_id in sorted(index.records)], np.int64)
        self.sizes, self.first = sizes, np.cumsum(sizes) - sizes
        self.vocabulary: dict[str, int] = {}
        document_of = np.repeat(np.arange(len(sizes)), sizes)
        n_chunks, n_documents = max(1, len(document_of)), max(1, len(sizes))
        parts = [(index.scorer(scorer, "chunk text"), 1.0), (index.scorer(scorer, "chunk summary"), summary)]
        keys, weights = _merge([self._weighted(postings, weight, n_chunks) for postings, weight in parts])
        self.postings = np.empty(len(keys), POSTING)
        self.postings["row"], self.postings["weight"] = rows, weights = keys % n_chunks, weights
        # The same postings by document: pairs (term, document) in order, each with a run of postings.
        by_document = keys // n_chunks * n_documents + document_of[rows]
        summaries, own = self._weighted(index.scorer(scorer, "document summary"), 1.0, n_documents)
        pair_keys = np.union1d(by_document, summaries)
        self.pairs = np.zeros(len(pair_keys), PAIR)
        self.pairs["stop"] = np.searchsorted(by_document, pair_keys, "right")
        self.pairs["length"] = np.diff(self.pairs["stop"], prepend=0)
        self.pairs["summary"][np.searchsorted(pair_keys, summaries)] = own
        best = np.zeros(len(pair_keys))
        np.maximum.at(best, np.searchsorted(pair_keys, by_document), weights)
        self.bounds = best + self.pairs["summary"]
        self.documents = pair_keys % n_documents
        self.numbers = np.arange(max(len(keys), len(pair_keys)))
        edges = np.searchsorted(pair_keys, np.arange(len(self.vocabulary) + 1) * n_documents).tolist()
        self.spans = {term: slice(edges[i], edges[i + 1]) for term, i in self.vocabulary.items()}

    def _weighted(self, postings: Postings, weight: float, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Keys term * size + row in ascending order, and what each posting adds to a score."""
        numbers = [self.vocabulary.setdefault(term, len(self.vocabulary)) for term in postings.vocabulary]
        rarity = np.array([postings.idf(term) for term in postings.vocabulary])
        counts = np.diff(postings.edges)
        keys = np.repeat(np.array(numbers, np.int64), counts) * size + postings.rows
        weights = np.repeat(rarity, counts) * postings.weights * weight
        order = np.argsort(keys, kind="stable")
        return keys[order], weights[order]

    def find(self, question: str, k_documents: int | None, gap: int) -> Found:
        """Score the chunks of the `k_documents` documents that can score highest, ties to the smaller id.

        What a document can score is the sum of each term's best weight in any of its chunks, plus
        the score of its summary. k_documents: None for all documents, also those without a match. gap:
        empty places behind each document's chunks, 0 or more. Without a match, or with 0 documents, all
        arrays are empty.
        """
        spans = [span for term in dict.fromkeys(terms(question)) if (span := self.spans.get(term))] or [slice(0)]
        documents = np.concatenate([self.documents[span] for span in spans])
        bounds = np.concatenate([self.bounds[span] for span in spans])
        chosen = np.arange(len(self.sizes))
        if k_documents is not None:
            chosen = top_set(np.bincount(documents, bounds, len(self.sizes)), k_documents)
        is_chosen = np.zeros(len(self.sizes), bool)
        is_chosen[chosen] = True
        kept = is_chosen[documents].nonzero()[0]
        pairs = self.pairs.take(np.concatenate([self.numbers[span] for span in spans])[kept])
        number = chosen.searchsorted(documents[kept])

        first, sizes = self.first[chosen], self.sizes[chosen] + gap
        ends = sizes.cumsum()
        starts = ends - sizes
        counts = pairs["length"]
        numbers = (pairs["stop"] - counts.cumsum()).repeat(counts)
        numbers += self.numbers[: len(numbers)]
        postings = self.postings.take(numbers)
        places = postings["row"] + (starts - first)[number].repeat(counts)
        return Found(
            np.bincount(places, postings["weight"], sizes.sum()),
            chosen,
            starts,
            first,
            sizes,
            np.bincount(number, pairs["summary"], len(chosen)),
        )


def _merge(lists: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """One list of keys in ascending order, the weights of equal keys added up."""
    keys, places = np.unique(np.concatenate([keys for keys, _ in lists]), return_inverse=True)
    return keys, np.bincount(places, np.concatenate([weights for _, weights in lists]), len(keys))
