"""Checks for lesson 05: a packing policy that beats first-fit, and a trace explained."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from rag_lessons.context import Piece, labelled_layout, whole
from rag_lessons.corpora import data_folder
from rag_lessons.documents import load_documents
from rag_lessons.evaluation import Question, find_evidence, judge, load_questions
from rag_lessons.exercises.feedback import Feedback, expect_list, gentle
from rag_lessons.index import HierarchicalIndex
from rag_lessons.pipeline import ask, prepare_index
from rag_lessons.policies import Problem, first_fit
from rag_lessons.presets import article_settings
from rag_lessons.routing import HardRoute
from rag_lessons.tokens import estimate_tokens
from rag_lessons.trace import Trace

BUDGETS = (125, 250, 500)
ROUTE = HardRoute(k_documents=4, k_chunks=3)
EXPLAINED = "q090"


@dataclass(frozen=True, slots=True)
class Item:
    """What a packing policy sees of a candidate: its text, its tokens and its score."""

    text: str
    tokens: int
    score: float


@cache
def _handbook() -> tuple[HierarchicalIndex, tuple[Question, ...]]:
    documents, _ = load_documents(data_folder("handbook"))
    return prepare_index(documents), tuple(q for q in load_questions() if q.evidence)


@cache
def packing_problems() -> tuple[tuple[str, tuple[Piece, ...], tuple[Item, ...], tuple], ...]:
    """For each answerable question of the handbook: its text, candidates, items and evidence."""
    index, questions = _handbook()
    problems = []
    for question in questions:
        candidates = ROUTE(question.text, index).candidates
        pieces = tuple(whole(candidate.chunk) for candidate in candidates)
        texts = [labelled_layout(index, [piece]) for piece in pieces]
        items = tuple(
            Item(text, estimate_tokens(text), candidate.score)
            for text, candidate in zip(texts, candidates, strict=True)
        )
        problems.append((question.text, pieces, items, tuple(find_evidence(index, question.evidence))))
    return tuple(problems)


def evidence_reached(policy: Callable[[str, Sequence[Item], int], Sequence[int]], budget: int) -> float:
    """Mean share of the evidence in what a policy chooses, over the handbook's questions, 0 to 1.

    policy: (question, items in rank order, budget in tokens) -> places of the chosen items.

    >>> evidence_reached(lambda question, items, budget: [], 250)
    0.0
    """
    shares = []
    for question, pieces, items, evidence in packing_problems():
        chosen = [pieces[i] for i in policy(question, items, budget)]
        size = sum(end - start for _, (start, end) in evidence)
        inside = sum(
            max(0, min(end, e) - max(start, s))
            for doc_id, (start, end) in evidence
            for piece in chosen
            for s, e in piece.spans
            if piece.chunk.doc_id == doc_id
        )
        shares.append(inside / size)
    return sum(shares) / len(shares)


def in_rank_order(question: str, items: Sequence[Item], budget: int) -> list[int]:
    """First-fit, as a policy for `evidence_reached`.

    >>> in_rank_order("", [Item("a", 9, 1.0), Item("b", 2, 1.0)], 5)
    [1]
    """
    pieces = [Piece(None, ((0, item.tokens),)) for item in items]
    problem = Problem(pieces, [item.score for item in items], budget, lambda taken: sum(p.spans[0][1] for p in taken))
    return list(first_fit(problem)[0])


@gentle
def check_packing(policy: Callable[[str, Sequence[Item], int], Sequence[int]]) -> Feedback:
    """Check a packing policy: it must keep the budget, and beat first-fit over three budgets.

    policy: (question, items in rank order, budget in tokens) -> places of the chosen items.
    """
    for budget in (*BUDGETS, 0):
        for question, _, items, _ in packing_problems()[:20]:
            chosen = policy(question, items, budget)
            wrong = expect_list(chosen, "positions in items")
            if wrong:
                return wrong
            if not all(isinstance(i, int) for i in chosen):
                return Feedback(False, "it returned something else than positions; return numbers from 0, not items")
            if sorted(set(chosen)) != sorted(chosen) or any(i not in range(len(items)) for i in chosen):
                return Feedback(
                    False, f"it returned {list(chosen)}; give each position from 0 to {len(items) - 1} at most once"
                )
            used = sum(items[i].tokens for i in chosen)
            if used > budget:
                return Feedback(False, f"with a budget of {budget} it chose {list(chosen)}, which cost {used} tokens")
    mine = sum(evidence_reached(policy, budget) for budget in BUDGETS) / len(BUDGETS)
    theirs = sum(evidence_reached(in_rank_order, budget) for budget in BUDGETS) / len(BUDGETS)
    figures = f"your policy brings {100 * mine:.1f} % of the evidence into the prompt, first-fit {100 * theirs:.1f} %"
    return Feedback(mine > theirs, figures + ("" if mine > theirs else "; take them in another order"))


def trace_to_explain() -> Trace:
    """The trace of the second exercise: a handbook question under the article's preset at 250 tokens."""
    index, question, _ = _explained()
    return ask(question.text, index, 250, article_settings())


@cache
def _explained() -> tuple[HierarchicalIndex, Question, tuple]:
    documents, _ = load_documents(data_folder("handbook"))
    index = prepare_index(documents, article_settings())
    question = next(q for q in load_questions() if q.id == EXPLAINED)
    return index, question, tuple(find_evidence(index, question.evidence))


@gentle
def check_explanation(verdict: str, smallest_budget: int) -> Feedback:
    """Check what became of the evidence in `trace_to_explain`, and the budget at which it gets in.

    verdict: one of `evaluation.VERDICTS`. smallest_budget: tokens.
    """
    index, question, evidence = _explained()
    right = judge(trace_to_explain(), index, evidence).text
    if verdict != right:
        return Feedback(False, f"{verdict!r} is not what happened; compare the evidence with included and skipped")
    if not isinstance(smallest_budget, int):
        return Feedback(False, f"smallest_budget must be a whole number of tokens; got {smallest_budget!r}")

    def reached(budget: int) -> bool:
        trace = ask(question.text, index, budget, article_settings())
        return judge(trace, index, evidence).reached == 1

    if not reached(smallest_budget):
        return Feedback(
            False, f"at {smallest_budget} tokens the evidence is still skipped; walk the candidates in order"
        )
    smaller = next((budget for budget in range(smallest_budget) if reached(budget)), None)
    if smaller is not None:
        return Feedback(False, f"at {smallest_budget} tokens it is in, but so it is at a smaller budget")
    again = next((budget for budget in range(smallest_budget, smallest_budget + 50) if not reached(budget)), None)
    more = f", and drops out again at {again}" if again else ""
    return Feedback(True, f"{right}; it gets in at {smallest_budget} tokens{more}")
