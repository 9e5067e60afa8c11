"""Checks for lesson 00: a trace read, and a budget found."""

from functools import cache

from rag_lessons.corpora import data_folder
from rag_lessons.documents import load_documents
from rag_lessons.exercises.feedback import Feedback, gentle
from rag_lessons.pipeline import ask, prepare_index
from rag_lessons.presets import article_settings
from rag_lessons.trace import Trace

QUESTION = "Why can RAG fail when the context budget is too small?"


@cache
def _trace(budget: int) -> Trace:
    documents, _ = load_documents(data_folder("notes"))
    settings = article_settings()
    return ask(QUESTION, prepare_index(documents, settings), budget, settings)


@gentle
def check_reading(candidates: int, left_over: int, quoted_chunk: int) -> Feedback:
    """Check three numbers read off the trace at 250 tokens.

    left_over: tokens. quoted_chunk: the chunk's position in its document.
    """
    trace = _trace(250)
    if candidates != len(trace.route.candidates):
        return Feedback(False, f"{candidates} is not the number of candidates; count included and skipped together")
    if left_over != trace.budget - trace.selection.tokens:
        return Feedback(False, f"{left_over} tokens are not what is left over; the line of the included chunks has it")
    _, start, _ = trace.answer.quotes[0]
    chunks = [i.candidate.chunk for i in trace.selection.included]
    quoted = next(chunk.position for chunk in chunks if chunk.start <= start < chunk.end)
    if quoted_chunk != quoted:
        return Feedback(False, f"the answer does not quote chunk {quoted_chunk}; find its words in the summaries")
    return Feedback(True, f"{candidates} candidates, {left_over} tokens left over, and chunk {quoted} is quoted")


@gentle
def check_four(budget: int) -> Feedback:
    """Check a budget at which exactly four chunks are included."""
    count = len(_trace(budget).selection.included)
    if count != 4:
        return Feedback(
            False, f"at {budget} tokens {count} chunks are included; {'more' if count < 4 else 'less'} room"
        )
    fewer = next(b for b in range(budget + 1) if len(_trace(b).selection.included) == 4)
    more = f"; {fewer} would do" if fewer < budget else ", and no smaller budget does"
    return Feedback(True, f"four chunks are in at {budget} tokens{more}")
