"""Checks for lesson 06: both ends of a list of tokens by hand, and which cut suits a document."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from statistics import fmean

from rag_lessons.corpora import data_folder
from rag_lessons.cuts import head, middle, tail
from rag_lessons.documents import load_documents
from rag_lessons.evaluation import find_evidence, load_questions
from rag_lessons.exercises.feedback import Feedback, expect_list, gentle
from rag_lessons.index import build_index
from rag_lessons.runs import share_kept
from rag_lessons.tokens import estimate_tokens

MARKER = "[...]"
SHARE = 30  # percent of each document that a cut keeps
CUTS = {"head": head, "tail": tail, "middle": middle}
FIVE = (
    "faq_visitors.md",
    "incident_report_hall_d.md",
    "minutes_station_committee.md",
    "news_report_skate_nursery.md",
    "travel_policy.md",
)


@gentle
def check_middle(keep: Callable[[list[str], int], Sequence[str]]) -> Feedback:
    """Check a cut that keeps both ends: a marker for what is left out, and never over the budget.

    keep: (tokens, budget) -> the tokens that are kept, in order.
    """
    cases = [(count, budget) for count in (0, 1, 2, 3, 7, 10) for budget in range(12)]
    for count, budget in cases:
        tokens = [f"w{n}" for n in range(count)]
        given = list(tokens)
        answer = keep(given, budget)
        wrong = expect_list(answer, "tokens")
        text = wrong.text if wrong else _wrong_ends(tokens, budget, list(answer))
        if text or given != tokens:
            text = text or "it changed the list that it was given"
            return Feedback(False, f"{count} tokens, budget {budget}: {text}")
    return Feedback(True, f"both ends are kept, and the budget too, in {len(cases)} cases")


def _wrong_ends(tokens: list[str], budget: int, answer: list[str]) -> str:
    """What is wrong with both ends of some tokens, in words; an empty text if nothing is."""
    if len(answer) > budget:
        return f"it returned {len(answer)} tokens, the marker included: {answer!r:.80}"
    if len(tokens) <= budget:
        return "" if answer == tokens else f"all of them fit, so return them unchanged; got {answer!r:.80}"
    marked = budget >= 3
    if answer.count(MARKER) != marked:
        rule = f"one {MARKER!r} stands between the ends" if marked else f"leave {MARKER!r} out, it takes the room"
        return f"{rule}; got {answer!r:.80}"
    room = budget - marked
    front = (room + 1) // 2
    back = room - front
    if len(answer) < budget:
        return f"it returned {len(answer)} tokens, and one more would fit: {answer!r:.80}"
    right = [*tokens[:front], *[MARKER] * marked, *tokens[len(tokens) - back :]]
    return "" if answer == right else f"keep {front} from the beginning and {back} from the end; got {answer!r:.80}"


@cache
def evidence_by_cut(doc_id: str) -> dict[str, float]:
    """How much of the evidence in a document of the handbook each cut keeps at `SHARE` percent, 0 to 1.

    A mean over all pieces of evidence for any question that stand in the document.

    >>> sorted(evidence_by_cut("notice_freezer.md"))
    ['head', 'middle', 'tail']
    """
    documents, _ = load_documents(data_folder("handbook"))
    index = build_index(documents)
    text = index.documents[doc_id].text
    places = [place for q in load_questions() for place in find_evidence(index, q.evidence)]
    gold = [span for found, span in places if found == doc_id]
    budget = estimate_tokens(text) * SHARE // 100
    kept = {name: cut(text, budget).spans for name, cut in CUTS.items()}
    return {name: fmean(share_kept([span], [1.0], spans) for span in gold) for name, spans in kept.items()}


@gentle
def check_cuts(cuts: Mapping[str, str]) -> Feedback:
    """Check which cut suits each of five documents: no other one keeps more of their evidence.

    cuts: id of each document in `FIVE` -> "head", "tail" or "middle".
    """
    if not isinstance(cuts, Mapping) or set(cuts) != set(FIVE):
        return Feedback(False, f"name a cut for each of these, and no other: {', '.join(FIVE)}")
    unknown = [cut for cut in cuts.values() if cut not in CUTS]
    if unknown:
        return Feedback(False, f"a cut is one of {', '.join(CUTS)}; got {unknown[0]!r:.60}")
    wrong = [doc_id for doc_id in FIVE if evidence_by_cut(doc_id)[cuts[doc_id]] < max(evidence_by_cut(doc_id).values())]
    if wrong:
        cut = cuts[wrong[0]]
        kept = f"{cut} keeps {100 * evidence_by_cut(wrong[0])[cut]:.0f} % of the evidence in {wrong[0]}"
        return Feedback(False, f"right for {len(FIVE) - len(wrong)} of {len(FIVE)}; {kept}, and another cut keeps more")
    lead = ", ".join(f"{100 * max(evidence_by_cut(doc_id).values()):.0f} % of {doc_id}" for doc_id in FIVE)
    return Feedback(True, f"of the evidence they keep {lead}; each is the most that one of the three keeps")
