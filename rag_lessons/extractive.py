"""A chat model without a model: it reads a prompt as `build_prompt` writes it, and quotes from its context.

It sees nothing but the prompt, as a real model would, so it can stand wherever one can: in every
strategy, in each call of map and reduce. It matches words; it understands nothing.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rag_lessons.answering import ANSWER
from rag_lessons.documents import check_text
from rag_lessons.sentences import fold, sentence_spans
from rag_lessons.summarizing import CentroidSummarizer, is_code
from rag_lessons.terms import terms
from rag_lessons.tokens import check_count, check_weight

SUMMARIZE = "Summarize it in a few sentences; keep names, numbers, conditions and decisions."
NOTHING = "NO_RELEVANT_INFO"  # what a model is asked to say where a text holds nothing for the question
_SUMMARIZER = CentroidSummarizer()
_MARKER = re.compile(rf"\b{NOTHING}(?:_\d+)?\b")
_LABEL = re.compile(r"^(={3,}) .* \1$|^\[\.\.\.\]$|^\[\d+\] ", re.MULTILINE)


class PromptParts(NamedTuple):
    """What a prompt of `build_prompt` is made of."""

    context: str
    task: str
    question: str


def read_prompt(prompt: str) -> PromptParts:
    """Take a prompt apart again. What a document says cannot move the parts: its bars are shorter.

    Raises ValueError for a text that `build_prompt` did not write.

    >>> from rag_lessons.answering import build_prompt
    >>> read_prompt(build_prompt("Why?", "Because.")).context
    'Because.'
    """
    bar = re.match(r"(={3,}) context \1\n", check_text("prompt", prompt))
    body, end, rest = prompt[bar.end() :].partition(f"\n{bar[1]} end of context {bar[1]}\n") if bar else ("", "", "")
    task, asks, question = rest.partition("\nQuestion: ")
    if not end or not asks:
        raise ValueError(f"prompt must be written by build_prompt; got {prompt!r:.60}")
    return PromptParts(body, task.partition("\n")[2], question)


@dataclass(frozen=True)
class ExtractiveModel:
    """Answer a prompt by quoting the sentences of its context that share most with the question.

    rarity: term -> weight, 0 or more, such as an index's inverse document frequencies; all equal if
    None. sentences: how many to quote at most. least: the share of the question's weight, 0 to 1,
    that a sentence must hold where the task allows the answer "NO_RELEVANT_INFO".

    >>> from rag_lessons.answering import build_prompt
    >>> ExtractiveModel()(build_prompt("Which birds nest?", "Gates rust. Birds nest."))
    'Birds nest.'
    """

    rarity: Callable[[str], float] | None = None
    sentences: int = 3
    least: float = 0.3
    name: str = "extractive"

    def __post_init__(self) -> None:
        check_count("sentences", self.sentences, least=1, unit="sentences")
        check_weight("least", self.least, most=1)

    def __call__(self, prompt: str) -> str:
        """Quote sentences in their order in the text; summarize where the task says so, or no word helps."""
        context, task, question = read_prompt(prompt)
        weights = {term: self.rarity(term) if self.rarity else 1.0 for term in terms(question)}
        total = sum(weights.values())
        found = _sentences(context)
        if task == SUMMARIZE or not weights:
            return _SUMMARIZER(" ".join(found), self.sentences).text
        shares = [_share(sentence, weights, total) for sentence in found]
        best = sorted(range(len(found)), key=lambda i: (-shares[i], i))[: self.sentences]
        marker = _MARKER.search(task)
        # Without a marker, a second sentence is worth quoting only where it comes close to the first.
        enough = self.least if marker else 0.6 * max(shares, default=0)
        best = [i for i in best if shares[i] > 0 and shares[i] >= enough]
        if best:
            return " ".join(found[i] for i in sorted(best))
        if marker or task == ANSWER:
            return marker[0] if marker else "No answer: no sentence in the context shares a term with the question."
        return _SUMMARIZER(" ".join(found), self.sentences).text


def _share(sentence: str, weights: dict[str, float], total: float) -> float:
    """The share of the question's weight that a sentence holds, a little less for a long one."""
    found = terms(sentence)
    shared = sum(weights[term] for term in sorted(set(found) & weights.keys()))
    return shared / total / (1 + len(found) / 400) if total else 0.0


def _sentences(context: str) -> list[str]:
    """The sentences of a context; labels, headings and code are no answers, where there is anything else."""
    found: list[str] = []
    at = 0
    for label in [*_LABEL.finditer(context), None]:
        part = context[at : label.start() if label else len(context)]
        found += [part[start:end] for start, end in sentence_spans(part)]
        at = label.end() if label else at
    plain = [text for text in found if not is_code(text) and not text.startswith(("#", "```", "~~~"))]
    return [fold(text) for text in plain or found]
