"""Keep documents, and answer each question by the strategy that suits its size and its window.

`LongContext` plans the window for each question, chooses a strategy, brings the text in, asks the
model and says how far to trust the answer. It keeps its documents and their index, and nothing of
a question.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from rag_lessons.analysis import Analysis, analyse
from rag_lessons.answering import ChatModel, build_prompt
from rag_lessons.calling import Call, Caller, Request
from rag_lessons.confidence import Confidence
from rag_lessons.documents import Document, check_documents, check_text
from rag_lessons.extractive import ExtractiveModel
from rag_lessons.index import build_index
from rag_lessons.map_reduce import MapReduce, map_reduce, map_reduce_async, prompt_frames
from rag_lessons.planning import WindowPlan, plan_window
from rag_lessons.scoring import BM25
from rag_lessons.sentences import fold
from rag_lessons.strategies import (
    STRATEGIES,
    Choice,
    Thresholds,
    check_thresholds,
    choose,
    full_document,
    hybrid,
    smart_selection,
)
from rag_lessons.strategy_context import StrategyContext
from rag_lessons.terms import terms
from rag_lessons.tokens import TokenCounter, estimate_tokens

PART, OVERLAP = 2000, 200  # tokens of a part that is mapped, and of what it shares with the next


@dataclass(frozen=True, slots=True, repr=False)
class LongAnswer:
    """An answer, and how it came about. tokens_used: of all prompts and answers; document_tokens: of the text asked.

    trace: what the strategy did.
    """

    question: str
    answer: str
    strategy: str
    tokens_used: int
    document_tokens: int
    confidence: Confidence
    choice: Choice
    plan: WindowPlan
    prompt: str
    trace: StrategyContext | MapReduce
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        lines = [f"Question: {fold(self.question)}", f"Strategy: {self.strategy} ({self.choice.reason})"]
        lines += [f"Note: {note}" for note in self.notes]
        lines += [f"Tokens: {self.tokens_used:,} used, {self.document_tokens:,} in the documents"]
        return "\n".join([*lines, repr(self.trace), f"Answer: {fold(self.answer)}"])


class _Task(NamedTuple):
    """What one question is about, and what was decided for it."""

    question: str
    documents: tuple[Document, ...]
    analysis: Analysis
    plan: WindowPlan
    choice: Choice


class LongContext:
    """Documents, and a window to ask them in.

    window, margin, reserve, counter: as in `plan_window`. model: prompt -> answer; quotes sentences if
    None. thresholds: of the choice. retries, backoff, concurrency: as in `Caller`.

    >>> context = LongContext(8192)
    >>> context.add(Document("a.txt", "Gates rust. Terns nest."))
    >>> found = context.ask("Do terns nest?")
    >>> found.answer, found.strategy, found.confidence.level
    ('Terns nest.', 'full document', 'high')
    """

    def __init__(
        self,
        window: int,
        *,
        margin: float = 0.9,
        reserve: int = 4096,
        model: ChatModel | None = None,
        thresholds: Thresholds | None = None,
        counter: TokenCounter = estimate_tokens,
        retries: int = 2,
        backoff: float = 0.5,
        concurrency: int = 5,
    ) -> None:
        self._window = {"window": window, "margin": margin, "reserve": reserve, "counter": counter}
        self.plan("")
        self.model, self.thresholds, self.counter = model, check_thresholds(thresholds), counter
        self._calls = {"counter": counter, "retries": retries, "backoff": backoff}
        self.concurrency = Caller(
            model or ExtractiveModel(), concurrency=concurrency, retries=retries, backoff=backoff
        ).concurrency
        self.index = build_index([])

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents there are, in order of id."""
        return tuple(self.index.documents[doc_id] for doc_id in sorted(self.index.documents))

    def add(self, documents: Document | Iterable[Document]) -> None:
        """Add documents; one with a known id takes the place of the old one."""
        for document in check_documents([documents] if isinstance(documents, Document) else documents):
            self.index.update(document)

    def remove(self, doc_id: str) -> None:
        """Take a document out. Raises KeyError, with the ids there are, for an unknown one."""
        self.index.remove(doc_id)

    def plan(self, question: str) -> WindowPlan:
        """The window for a question; the frame of the prompt counts as system prompt."""
        return plan_window(**self._window, system=build_prompt("", ""), question=check_text("question", question))

    def ask(self, question: str, doc_id: str | None = None, strategy: str | None = None) -> LongAnswer:
        """Answer a question from one document, or from all of them.

        doc_id: which one; all if None. strategy: one of `STRATEGIES`; chosen by `choose` if None.

        Raises KeyError for an unknown id and ValueError for an unknown strategy, each with what there is,
        and ValueError where the window has no room for documents, or for the longer prompts of map-reduce.
        """
        task = self._task(question, doc_id, strategy)
        if task.choice.strategy == "map-reduce":
            return self._mapped(task, map_reduce(**self._arguments(task), **self._calls))
        trace = self._select(task)
        return self._answer(task, trace, Caller(self._model(task), **self._calls).run(self._requests(task, trace)))

    async def ask_async(self, question: str, doc_id: str | None = None, strategy: str | None = None) -> LongAnswer:
        """Answer as `ask` does, with up to `concurrency` calls at once; the model may be asynchronous."""
        task, more = self._task(question, doc_id, strategy), {**self._calls, "concurrency": self.concurrency}
        if task.choice.strategy == "map-reduce":
            return self._mapped(task, await map_reduce_async(**self._arguments(task), **more))
        trace = self._select(task)
        return self._answer(task, trace, await Caller(self._model(task), **more).run_async(self._requests(task, trace)))

    def _task(self, question: str, doc_id: str | None, strategy: str | None) -> _Task:
        if doc_id is not None and (not isinstance(doc_id, str) or doc_id not in self.index.documents):
            raise KeyError(f"no document {doc_id!r}; there are {sorted(self.index.documents)[:10]}")
        if strategy is not None and strategy not in STRATEGIES:
            raise ValueError(f"strategy must be one of {', '.join(STRATEGIES)}; got {strategy!r}")
        documents = self.documents if doc_id is None else (self.index.documents[doc_id],)
        plan = self.plan(question)
        ids = tuple(document.doc_id for document in documents)
        analysis = self.index.keep(("analysis", ids), lambda: analyse(documents, self.counter))
        choice = choose(analysis, plan.room, question, self.thresholds)
        if strategy is not None:
            choice = replace(choice, strategy=strategy, reason="as asked")
        return _Task(question, documents, analysis, plan, choice)

    def _model(self, task: _Task) -> ChatModel:
        return self.model or ExtractiveModel(self.index.scorer(BM25(), "chunk text").idf)

    def _select(self, task: _Task) -> StrategyContext:
        """The context; a little smaller where a document's bars make the prompt's own bars longer."""
        room = task.plan.room
        while True:
            arguments = (task.documents, task.question, room)
            if task.choice.strategy == "hybrid":
                found = hybrid(*arguments, self.index, self.counter, analysis=task.analysis)
            elif task.choice.strategy == "smart selection":
                found = smart_selection(*arguments, self.counter, analysis=task.analysis)
            else:
                found = full_document(*arguments, self.counter, analysis=task.analysis)
            most = task.plan.system + task.plan.question + task.plan.room
            over = self.counter(build_prompt(task.question, found.text)) - most
            if over <= 0 or not room:
                return found
            room = max(0, room - over)

    def _requests(self, task: _Task, trace: StrategyContext) -> list[Request]:
        return (
            [Request("answer", task.choice.strategy, lambda: build_prompt(task.question, trace.text))]
            if trace.text
            else []
        )

    def _arguments(self, task: _Task) -> dict:
        """Parts of 2,000 tokens where the window has room for them, and room for findings; no prompt may be over."""
        plan, frames = task.plan, prompt_frames(task.documents, task.question, self.counter)
        most = plan.system + plan.question + plan.room
        size, room = min(PART, plan.room * 3 // 4, most - frames[0]), min(plan.room, most - frames[1])
        if min(size, room) < 1:
            raise ValueError(
                f"the window of {plan.window} has no room for map-reduce: a prompt may take {most} tokens, and without "
                f"any text it takes {max(frames)}; take a larger window, reserve less, or ask for another strategy"
            )
        return {
            "documents": task.documents,
            "question": task.question,
            "room": room,
            "model": self._model(task),
            "size": size,
            "overlap": min(OVERLAP, size // 10),
        }

    def _answer(self, task: _Task, trace: StrategyContext, calls: list[Call]) -> LongAnswer:
        prompt, answer = build_prompt(task.question, trace.text), "No answer: nothing reached the context."
        if calls:
            answer = (
                calls[0].answer if calls[0].answer is not None else f"No answer: the call failed ({calls[0].error})."
            )
        return self._result(task, trace, answer, prompt, calls)

    def _mapped(self, task: _Task, trace: MapReduce) -> LongAnswer:
        return self._result(task, trace, trace.answer, trace.prompt, trace.calls)

    def _result(self, task: _Task, trace, answer: str, prompt: str, calls: Iterable[Call]) -> LongAnswer:
        notes = [] if self.index.documents else ["there are no documents: add some"]
        if not terms(task.question):
            notes.append("the question has no content words")
        elif not trace.confidence.words:
            notes.append("no term of the question is in the context")
        used = sum(call.tokens_in + call.tokens_out for call in calls)
        return LongAnswer(
            task.question, answer, task.choice.strategy, used, task.choice.tokens, trace.confidence,
            task.choice, task.plan, prompt, trace, tuple(notes),
        )  # fmt: skip
