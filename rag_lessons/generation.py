"""Answer with a chat model from the raw chunks of a trace, check what it cites, and ask nothing without evidence.

What is checked is that a cited chunk was given to the model, not that it says what the model says.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from rag_lessons.answering import ChatModel, build_prompt
from rag_lessons.calling import Call, Caller, Request
from rag_lessons.gate import EvidenceGate
from rag_lessons.index import HierarchicalIndex
from rag_lessons.tokens import TokenCounter, estimate_tokens
from rag_lessons.trace import Trace

GROUNDED = (
    "Answer the question from the context alone. Give all reasons that it holds, as a list if there are several. "
    "After each statement write the name of its chunk in square brackets, as it stands between the bars. "
    "If the context is not enough, say so."
)
QUOTE = "Answer with a quote from the text:"
_BRACKETS = re.compile(r"\[([^\[\]]{1,400})\]")


@dataclass(frozen=True, slots=True)
class GroundedAnswer:
    """What a model answered, and what was checked.

    evidence: the gate's score, 0 to 1; None without a gate. cited: ids of chunks in the context that the answer
    names, in the order of the answer. invented: other names it puts in brackets. call: None if none was made;
    then `text` says why.
    """

    text: str
    evidence: float | None
    cited: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()
    call: Call | None = None

    @property
    def refused(self) -> bool:
        """Whether the model was not asked."""
        return self.call is None

    @property
    def failed(self) -> bool:
        """Whether the model was asked and gave no answer."""
        return self.call is not None and self.call.answer is None


def generate(
    trace: Trace,
    index: HierarchicalIndex,
    model: ChatModel,
    gate: EvidenceGate | None = None,
    *,
    write: Callable[[str, str], str] | None = None,
    counter: TokenCounter = estimate_tokens,
) -> GroundedAnswer:
    """Let a model answer a traced question from the context that the trace holds, and from nothing else.

    trace: with `cited_layout` in its settings, so that chunks have names to cite. gate: asks nothing where the
    evidence is too thin; None lets every question pass. write: question and context -> prompt; `grounded_prompt` if
    None, and `small_prompt` for a model that loses its way in it.

    A call that fails for good gives an answer that says so.

    >>> from rag_lessons import Document, ask, prepare_index
    >>> index = prepare_index([Document("a.txt", "Gates rust.")])
    >>> trace = ask("What do gates do?", index, 50)
    >>> generate(trace, index, lambda prompt: "They rust [a.txt-chunk-001] [b.txt-chunk-007].").invented
    ('b.txt-chunk-007',)
    """
    pieces = trace.selection.pieces
    score = gate.score(trace, index) if gate else None
    if not pieces:
        return GroundedAnswer("No answer: nothing reached the context.", score)
    if gate and not gate.passes(score):
        return GroundedAnswer(
            f"No answer: the evidence in the context scores {score:.2f}, and {gate.least:.2f} is needed.", score
        )
    prompt = (write or grounded_prompt)(trace.question, trace.selection.context)
    call = Caller(model, counter).run([Request("answer", "grounded", lambda: prompt)])[0]
    if call.answer is None:
        return GroundedAnswer(f"No answer: the call failed ({call.error}).", score, call=call)
    given = {piece.chunk.chunk_id for piece in pieces}
    cited, invented = check_citations(call.answer, given)
    return GroundedAnswer(call.answer.strip(), score, cited, invented, call)


def grounded_prompt(question: str, context: str) -> str:
    """The context between bars that no document can forge, then the rules, then the question.

    >>> grounded_prompt("Why?", "Because.").splitlines()[-1]
    'Question: Why?'
    """
    return build_prompt(question, context, GROUNDED)


def small_prompt(question: str, context: str) -> str:
    """The same in few words: the rules of the long prompt are what a small model answers, in place of the question.

    It has no bars, so a document may pretend to be the end of the text.

    >>> small_prompt("Why?", "Because.")
    'Text:\\nBecause.\\n\\nQuestion: Why?\\nAnswer with a quote from the text:'
    """
    return f"Text:\n{context}\n\nQuestion: {question}\n{QUOTE}"


def check_citations(answer: str, given: set[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names in square brackets: those of chunks that were given, and all others; each once, in order.

    One pair of brackets may hold several, with commas or semicolons between them. "[...]" names nothing.

    >>> check_citations("It rusts [a-1; a-2] and [...] rests [b-9].", {"a-1", "a-2"})
    (('a-1', 'a-2'), ('b-9',))
    """
    found = [inside.strip() for inside in _BRACKETS.findall(answer)]
    # A name may hold a comma itself, so the whole is tried first.
    names = [n for inside in found for n in ([inside] if inside in given else map(str.strip, re.split("[,;]", inside)))]
    names = list(dict.fromkeys(name for name in names if name.strip(".\u2026 ")))
    return tuple(name for name in names if name in given), tuple(name for name in names if name not in given)
