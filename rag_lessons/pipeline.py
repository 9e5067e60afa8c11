"""Ask a question: all stages in order, and the `Trace` they leave.

`prepare_index` runs the stages before the question, `ask` those after it. Nothing is kept between
calls but the index that is handed in.
"""

from collections.abc import Iterable, Sequence
from functools import partial

from rag_lessons.answering import build_prompt, extractive_answer
from rag_lessons.budgeting import ContextBudget, pack
from rag_lessons.context import Texts
from rag_lessons.documents import Document, check_documents, check_text
from rag_lessons.index import HierarchicalIndex, build_index
from rag_lessons.presets import Settings, check_settings, default_settings
from rag_lessons.routing import Candidate, Route
from rag_lessons.sentences import fold
from rag_lessons.terms import terms
from rag_lessons.tokens import counter_name
from rag_lessons.trace import Trace


def prepare_index(
    documents: Iterable[Document], settings: Settings | None = None, *, progress: bool = False
) -> HierarchicalIndex:
    """Build the index that `ask` searches, as the settings say.

    >>> len(prepare_index([Document("a.txt", "Gates rust.")]).chunks)
    1
    """
    settings = check_settings(settings or default_settings())
    return build_index(settings.prepare(check_documents(documents)), settings.recipe, progress=progress)


def ask(
    question: str, index: HierarchicalIndex, budget: int | ContextBudget = 250, settings: Settings | None = None
) -> Trace:
    """Route a question, pack what was found into a budget of tokens, and answer from that alone.

    budget: tokens of context, 0 or more, counted as the settings say; or a `ContextBudget` with a
    counter of its own. Returns a `Trace`; a question that finds nothing gives an
    empty context and a note. Raises TypeError or ValueError for a bad budget or question.

    >>> index = prepare_index([Document("a.txt", "Gates rust. Birds nest.")])
    >>> ask("Which birds nest?", index).answer.text
    'Birds nest. [a.txt]'
    """
    settings = check_settings(settings or default_settings())
    check_text("question", question)
    if not isinstance(index, HierarchicalIndex):
        raise TypeError(f"index must come from prepare_index(documents); got {index!r:.60}")
    limit = budget
    if not isinstance(budget, ContextBudget):
        limit = ContextBudget(budget, settings.counter, settings.joiners)
    route = settings.route(question, index)
    # What a trace tells later is about the texts of now, whatever becomes of the index.
    texts = Texts({c.chunk.doc_id: index.documents[c.chunk.doc_id] for c in route.candidates})
    selection = pack(
        route.candidates,
        limit,
        partial(settings.layout, texts),
        settings.policy,
        partial(settings.passages, question, index),
        {} if settings.copies else find_copies(index, route.candidates),
    )
    pieces = selection.pieces
    hits = [hit.id for hit in (*route.documents, *route.chunks)]
    return Trace(
        question=question,
        preset=settings.name,
        settings={
            "index": index.recipe.name,
            "route": settings.route.name,
            "scorer": settings.route.scorer.name,
            "policy": settings.policy,
            "counter": counter_name(limit.counter),
        },
        budget=limit.tokens,
        route=route,
        selection=selection,
        texts={c.chunk.chunk_id: index.text(c.chunk) for c in route.candidates},
        summaries=_summaries(index, route) if hits else {},
        prompt=build_prompt(question, selection.context),
        answer=extractive_answer(question, index, pieces),
        notes=_notes(question, index, route, bool(pieces)),
    )


def _summaries(index: HierarchicalIndex, route: Route) -> dict[str, str]:
    chunks = {candidate.chunk.chunk_id: candidate.chunk.summary for candidate in route.candidates}
    found = {hit.id: index.records[hit.id].summary for hit in route.documents}
    return found | {hit.id: chunks[hit.id] for hit in route.chunks}


def _notes(question: str, index: HierarchicalIndex, route: Route, included: bool) -> tuple[str, ...]:
    notes = []
    if not index.chunks:
        notes.append("the index holds no text")
    elif not terms(question):
        notes.append("the question has no content words")
    elif not route.candidates:
        notes.append("no term of the question was found")
    if route.candidates and not included:
        notes.append("the budget is smaller than anything that was found")
    return tuple(notes)


def find_copies(index: HierarchicalIndex, candidates: Sequence[Candidate]) -> dict[int, int]:
    """Which candidates repeat the text of an earlier one, white space aside: place -> place.

    >>> index = prepare_index([Document("a.txt", "Gates rust."), Document("b.txt", "Gates  rust.")])
    >>> find_copies(index, [Candidate(chunk, 1.0) for chunk in index.chunks])
    {1: 0}
    """
    first: dict[str, int] = {}
    places = [first.setdefault(fold(index.text(candidate.chunk)), i) for i, candidate in enumerate(candidates)]
    return {i: place for i, place in enumerate(places) if i != place}
