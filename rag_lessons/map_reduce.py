"""Map, then reduce: ask a question of each part of a long text, then of what was found.

Every part is read, which no retrieval does, at the price of a call for each. Parts whose call fails
for good are named, and the others are used. Findings that do not fit together are condensed in
rounds, each at most half as long as the one before. Calls are made by `calling.py`.
"""

import time
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

from rag_lessons.answering import ANSWER, ChatModel, build_prompt
from rag_lessons.calling import Call, Caller, Request
from rag_lessons.condensing import CONDENSE, condense, findings_prompt
from rag_lessons.confidence import Confidence, judge_context
from rag_lessons.context import fence
from rag_lessons.documents import Document, check_documents, check_text
from rag_lessons.extractive import NOTHING, SUMMARIZE, ExtractiveModel
from rag_lessons.findings import Finding, free_marker, is_nothing, without_repeats, write_findings
from rag_lessons.sentences import fold
from rag_lessons.strategies import asks_for_all
from rag_lessons.terms import terms
from rag_lessons.tokens import TokenCounter, check_count, check_counter, counter_name, estimate_tokens
from rag_lessons.windows import chunk_tokens

FIND = (
    "Write down what in it helps to answer the question, with its numbers and conditions. "
    "If nothing does, write {marker} and nothing else."
)


@dataclass(frozen=True, slots=True, repr=False)
class MapReduce:
    """What map and reduce did, as far as it came; every number in the counter's tokens.

    findings: in the order of the text, before they were condensed. failed: the calls that failed for
    good. rounds: of condensing. tokens: of `text`, the context of the last call.
    """

    question: str
    room: int
    counter: str
    parts: int
    findings: tuple[Finding, ...]
    calls: tuple[Call, ...]
    rounds: int
    text: str
    tokens: int
    document_tokens: int
    prompt: str
    answer: str
    confidence: Confidence
    notes: tuple[str, ...]

    @property
    def failed(self) -> tuple[Call, ...]:
        """The calls that failed for good."""
        return tuple(call for call in self.calls if call.answer is None)

    @property
    def tokens_in(self) -> int:
        """Tokens of all prompts that were sent."""
        return sum(call.tokens_in for call in self.calls)

    @property
    def tokens_out(self) -> int:
        """Tokens of all answers."""
        return sum(call.tokens_out for call in self.calls)

    def __repr__(self) -> str:
        lines = [
            f"map-reduce: {_many(self.parts, 'part')}, {len(self.findings)} with findings, "
            f"{_many(len(self.calls), 'call')}, {self.tokens_in:,} tokens in, {self.tokens_out:,} out",
            f"  {self.tokens:,} of {self.room:,} tokens in the last prompt, "
            f"{_many(self.rounds, 'round')} of condensing",
            *(
                f"  failed: {call.stage} {call.label}, {_many(call.attempts, 'attempt')}: {call.error}"
                for call in self.failed[:12]
            ),
            *(f"  note: {note}" for note in self.notes),
        ]
        return "\n".join([*lines, f"Confidence: {self.confidence.level}; {self.confidence.reason}"])


def map_reduce(
    documents: Document | Iterable[Document],
    question: str,
    room: int,
    model: ChatModel | None = None,
    *,
    size: int = 2000,
    overlap: int = 200,
    counter: TokenCounter = estimate_tokens,
    retries: int = 2,
    backoff: float = 0.5,
    progress: bool = False,
) -> MapReduce:
    """Ask a model about each part of some documents, one call after the other, then about the findings.

    room: tokens for the findings in one prompt, 1 or more. model: the extractive one if None. size, overlap:
    of a part, in tokens. retries, backoff: as in `Caller`. progress: show a bar on stderr.

    Raises TypeError or ValueError for bad settings; a model's errors are in the result.

    >>> map_reduce(Document("a.txt", "Gates rust. Terns nest."), "Do terns nest?", 50).answer
    'Terns nest.'
    """
    caller = Caller(model or ExtractiveModel(), counter, retries, backoff, progress=progress)
    stages, began = _stages(documents, question, room, size, overlap, counter), time.perf_counter()
    requests = next(stages)
    while True:
        try:
            requests = stages.send(caller.run(requests, began))
        except StopIteration as done:
            return done.value


async def map_reduce_async(
    documents: Document | Iterable[Document],
    question: str,
    room: int,
    model: ChatModel | None = None,
    *,
    size: int = 2000,
    overlap: int = 200,
    counter: TokenCounter = estimate_tokens,
    retries: int = 2,
    backoff: float = 0.5,
    concurrency: int = 5,
    progress: bool = False,
) -> MapReduce:
    """Do what `map_reduce` does with up to `concurrency` calls under way at once. The model may be asynchronous.

    >>> import asyncio
    >>> asyncio.run(map_reduce_async(Document("a.txt", "Gates rust. Terns nest."), "Do terns nest?", 50)).answer
    'Terns nest.'
    """
    caller = Caller(model or ExtractiveModel(), counter, retries, backoff, concurrency, progress)
    stages, began = _stages(documents, question, room, size, overlap, counter), time.perf_counter()
    requests = next(stages)
    while True:
        try:
            requests = stages.send(await caller.run_async(requests, began))
        except StopIteration as done:
            return done.value


def prompt_frames(documents: Sequence[Document], question: str, counter: TokenCounter) -> tuple[int, int]:
    """What the longest prompts take: beside a part of these documents, and beside the findings.

    Bars in the documents count, since those round what is quoted are longer.

    >>> prompt_frames([Document("a.txt", "Gates rust.")], "Do gates rust?", estimate_tokens)
    (87, 60)
    """
    bars = fence("\n".join(document.text for document in documents))[1:]
    source = max((fold(document.source) for document in documents), key=len, default="")
    quoted = write_findings([Finding(f"{source}, part 9999 of 9999", "", (0, 0), bars)])
    mapped, *reduced = (counter(build_prompt(question, quoted, task)) for task in _tasks(question, f"{NOTHING}_99"))
    return mapped, max(reduced) - counter(quoted)


def _tasks(question: str, marker: str) -> tuple[str, str, str]:
    """What to ask of a part, of findings that do not fit together, and of those that do."""
    if asks_for_all(question) or not terms(question):
        return SUMMARIZE, SUMMARIZE, SUMMARIZE
    return FIND.format(marker=marker), CONDENSE, ANSWER


Stages = Generator[Sequence[Request], list[Call], MapReduce]


def _stages(documents, question: str, room: int, size: int, overlap: int, counter: TokenCounter) -> Stages:
    """Everything but the calls: yields the requests of a stage, is sent its calls, and returns the result."""
    documents = check_documents([documents] if isinstance(documents, Document) else documents)
    check_text("question", question)
    check_count("room", room, least=1)
    counter = check_counter(counter)
    marker = free_marker(document.text for document in documents)
    find, shorten, answer_it = _tasks(question, marker)
    parts = [part for document in documents for part in _parts(document, size, overlap, counter)]
    calls = yield [Request("map", part.label, findings_prompt(question, [part], find)) for part in parts]
    answered = zip(parts, calls, strict=True)
    findings = [part._replace(text=call.answer) for part, call in answered if call.answer is not None]
    findings = tuple(without_repeats([f for f in findings if f.text.strip() and not is_nothing(f.text, marker)]))

    condensed = yield from condense(findings, question, room, counter, shorten)
    calls, reduced, notes = calls + condensed.calls, condensed.findings, condensed.notes
    text = write_findings(reduced)
    prompt, answer = build_prompt(question, text, answer_it), ""
    unread = sum(call.answer is None for call in calls[: len(parts)])
    if reduced:
        last = yield [Request("answer", "all findings", lambda: prompt)]
        calls = calls + last
        answer = last[0].answer if last[0].answer is not None else f"No answer: the last call failed ({last[0].error})."
    elif findings:
        answer = f"No answer: {len(findings)} findings do not fit into a room of {room} tokens."
    elif unread:
        answer = f"No answer: {unread} of {len(parts)} parts could not be read, and the others hold nothing."
    else:
        answer = "No answer: no part of the text holds anything for the question."
    left = [f"{unread} of {len(parts)} parts could not be read"] if unread else []
    left += ["findings were cut"] if notes else []
    tokens = sum(counter(document.text) for document in documents if document.text)
    # What was cut is gone; what a model wrote in fewer words may be there.
    found, kept = (sum(counter(finding.text) for finding in some) for some in (findings, reduced))
    matching = (1 - unread / max(1, len(parts))) * (min(1.0, kept / max(1, found)) if notes else 1.0)
    asked = "" if find == SUMMARIZE else question
    confidence = judge_context(asked, text, matching, ", ".join(left), "every part was read")
    return MapReduce(
        question, room, counter_name(counter), len(parts), findings, tuple(calls), condensed.rounds, text,
        counter(text) if text else 0, tokens, prompt, answer, confidence, tuple(notes),
    )  # fmt: skip


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _parts(document: Document, size: int, overlap: int, counter: TokenCounter) -> list[Finding]:
    """The parts of a document, their own text in place of a finding's; a part's text is sliced when it is asked."""
    spans, source = chunk_tokens(document.text, size, overlap, counter), fold(document.source)
    count = len(spans)
    return [
        Finding(f"{source}, part {n} of {count}", document.doc_id, span, document.text[slice(*span)])
        for n, span in enumerate(spans, start=1)
    ]
