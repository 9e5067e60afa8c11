"""Compute every state of the budget board by asking the real pipeline, once for all budgets.

The browser only looks a state up. A selection changes at some budgets alone, so states are stored
as runs: from this budget on, until the next run. Drawing is the page's work (`static/board.js`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from rag_lessons.answering import extractive_answer
from rag_lessons.budgeting import POLICIES, ContextBudget, Selection, pack
from rag_lessons.chunking import Span
from rag_lessons.context import Piece
from rag_lessons.evaluation import Question, find_evidence, judge
from rag_lessons.index import ChunkRecord, HierarchicalIndex
from rag_lessons.pipeline import ask, find_copies
from rag_lessons.presets import Settings, check_settings, default_settings
from rag_lessons.sentences import fold
from rag_lessons.trace import Trace

BUDGETS = range(0, 1501, 10)


@dataclass(frozen=True, slots=True)
class TraceSource:
    """An index and the questions to put to it: where the board gets its traces from.

    index: from `prepare_index`. questions: strings, or `Question`s, whose evidence is then marked.
    settings: those the index was prepared with; the default ones if None.

    Raises TypeError or ValueError for questions that are none, or evidence not in the index.

    >>> from rag_lessons import Document, prepare_index
    >>> source = TraceSource(prepare_index([Document("a.txt", "Gates rust.")]), ["What do gates do?"])
    >>> source.trace(0, 250).answer.text
    'Gates rust. [a.txt]'
    """

    index: HierarchicalIndex
    questions: Sequence[str | Question]
    settings: Settings | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.index, HierarchicalIndex):
            raise TypeError(f"index must come from prepare_index; got {type(self.index).__name__}")
        if isinstance(self.questions, str | Question):
            raise TypeError(f"questions must be a list; write [question] for one; got {self.questions!r}")
        asked = tuple(q if isinstance(q, Question) else Question("", "", q, "", ()) for q in self.questions)
        if not asked:
            raise ValueError("questions must hold one question or more; got none")
        for question in asked:
            if not isinstance(question.text, str):
                raise TypeError(f"a question must be a string or a Question; got {question.text!r}")
            find_evidence(self.index, question.evidence)
        object.__setattr__(self, "questions", asked)
        object.__setattr__(self, "settings", check_settings(self.settings or default_settings()))

    def variant(self, policy: str, neighbours: bool) -> Settings:
        """The settings with another policy, and neighbours as set there (or by default), or none."""
        route = self.settings.route
        if neighbours and not route.neighbours:
            route = replace(route, neighbours=type(route)().neighbours)
        elif not neighbours:
            route = replace(route, neighbours=type(route.neighbours)(0))
        return replace(self.settings, policy=policy, route=route)

    def trace(self, question: int, budget: int, policy: str | None = None, neighbours: bool = True) -> Trace:
        """What `ask` says about the question at this place, counted from 0."""
        settings = self.variant(policy or self.settings.policy, neighbours)
        return ask(self.questions[question].text, self.index, budget, settings)


def board_states(source: TraceSource, budgets: range = BUDGETS) -> dict:
    """All states of the board, as plain lists, numbers and strings ready for JSON.

    Texts stand once in `strings`; states hold their places there. In a reason `{budget}`,
    `{budget-3}` and `{left}` (the budget less what is used) stand for numbers that move with the
    budget; see `fill`. Spans count characters from the start of the chunk.

    >>> from rag_lessons import Document, prepare_index
    >>> source = TraceSource(prepare_index([Document("a.txt", "Gates rust.")]), ["What do gates do?"])
    >>> [run["from"] for run in board_states(source)["questions"][0]["on"]["runs"]["first-fit"]]
    [0, 10]
    """
    builder = _Builder(source, budgets)
    questions = [builder.question(question) for question in source.questions]
    return {"strings": list(builder.strings), "questions": questions}


class _Builder:
    """Works the states out, and remembers what does not change between budgets."""

    def __init__(self, source: TraceSource, budgets: range) -> None:
        self.source, self.index, self.budgets = source, source.index, budgets
        self.strings: dict[str, int] = {}
        settings = source.settings
        layout = cache(lambda pieces: settings.layout(self.index, pieces))
        self.render = lambda pieces: layout(tuple(pieces))
        self.limit = partial(ContextBudget, counter=cache(settings.counter), joiners=settings.joiners)

    def place(self, text: str) -> int:
        """Where a text stands among the strings."""
        return self.strings.setdefault(text, len(self.strings))

    def question(self, question: Question) -> dict:
        evidence = find_evidence(self.index, question.evidence)
        sides = {}
        for name, neighbours in (("on", True), ("off", False)):
            # The route is the same whatever the budget: one trace lends it to all others.
            trace = ask(question.text, self.index, 0, self.source.variant(POLICIES[0], neighbours))
            candidates = trace.route.candidates
            alone = [self.limit(0).cost(self.render, [whole]) for whole in _wholes(candidates)]
            sides[name] = {
                "rows": [
                    {
                        "id": self.place(candidate.chunk.chunk_id),
                        "reason": self.place(candidate.reason),
                        "text": self.place(trace.texts[candidate.chunk.chunk_id]),
                        "tokens": tokens,
                        "gold": _overlaps(candidate.chunk, evidence),
                    }
                    for candidate, tokens in zip(candidates, alone, strict=True)
                ],
                "note": self.place("" if candidates else "; ".join(trace.notes)),
                "runs": {policy: list(self.runs(trace, policy, evidence)) for policy in POLICIES},
            }
        where = [self.where(place) for place in evidence]
        return {"text": self.place(question.text), "where": where, **sides}

    def where(self, place: tuple[str, Span]) -> int:
        """A sentence on where a piece of evidence stands."""
        doc_id, (start, end) = place
        inside = [c.position for c in self.index.records[doc_id].chunks if c.start < end and start < c.end]
        numbers = " and ".join(map(str, inside)) or "none"
        text = fold(self.index.documents[doc_id].text[start:end])
        text = text if len(text) <= 240 else text[:239].rstrip() + "…"
        return self.place(f"{doc_id}, chunk {numbers}: “{text}”")

    def runs(self, trace: Trace, policy: str, evidence: Sequence[tuple[str, Span]]) -> Iterator[dict]:
        """One state for each stretch of budgets over which nothing but the budget changes."""
        candidates = trace.route.candidates
        row = {candidate.chunk.chunk_id: i for i, candidate in enumerate(candidates)}
        sentences = cache(partial(self.source.settings.passages, trace.question, self.index))
        copies = {} if self.source.settings.copies else find_copies(self.index, candidates)
        chosen = before = state = None
        for budget in self.budgets:
            picked = pack(candidates, self.limit(budget), self.render, policy, sentences, copies)
            why = [
                [row[s.candidate.chunk.chunk_id], self.place(_template(s.reason, budget, picked.tokens))]
                for s in picked.skipped
            ]
            if picked.included != chosen:
                chosen, state = picked.included, self.state(trace, picked, row, evidence)
            if (chosen, why) != before:
                before = (chosen, why)
                yield {"from": budget, **state, "why": why}

    def state(self, trace: Trace, picked: Selection, row: dict, evidence: Sequence[tuple[str, Span]]) -> dict:
        pieces = picked.pieces
        verdict = judge(replace(trace, selection=picked), self.index, evidence)
        count = self.limit(0).counter
        # Both layouts write in this order. What is charged beyond the texts goes to labels and joiners.
        written = sorted(pieces, key=lambda piece: (piece.chunk.doc_id, piece.chunk.position))
        texts = [[self.index.documents[c.doc_id].text[s:e] for s, e in spans] for c, spans in written]
        return {
            "kept": [[row[c.chunk_id], [[s - c.start, e - c.start] for s, e in spans]] for c, spans in pieces],
            "used": picked.tokens,
            "context": picked.context_tokens,
            "written": [
                [row[piece.chunk.chunk_id], sum(map(count, parts))] for piece, parts in zip(written, texts, strict=True)
            ],
            "answer": self.place(extractive_answer(trace.question, self.index, pieces).text),
            "verdict": self.place(verdict.text),
            "reached": round(100 * verdict.reached),
            "found": round(100 * verdict.found),
        }


def _wholes(candidates: Sequence) -> list[Piece]:
    return [Piece(c.chunk, ((c.chunk.start, c.chunk.end),)) for c in candidates]


def _overlaps(chunk: ChunkRecord, evidence: Sequence[tuple[str, Span]]) -> list[list[int]]:
    """The parts of a chunk that are evidence, counted from its start."""
    return sorted(
        [max(start, chunk.start) - chunk.start, min(end, chunk.end) - chunk.start]
        for doc_id, (start, end) in evidence
        if doc_id == chunk.doc_id and start < chunk.end and chunk.start < end
    )


def _template(reason: str, budget: int, used: int) -> str:
    """A reason with the numbers that follow the budget marked; any other wording stays as it is."""
    reason = re.sub(rf"\bbudget of {budget}$", "budget of {budget}", reason)
    match = re.search(rf"(\d+) of {budget} are left$", reason)
    if not match:
        return reason
    taken = budget - int(match[1])
    mark = "{left}" if taken == used else f"{{budget-{taken}}}"
    return f"{reason[: match.start()]}{mark} of {{budget}} are left"


def fill(template: str, budget: int, used: int) -> str:
    """A reason at one budget, its marks replaced: what the page does, in Python.

    >>> fill("needs 9 tokens, {budget-5} of {budget} are left", 10, 8)
    'needs 9 tokens, 5 of 10 are left'
    """
    text = template.replace("{left}", str(budget - used))
    return re.sub(r"\{budget(-\d+)?\}", lambda match: str(budget + int(match[1] or 0)), text)
