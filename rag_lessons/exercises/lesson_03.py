"""Checks for lesson 03: the number of levels predicted, and an order that puts like next to like."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise

from rag_lessons.corpora import data_folder
from rag_lessons.documents import load_documents
from rag_lessons.exercises.feedback import Feedback, expect_list, gentle
from rag_lessons.pipeline import prepare_index
from rag_lessons.reduction import reduce_summaries
from rag_lessons.summarizing import CentroidSummarizer, Summary
from rag_lessons.terms import terms

MORE = 1.2  # neighbours' likeness that is asked for, over that in source order


def rare_terms(texts: Iterable[str], most: int = 3) -> list[frozenset[str]]:
    """The rare terms of each text: those that stand in at most `most` of the texts.

    The fewer texts hold a term, the higher its idf, so these are the terms of the highest idf.

    >>> [sorted(rare) for rare in rare_terms(["red pump", "blue pump"], most=1)]
    [['red'], ['blue']]
    """
    bags = [frozenset(terms(text)) for text in texts]
    held_by = Counter(term for bag in bags for term in bag)
    return [frozenset(term for term in bag if held_by[term] <= most) for bag in bags]


def survivors(rare: Sequence[frozenset[str]], summary: str) -> list[int]:
    """The places of the texts of which at least one rare term stands in a summary.

    rare: as `rare_terms` returns it.

    >>> survivors([frozenset({"gate"}), frozenset({"buoy"})], "Buoys drift.")
    [1]
    """
    left = frozenset(terms(summary))
    return [place for place, own in enumerate(rare) if own & left]


def _words(text: str) -> int:
    return len(text.split())


def levels_of_the_loop(count: int, each: int, budget: int, made: int) -> int:
    """How many levels the published loop makes above its input, found by running it.

    count: summaries. each, made: tokens of one of them, and of one that a step makes. budget: tokens.

    >>> levels_of_the_loop(9, 30, 90, 30)
    2
    """

    def summarize(text: str, sentences: int) -> Summary:
        return Summary(" ".join(["word"] * made))

    texts = [" ".join(["word"] * each)] * count
    return reduce_summaries(texts, summarize, budget=budget, counter=_words, shrink=False).rounds


@gentle
def check_levels(predict: Callable[[int, int, int, int], int]) -> Feedback:
    """Check a prediction of how many levels the published loop makes, against runs of it.

    predict: (number of summaries, tokens of each, input budget, tokens of a made one) -> levels.
    """
    cases = [
        *((1, 30, 90, 30), (9, 30, 90, 30), (27, 30, 90, 30), (10, 30, 90, 30), (5, 60, 90, 30), (7, 30, 90, 60)),
        *((9, 200, 90, 30), (100, 20, 90, 75), (100, 90, 300, 25), (33, 45, 90, 45), (64, 31, 90, 31)),
    ]
    for case in cases:
        count, each, budget, made = case
        right, mine = levels_of_the_loop(*case), predict(*case)
        if isinstance(mine, bool) or not isinstance(mine, int):
            return Feedback(False, f"it returned {mine!r}; return a whole number of levels")
        if mine != right:
            what = f"{count} summaries of {each} tokens, budget {budget}, made ones of {made}"
            return Feedback(False, f"{what}: you say {mine}, the loop makes {right}; follow its first round by hand")
    return Feedback(True, f"it foretells {len(cases)} runs of the loop, odd ones and pairs too")


@cache
def _handbook() -> tuple[tuple[tuple[str, ...], tuple[frozenset[str], ...]], ...]:
    """For each document of the handbook: its chunks' summaries, and their rare terms."""
    documents, _ = load_documents(data_folder("handbook"))
    index = prepare_index(documents)
    rare = rare_terms(index.text(chunk) for chunk in index.chunks)
    return tuple(
        (tuple(chunk.summary for chunk in record.chunks), tuple(rare[i] for i in index.place(doc_id)))
        for doc_id, record in sorted(index.records.items())
    )


def survivors_in_order(order: Callable[[list[str]], Sequence[int]]) -> tuple[int, int]:
    """How many chunks of the handbook survive a reduction, and how many could.

    order: summaries of a document -> their places in the order in which they are to be packed.
    """
    alive = possible = 0
    for summaries, rare in _handbook():
        texts = [summaries[i] for i in order(list(summaries))]
        alive += len(survivors(rare, reduce_summaries(texts, CentroidSummarizer(), budget=90).summary))
        possible += sum(map(bool, rare))
    return alive, possible


def in_source_order(summaries: Sequence[str]) -> list[int]:
    """The order in which summaries stand, for `survivors_in_order`.

    >>> in_source_order(["Gates rust.", "Birds nest."])
    [0, 1]
    """
    return list(range(len(summaries)))


def backwards(summaries: Sequence[str]) -> list[int]:
    """The last summary first: no likeness in it, so a control for `survivors_in_order`.

    >>> backwards(["Gates rust.", "Birds nest."])
    [1, 0]
    """
    return in_source_order(summaries)[::-1]


def _likeness(order: Callable[[list[str]], Sequence[int]]) -> float:
    """The mean cosine of neighbours over the handbook's documents, 0 to 1."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # a second to import, wanted only here

    means = []
    for summaries, _ in _handbook():
        if len(summaries) > 1:
            rows = TfidfVectorizer(analyzer=terms).fit_transform(summaries).toarray()
            cosines = [float(rows[a] @ rows[b]) for a, b in pairwise(order(list(summaries)))]
            means.append(sum(cosines) / len(cosines))
    return sum(means) / len(means)


@gentle
def check_order(order: Callable[[list[str]], Sequence[int]]) -> Feedback:
    """Check an order of summaries: each once, the same every time, neighbours more alike than in the source.

    order: summaries of a document -> their places in the order in which they are to be packed.
    """
    for summaries, _ in _handbook():
        places = order(list(summaries))
        wrong = expect_list(places, "places, from 0")
        if wrong:
            return wrong
        if sorted(places) != list(range(len(summaries))):
            said = f"for {len(summaries)} summaries it returned {list(places)!r:.60}"
            return Feedback(False, f"{said}; give each place once")
        if list(order(list(summaries))) != list(places):
            return Feedback(False, "called twice it gave two orders; set random_state, or use a method without chance")
    mine, source = _likeness(order), _likeness(in_source_order)
    if mine < source * MORE:
        said = f"neighbours have a cosine of {mine:.3f} on average, {source:.3f} in source order"
        return Feedback(False, f"{said}; {source * MORE:.3f} is wanted: put like next to like")
    alive, possible = survivors_in_order(order)
    return Feedback(
        True,
        f"neighbours have a cosine of {mine:.3f}, {source:.3f} in source order; {alive} of {possible} chunks survive, "
        f"{survivors_in_order(in_source_order)[0]} in source order, {survivors_in_order(backwards)[0]} backwards",
    )
