"""Checks for lesson 08: the best share for each kind of question, and a summary that keeps its exceptions."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from statistics import fmean

from rag_lessons.corpora import data_folder
from rag_lessons.documents import load_documents
from rag_lessons.evaluation import KINDS, load_questions
from rag_lessons.exercises.feedback import Feedback, expect_list, gentle
from rag_lessons.index import HierarchicalIndex
from rag_lessons.metrics import evidence_seen
from rag_lessons.mixing import summary_mix
from rag_lessons.pipeline import prepare_index
from rag_lessons.sentences import fold
from rag_lessons.summarizing import CentroidSummarizer
from rag_lessons.tokens import estimate_tokens

SHARES = (0, 0.25, 0.5, 0.75, 1)
BUDGET = 1000  # tokens
ROOMS = (60, 120, 240)  # tokens
ENOUGH = 0.8  # of the score that the best sentences reach without regard to exceptions
_KINDS = KINDS[:4]
_LINES = re.compile(r"(?<=\n)(?=\S)")
_EXCEPTION = re.compile(r"\b(?:except|exceptions?|unless|only if|but only|provided)\b|^(?:But|If|Only|Unless)\b")
_line_tokens = lru_cache(maxsize=None)(estimate_tokens)


def tokens_by_line(text: str) -> int:
    """Count as `estimate_tokens` does, but each line once: no token of that estimate goes on after a line's end.

    >>> tokens_by_line("Gates rust.\\n\\nTerns nest.") == estimate_tokens("Gates rust.\\n\\nTerns nest.")
    True
    """
    return sum(map(_line_tokens, _LINES.split(text)))


def qualifies(sentence: str) -> bool:
    """Whether a sentence reads like a condition on the one before it, told by a few words.

    >>> qualifies("There is one exception."), qualifies("Terns nest.")
    (True, False)
    """
    return bool(_EXCEPTION.search(sentence))


@cache
def _handbook() -> HierarchicalIndex:
    return prepare_index(load_documents(data_folder("handbook"))[0])


@cache
def _seen(kind: str, share: float) -> float:
    """The evidence of the handbook's questions of one kind that a mix at `BUDGET` shows, 0 to 1."""
    found = []
    for question in load_questions():
        if question.kind == kind:
            mix = summary_mix(question.text, _handbook(), BUDGET, share=share, counter=tokens_by_line)
            found.append(evidence_seen(mix.context, question))
    return fmean(found)


@gentle
def check_shares(shares: Mapping[str, float]) -> Feedback:
    """Check the best share for each kind of question: the most evidence and, of equals, the smallest share."""
    if not isinstance(shares, Mapping):
        return Feedback(False, f"my_shares is {shares!r:.60}; make it a dictionary, kind -> share")
    missing = [kind for kind in _KINDS if kind not in shares]
    if missing:
        return Feedback(False, f"there is no share for {missing[0]!r}; the kinds are {', '.join(_KINDS)}")
    for kind in _KINDS:
        share = shares[kind]
        if share not in SHARES:
            return Feedback(False, f"{kind!r} has {share!r:.60}; choose one of {', '.join(map(str, SHARES))}")
        values = {other: round(_seen(kind, other), 9) for other in SHARES}
        said = f"for {kind!r}, {share} shows {100 * values[share]:.1f} % of the evidence"
        if values[share] < max(values.values()):
            return Feedback(False, f"{said}; another share shows more")
        if share != max(SHARES, key=values.get):  # the first of equals is the smallest
            return Feedback(False, f"{said}; a smaller share shows as much")
    counts = {kind: sum(question.kind == kind for question in load_questions()) for kind in _KINDS}
    mine = sum(counts[kind] * _seen(kind, shares[kind]) for kind in _KINDS) / sum(counts.values())
    alike = max(sum(counts[k] * _seen(k, s) for k in _KINDS) / sum(counts.values()) for s in SHARES)
    return Feedback(
        True,
        f"with a share for each kind {100 * mine:.1f} % of the evidence is seen at {BUDGET} tokens, "
        f"with the best single one {100 * alike:.1f} %",
    )


@cache
def _handbook_sentences() -> tuple[tuple[tuple[str, ...], tuple[float, ...]], ...]:
    """The sentences of each document of the handbook, with their scores."""
    found = []
    for document in load_documents(data_folder("handbook"))[0]:
        scored = CentroidSummarizer().scores(document.text)
        found.append((tuple(fold(document.text[s:e]) for (s, e), _ in scored), tuple(score for _, score in scored)))
    return tuple(found)


def _best_first(sentences: Sequence[str], scores: Sequence[float], room: int) -> list[int]:
    taken: list[int] = []
    for i in sorted(range(len(sentences)), key=lambda i: (-scores[i], i)):
        if estimate_tokens(" ".join(sentences[j] for j in sorted([*taken, i]))) <= room:
            taken.append(i)
    return taken


@gentle
def check_qualified(choose: Callable[[list[str], list[float], int], Sequence[int]]) -> Feedback:
    """Check a summary that keeps its exceptions: no sentence without the one after it, if that `qualifies`.

    choose: (sentences, their scores, room in tokens) -> places of the sentences to keep, from 0.
    """
    worth = best = kept = 0.0
    for sentences, scores in _handbook_sentences():
        for room in ROOMS:
            places = choose(list(sentences), list(scores), room)
            listed = expect_list(places, "places, from 0")
            if listed:
                return listed
            wrong = [i for i in places if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < len(sentences)]
            if wrong or len(set(places)) < len(places):
                return Feedback(False, f"it returned {places!r:.60}; each is a place from 0, and stands there once")
            summary = " ".join(sentences[i] for i in sorted(places))
            if estimate_tokens(summary) > room:
                return Feedback(False, f"a summary costs {estimate_tokens(summary)} tokens; the room was {room}")
            for i in sorted(places):
                if i + 1 < len(sentences) and i + 1 not in places and qualifies(sentences[i + 1]):
                    lost = f"{sentences[i][:60]!r} is kept, and what comes next is not: {sentences[i + 1][:60]!r}"
                    return Feedback(False, f"at {room} tokens {lost}")
            worth += sum(scores[i] for i in places)
            best += sum(scores[i] for i in _best_first(sentences, scores, room))
            kept += sum(qualifies(sentences[i]) for i in places)
    said = f"your summaries reach {worth / best:.0%} of the score of those that mind no exception"
    if worth < ENOUGH * best:
        return Feedback(False, f"{said}; {ENOUGH:.0%} are wanted: fill the room that is left")
    return Feedback(True, f"{said}, and hold {kept:.0f} sentences that qualify others")
