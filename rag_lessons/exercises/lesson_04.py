"""Checks for lesson 04: a question that the hard route loses, and a route that finds more of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rag_lessons.corpora import data_folder
from rag_lessons.documents import load_documents
from rag_lessons.evaluation import Question, evidence_found, find_evidence, load_questions, lost_at
from rag_lessons.exercises.feedback import Feedback, expect_list, gentle
from rag_lessons.index import HierarchicalIndex
from rag_lessons.pipeline import prepare_index
from rag_lessons.routing import Candidate, HardRoute, SoftRoute

SHOWN = ("q053", "q063", "q077", "q107")  # the lesson itself asks these
MOST = 4
ENOUGH = 50


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """What a route of the learner's sees of a chunk: where it stands, and its two BM25 scores."""

    chunk_id: str
    doc_id: str
    position: int
    by_summary: float
    by_text: float


@cache
def _handbook() -> HierarchicalIndex:
    documents, _ = load_documents(data_folder("handbook"))
    return prepare_index(documents)


@gentle
def check_lost_question(question: str, evidence: tuple[str, str] | None, level: str) -> Feedback:
    """Check a question that the hard route loses and the soft route finds, and where it was lost.

    question: an id such as "q001", or a text of the learner's own. evidence: (document id, exact
    text) for a text, None for an id. level: "document" or "chunk".
    """
    index = _handbook()
    known = {q.id: q for q in load_questions()}
    if not isinstance(question, str) or not question.strip(" ."):
        return Feedback(False, f"my_question is {question!r}; give an id such as 'q001', or a question of your own")
    asked = known.get(question) or next((q for q in known.values() if q.text == question), None)
    if asked is None and not (isinstance(evidence, tuple) and len(evidence) == 2):
        said = f"{question!r:.60} is no id of a question; for your own, set my_evidence to (document id, exact text)"
        return Feedback(False, said)
    asked = asked or Question("your own", "", question, "", (evidence,))
    if asked.id in SHOWN:
        return Feedback(False, f"{asked.id} stands in the lesson already; find another")
    if not asked.evidence:
        return Feedback(False, f"{asked.id} has no answer in the handbook, so there is no evidence to lose")
    places = find_evidence(index, asked.evidence)
    route = HardRoute()(asked.text, index)
    lost = lost_at(route, index, places)
    if lost is None:
        return Feedback(False, f"the hard route finds {asked.id}; look for one that its document's summary forgot")
    if level not in ("document", "chunk"):
        said = f"the hard route loses {asked.id}; now say where: lost_level is 'document' or 'chunk', got {level!r}"
        return Feedback(False, said)
    if level != lost:
        chosen = " and ".join(hit.id for hit in route.documents) or "no document"
        return Feedback(False, f"{asked.id} is lost, but not at the {level} level: the route chose {chosen}")
    found = SoftRoute()(asked.text, index).candidates
    ranks = [n for n in range(1, len(found) + 1) if evidence_found(found[:n], index, places) == 1]
    if not ranks:
        return Feedback(False, f"{asked.id} is lost at the {lost} level, but by the soft route too; find one it keeps")
    after = f"the soft route has it all after {ranks[0]} candidate{'' if ranks[0] == 1 else 's'}"
    return Feedback(True, f"the hard route loses {asked.id} at the {lost} level; {after}")


@cache
def lost_questions() -> tuple[tuple[Question, tuple], ...]:
    """The handbook's questions of which the hard route loses some evidence, each with its evidence."""
    index, found = _handbook(), []
    for question in load_questions():
        evidence = tuple(find_evidence(index, question.evidence))
        if evidence and lost_at(HardRoute()(question.text, index), index, evidence):
            found.append((question, evidence))
    return tuple(found)


@cache
def _scored(text: str) -> tuple[Mapping[str, float], tuple[ScoredChunk, ...]]:
    index, scorer = _handbook(), HardRoute().scorer
    documents = index.scorer(scorer, "document summary").scores(text)
    by_summary, by_text = (index.scorer(scorer, f"chunk {part}").scores(text).tolist() for part in ("summary", "text"))
    chunks = tuple(
        ScoredChunk(chunk.chunk_id, chunk.doc_id, chunk.position, *scores)
        for chunk, *scores in zip(index.chunks, by_summary, by_text, strict=True)
    )
    return dict(zip(sorted(index.records), documents.tolist(), strict=True)), chunks


@gentle
def check_route(route: Callable[[str, Mapping[str, float], Sequence[ScoredChunk]], Sequence[str]]) -> Feedback:
    """Check a route: with a few candidates it must find most questions that the hard route loses.

    route: (question, {document id: score of its summary}, chunks) -> chunk ids, at most `MOST`.
    """
    index, found = _handbook(), 0
    chunks = {chunk.chunk_id: chunk for chunk in index.chunks}
    for question, evidence in lost_questions():
        documents, scored = _scored(question.text)
        chosen = route(question.text, dict(documents), list(scored))
        wrong = expect_list(chosen, "chunk ids")
        if wrong:
            return wrong
        unknown = [chosen_id for chosen_id in chosen if chosen_id not in chunks]
        if unknown:
            return Feedback(False, f"{unknown[0]!r:.80} is no chunk id; return the chunk_id of the chunks you choose")
        if len(chosen) > MOST:
            return Feedback(False, f"for {question.id} it returned {len(chosen)} candidates; {MOST} are allowed")
        found += evidence_found([Candidate(chunks[i], 1.0) for i in chosen], index, evidence) == 1
    figures = f"your route finds {found} of the {len(lost_questions())} questions that the hard route loses"
    if found >= ENOUGH:
        return Feedback(True, figures)
    return Feedback(False, f"{figures}; {ENOUGH} are wanted. Which of the scores has seen the evidence itself?")
