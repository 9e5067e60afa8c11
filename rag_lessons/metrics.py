"""Measure, over many questions and budgets, how much of the gold evidence reaches the prompt.

As in `evaluation.py`, evidence is counted in characters that are not white space. A pipeline is any
function that says which spans of raw text it would put into a prompt, so that all are measured alike.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from rag_lessons.chunking import Span
from rag_lessons.context import merge_spans
from rag_lessons.evaluation import Question, find_evidence
from rag_lessons.index import HierarchicalIndex
from rag_lessons.sentences import fold
from rag_lessons.tokens import check_count
from rag_lessons.trace import Trace

Place = tuple[str, int, int]  # document id, start and end in characters of its raw text
Pipeline = Callable[[str, int], Sequence[Place]]  # question, budget in tokens -> what the prompt holds
FIELDS = ("recall", "precision", "iou", "full", "spent")
KEYS = ("question_id", "kind", "budget")


@dataclass(frozen=True, slots=True)
class Score:
    """How one question fared at one budget in tokens.

    recall: share of the evidence that the prompt holds; full: it is all of it. precision: share of
    the prompt that is evidence. iou: what both have in common, as a share of both together. spent:
    characters that the prompt holds; a span that stands in it twice counts twice.
    """

    question_id: str
    kind: str
    budget: int
    recall: float
    precision: float
    iou: float
    full: bool
    spent: int


@dataclass(frozen=True, slots=True)
class Losses:
    """Where a question's evidence ended, in shares that make up 1.

    reached: in the prompt. dropped: in a candidate, not in the prompt. split_off: in no candidate,
    though another part of the same piece is, so that a chunk boundary cut it off. not_routed: the rest.
    """

    reached: float
    dropped: float
    not_routed: float
    split_off: float


def trace_spans(trace: Trace) -> list[Place]:
    """What a trace's prompt holds, by document id and start; spans that overlap or touch are merged.

    >>> from rag_lessons import Document, ask, prepare_index
    >>> trace_spans(ask("What do gates do?", prepare_index([Document("a.txt", "Gates rust.")]), 50))
    [('a.txt', 0, 11)]
    """
    return _merge((i.candidate.chunk.doc_id, *span) for i in trace.selection.included for span in i.spans)


def measure(
    pipeline: Pipeline, index: HierarchicalIndex, questions: Sequence[Question], budgets: Sequence[int]
) -> list[Score]:
    """Score a pipeline on every question that has evidence, at every budget.

    pipeline: what it returns is checked. budgets: in tokens. Evidence that overlaps counts once.

    Returns all questions at the first budget, then all at the next; [] without a question.

    Raises ValueError for evidence or a span that the index does not hold, TypeError for a question that
    is no `Question`; that or ValueError for a bad budget.

    >>> from rag_lessons.index import Document, build_index
    >>> question = Question("q1", "head", "What do gates do?", "They rust.", (("a.txt", "rust"),))
    >>> index = build_index([Document("a.txt", "Gates rust.")])
    >>> measure(lambda question, budget: [("a.txt", 0, 11)], index, [question], [50])[0].precision
    0.4
    """
    limits = [check_count("budget", budget) for budget in budgets]
    for question in questions:
        if not isinstance(question, Question):
            raise TypeError(f"questions must be `Question`s, which hold their evidence; got {question!r:.60}")
    golds = [(question, _gold(index, find_evidence(index, question.evidence))) for question in questions]
    return [
        _score(question, limit, index, gold, list(pipeline(question.text, limit)))
        for limit in limits
        for question, gold in golds
        if gold
    ]


def losses(trace: Trace, index: HierarchicalIndex, evidence: Sequence[tuple[str, Span]]) -> Losses:
    """Say which share of a question's evidence reached the prompt, and where the others were lost.

    evidence: as `find_evidence` returns it; pieces that overlap or touch count as one.

    Raises ValueError without evidence: there are no shares of nothing.

    >>> from rag_lessons import Document, ask, prepare_index
    >>> index = prepare_index([Document("a.txt", "Gates rust.")])
    >>> losses(ask("What do gates do?", index, 0), index, [("a.txt", (0, 11))]).dropped
    1.0
    """
    gold = _gold(index, evidence)
    if not gold:
        raise ValueError(f"evidence must hold a visible character; leave out questions without any; got {evidence!r}")
    prompt = trace_spans(trace)
    candidates = [(c.chunk.doc_id, c.chunk.start, c.chunk.end) for c in trace.route.candidates]
    counts = []
    for piece in gold:
        whole, inside, found = (_visible(index, piece, spans) for spans in ([piece], prompt, candidates))
        lost = len(whole - inside - found)
        counts.append((len(inside), len(found - inside), 0 if found else lost, lost if found else 0))
    sums = [sum(column) for column in zip(*counts, strict=True)]
    return Losses(*(part / sum(sums) for part in sums))


def evidence_seen(context: str, question: Question) -> float:
    """The share of a question's evidence that stands in a context word for word, from 0 to 1.

    White space does not count, nor whether it stands in a text or in a summary.

    >>> evidence_seen("Gates rust.", Question("q", "", "", "", (("a.txt", "Gates rust"), ("b.txt", "Terns nest"))))
    0.5
    """
    context, pieces = fold(context), [fold(piece) for _, piece in question.evidence]
    return sum(len(piece) for piece in pieces if piece in context) / sum(map(len, pieces))


def mean_by(scores: Sequence[Score], field: str, key: str, *more: str) -> dict:
    """The mean of one field of the scores for each value of a key, in order of the values.

    field: one of `FIELDS`; another raises ValueError. key: one of `KEYS`; several make tuples.

    >>> mean_by([Score("q1", "head", 50, 1.0, 0.4, 0.4, True, 10)], "recall", "kind", "budget")
    {('head', 50): 1.0}
    """
    for kind, name, known in [("field", field, FIELDS), *(("key", name, KEYS) for name in (key, *more))]:
        if name not in known:
            raise ValueError(f"{kind} must be one of {', '.join(known)}; got {name!r}")
    groups: dict = {}
    for score in scores:
        values = tuple(getattr(score, name) for name in (key, *more))
        groups.setdefault(values if more else values[0], []).append(getattr(score, field))
    return {group: fmean(groups[group]) for group in sorted(groups)}


def _score(question: Question, budget: int, index: HierarchicalIndex, gold: list[Place], spans: list[Place]) -> Score:
    for doc_id, start, end in spans:
        if doc_id not in index.documents:
            raise ValueError(f"no document {doc_id!r} in the index; name one of {sorted(index.documents)[:10]}")
        length = len(index.documents[doc_id].text)
        if not 0 <= start <= end <= length:
            raise ValueError(f"span ({start}, {end}) is outside {doc_id!r}; give a start and an end from 0 to {length}")
    spent = sum(len(_visible(index, span, [span])) for span in spans)
    total = sum(len(_visible(index, piece, [piece])) for piece in gold)
    inside = sum(len(_visible(index, piece, spans)) for piece in gold)
    shares = inside / total, inside / spent if spent else 0.0, inside / (spent + total - inside)
    return Score(question.id, question.kind, budget, *shares, inside == total, spent)


def _gold(index: HierarchicalIndex, evidence: Sequence[tuple[str, Span]]) -> list[Place]:
    """The pieces of evidence that hold a visible character, merged."""
    pieces = _merge((doc_id, *span) for doc_id, span in evidence)
    return [piece for piece in pieces if _visible(index, piece, [piece])]


def _merge(places: Iterable[Place]) -> list[Place]:
    by_document: dict[str, list[Span]] = {}
    for doc_id, start, end in places:
        by_document.setdefault(doc_id, []).append((start, end))
    # Without a text, only what overlaps or touches is merged, not what white space parts.
    return [(doc_id, *span) for doc_id in sorted(by_document) for span in merge_spans("", by_document[doc_id])]


def _visible(index: HierarchicalIndex, piece: Place, spans: Iterable[Place]) -> set[int]:
    """Where a piece has characters that are not white space and lie inside some spans."""
    doc_id, start, end = piece
    text = index.documents[doc_id].text
    near = (range(max(start, s), min(end, e)) for other, s, e in spans if other == doc_id)
    return {i for part in near for i in part if not text[i].isspace()}
