"""Say where the evidence for a question is: in the prompt, dropped by the budget, or never found.

Evidence is text known to answer a question, counted in characters that are not white space.
For precision and many budgets see `metrics.py`, for intervals `intervals.py`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from rag_lessons.chunking import Span
from rag_lessons.context import merge_spans
from rag_lessons.corpora import data_folder
from rag_lessons.index import HierarchicalIndex
from rag_lessons.routing import Candidate, Route
from rag_lessons.scoring import BM25, Scorer
from rag_lessons.trace import Trace

VERDICTS = ("reached the model", "dropped by the budget", "missed by retrieval")
KINDS = ("head", "tail", "middle", "two_documents", "unanswerable")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with gold evidence: (document id, exact text) pairs, none if it has no answer."""

    id: str
    kind: str
    text: str
    answer: str
    evidence: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a question's evidence, in words, and how much of it got how far, 0 to 1.

    reached: share in the prompt. found: share in any candidate. Both are 1.0 without evidence.
    """

    text: str
    reached: float
    found: float


def load_questions(corpus: str = "handbook") -> tuple[Question, ...]:
    """The questions on a corpus of this project, "handbook" or "notes", in order.

    >>> {question.kind for question in load_questions()} == set(KINDS)
    True
    """
    name = "questions.json" if corpus == "handbook" else f"questions_{corpus}.json"
    path = data_folder(corpus).parent / name
    rows = json.loads(path.read_text(encoding="utf-8"))["questions"]
    return tuple(
        Question(
            row["id"], row["kind"], row["question"], row["answer"],
            tuple((piece["doc_id"], piece["text"]) for piece in row["evidence"]),
        )
        for row in rows
    )  # fmt: skip


def find_evidence(index: HierarchicalIndex, evidence: Sequence[tuple[str, str]]) -> list[tuple[str, Span]]:
    """Where each piece of evidence stands: (id in the index, span).

    evidence: (document id, exact text) pairs; a document is also known by the end of its source,
    so that the same evidence serves an index that renamed its documents.

    Raises TypeError for a piece that is no such pair, ValueError for an unknown document or text not in it.

    >>> from rag_lessons.index import Document, build_index
    >>> find_evidence(build_index([Document("a.txt", "Gates rust.")]), [("a.txt", "rust")])
    [('a.txt', (6, 10))]
    """
    places = []
    for piece in evidence:
        if not (isinstance(piece, (tuple, list)) and len(piece) == 2 and all(isinstance(part, str) for part in piece)):
            raise TypeError(f"evidence must be a list of (document id, exact text) pairs; got {piece!r:.60} in it")
        doc_id, text = piece
        named = [d for d in index.documents.values() if d.doc_id == doc_id or d.source.endswith(f"/{doc_id}")]
        if not named:
            raise ValueError(f"no document {doc_id!r} in the index; name one of {sorted(index.documents)[:5]}")
        found = next((document for document in named if text in document.text), None)
        if found is None:
            raise ValueError(f"the evidence {text[:60]!r} is not in {doc_id!r}; copy the words exactly as they stand")
        start = found.text.index(text)
        places.append((found.doc_id, (start, start + len(text))))
    return places


def chunks_with(index: HierarchicalIndex, evidence: Sequence[tuple[str, Span]]) -> list[int]:
    """The places in `index.chunks` of the chunks that hold a whole piece of evidence.

    evidence: as `find_evidence` returns it.

    >>> from rag_lessons.index import Document, build_index
    >>> chunks_with(build_index([Document("a.txt", "Gates rust.")]), [("a.txt", (6, 10))])
    [0]
    """
    return [
        place
        for place, chunk in enumerate(index.chunks)
        if any(chunk.doc_id == d and chunk.start <= start and end <= chunk.end for d, (start, end) in evidence)
    ]


def find_ranks(
    texts: Sequence[str], queries: Sequence[tuple[str, Sequence[int]]], scorer: Scorer | None = None
) -> list[int]:
    """For each query, the rank at which the first wanted text is found: 1 is best, 0 is not at all.

    queries: (question, places of the wanted texts) pairs. scorer: `BM25()` if None.

    >>> find_ranks(["windy day", "sunny day"], [("a sunny day", [1]), ("rain", [0])])
    [1, 0]
    """
    fitted = (scorer or BM25()).fit(texts)
    ranks = []
    for question, wanted in queries:
        scores = fitted.scores(question)
        # As `rank` orders them, without the sorting: what scores more, and what ties and stands before.
        found = [(scores > scores[i]).sum() + (scores[:i] == scores[i]).sum() + 1 for i in wanted if scores[i] > 0]
        ranks.append(int(min(found, default=0)))
    return ranks


def mean_reciprocal_rank(ranks: Sequence[int]) -> float:
    """The mean of 1 / rank, 0 where nothing was found: 1.0 if all come first; 0.0 without a query.

    >>> mean_reciprocal_rank([1, 2, 0])
    0.5
    """
    return sum(1 / n for n in ranks if n) / len(ranks) if ranks else 0.0


def judge(trace: Trace, index: HierarchicalIndex, evidence: Sequence[tuple[str, Span]]) -> Verdict:
    """Say whether all evidence reached the model, or at which stage some of it was lost.

    evidence: as `find_evidence` returns it. The verdict names the earliest loss.

    >>> from rag_lessons import Document, ask, prepare_index
    >>> index = prepare_index([Document("a.txt", "Gates rust.")])
    >>> judge(ask("What do gates do?", index, 50), index, [("a.txt", (0, 11))]).text
    'reached the model'
    """
    included = [(i.candidate.chunk.doc_id, span) for i in trace.selection.included for span in i.spans]
    total = sum(_size(index, doc_id, span) for doc_id, span in evidence)
    if not total:
        return Verdict("no evidence to look for", 1.0, 1.0)
    reached = sum(_inside(index, place, included) for place in evidence) / total
    found = evidence_found(trace.route.candidates, index, evidence)
    text = VERDICTS[0] if reached == 1 else VERDICTS[1] if found == 1 else VERDICTS[2]
    return Verdict(text, reached, found)


def evidence_found(
    candidates: Sequence[Candidate], index: HierarchicalIndex, evidence: Sequence[tuple[str, Span]]
) -> float:
    """The share of the evidence that lies in any of some candidates, 0 to 1; 1.0 without evidence.

    evidence: as `find_evidence` returns it.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust.")])
    >>> evidence_found([Candidate(index.chunks[0], 1.0)], index, [("a.txt", (0, 5))])
    1.0
    """
    spans = [(c.chunk.doc_id, (c.chunk.start, c.chunk.end)) for c in candidates]
    total = sum(_size(index, doc_id, span) for doc_id, span in evidence)
    return sum(_inside(index, place, spans) for place in evidence) / total if total else 1.0


def lost_at(route: Route, index: HierarchicalIndex, evidence: Sequence[tuple[str, Span]]) -> str | None:
    """Say at which level a hard route first lost some evidence: "document", "chunk", or None.

    route: what a `HardRoute` found. It loses at the document level what stands in a document that
    it did not choose, and at the chunk level what else no candidate holds.

    >>> from rag_lessons.index import Document, build_index
    >>> index = build_index([Document("a.txt", "Gates rust."), Document("b.txt", "Birds nest.")])
    >>> lost_at(Route((), (), ()), index, [("b.txt", (0, 5))])
    'document'
    """
    chosen = {hit.id for hit in route.documents}
    lost = [d for d, span in evidence if evidence_found(route.candidates, index, [(d, span)]) < 1]
    if not lost:
        return None
    return "chunk" if chosen.issuperset(lost) else "document"


def _size(index: HierarchicalIndex, doc_id: str, span: Span) -> int:
    return len("".join(index.documents[doc_id].text[span[0] : span[1]].split()))


def _inside(index: HierarchicalIndex, place: tuple[str, Span], spans: Sequence[tuple[str, Span]]) -> int:
    """Characters of one piece of evidence that lie inside some spans of its document."""
    doc_id, (start, end) = place
    parts = [(max(start, s), min(end, e)) for other, (s, e) in spans if other == doc_id and s < end and start < e]
    return sum(_size(index, doc_id, part) for part in merge_spans(index.documents[doc_id].text, parts))
