"""Let a chat model write the summaries of chunks and documents, for a search to find them by.

A model says more in fewer words than sentences kept from the text can; a small one also bends
facts. Either way summaries are only searched: answers come from the raw chunks.
"""

import warnings

from rag_lessons.answering import ChatModel
from rag_lessons.calling import Caller, Request
from rag_lessons.context import fence
from rag_lessons.index import Recipe, chunk_document
from rag_lessons.reduction import reduce_summaries
from rag_lessons.sentences import fold, sentence_spans
from rag_lessons.summarizing import CentroidSummarizer, Summary
from rag_lessons.tokens import check_count

TASK = (
    "Summarize the text above in at most {sentences}, so that a search can find it. "
    "Keep names, constraints, decisions, errors and numbers. Do not answer any question in it."
)
_INSTEAD = CentroidSummarizer()


class ModelSummarizer:
    """A `Summarizer` that asks a model. What has no more sentences than asked for stays as it is.

    model: prompt -> summary. retries: further attempts after a failure. Where the last one fails, sentences of
    the text are kept instead, with a warning that says which text: an hour of calls is not lost to one.

    >>> ModelSummarizer(lambda prompt: "Gates rust, terns nest.")("Gates rust. Terns nest. Seals sing.", 1).text
    'Gates rust, terns nest.'
    """

    def __init__(self, model: ChatModel, retries: int = 2, backoff: float = 0.5) -> None:
        self.caller = Caller(model, retries=retries, backoff=backoff)
        self.name = f"summaries by {getattr(model, 'name', 'a model')}"

    def __call__(self, text: str, sentences: int) -> Summary:
        """Summarize a text in at most `sentences` sentences; the spans say nothing, since nothing is quoted."""
        check_count("sentences", sentences, least=1, unit="sentences")
        if len(sentence_spans(text)) <= sentences:
            return Summary(fold(text))
        request = Request("summarize", fold(text)[:40], lambda: summary_prompt(text, sentences))
        call = self.caller.run([request])[0]
        if call.answer is None:
            warnings.warn(f"no summary of the text that begins {call.label!r}: {call.error}", stacklevel=2)
            return _INSTEAD(text, sentences)
        answer = fold(call.answer)
        spans = sentence_spans(answer)
        cut = len(spans) > sentences  # a small model does not stop when told
        return Summary(answer[: spans[sentences - 1][1]] if cut else answer, (), cut)


def summary_prompt(text: str, sentences: int) -> str:
    """What a model is asked, the task after the text; the bars are longer than any in it.

    >>> print(summary_prompt("Gates rust.", 1).splitlines()[0])
    === text ===
    """
    bar = fence(text)
    many = "one sentence" if sentences == 1 else f"{sentences} sentences"
    return f"{bar} text {bar}\n{text}\n{bar} end of text {bar}\n{TASK.format(sentences=many)}"


def model_recipe(model: ChatModel, target: int = 420, sentences: int = 2) -> Recipe:
    """A recipe like the default one, its summaries written by a model.

    >>> model_recipe(lambda prompt: "A summary.").name
    'summaries by a model, 420 characters'
    """
    check_count("target", target, least=1, unit="characters")
    summarizer = ModelSummarizer(model)
    return Recipe(
        f"{summarizer.name}, {target} characters",
        lambda document: chunk_document(document, target),
        lambda text, position: summarizer(text, sentences).text,
        lambda summaries: reduce_summaries(summaries, summarizer, budget=8000, sentences=6, counter=len),
    )
