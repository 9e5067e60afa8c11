"""How much evidence reaches the prompt: counts by hand, shares that add up."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_lessons import PRESETS, Document, ask, prepare_index
from rag_lessons.answering import Answer
from rag_lessons.budgeting import Included, Selection
from rag_lessons.evaluation import VERDICTS, Question, find_evidence, judge
from rag_lessons.index import ChunkRecord, build_index, default_recipe
from rag_lessons.metrics import FIELDS, KEYS, Losses, Score, losses, mean_by, measure, trace_spans
from rag_lessons.routing import Candidate, Route
from rag_lessons.trace import Trace

TEXT = "abcde fghij\n\nklmno pqrst"  # 20 visible characters in 24
INDEX = build_index([Document("a", TEXT), Document("b", "uvwxyz")])
PLACES = [("a", 0, len(TEXT)), ("b", 0, 6)]


def question(*evidence, name="q1", kind="head"):
    return Question(name, kind, f"What of {name}?", "", evidence)


def score(spans, *evidence, budget=10):
    (found,) = measure(lambda question, budget: spans, INDEX, [question(*evidence)], [budget])
    return found


def make_trace(included, candidates):
    """A trace of one chunk a candidate, (document id, start, end), and of what of them is in the prompt."""
    chunks = [Candidate(ChunkRecord(str(n), d, n, s, e, ""), 1.0) for n, (d, s, e) in enumerate(candidates, 1)]
    held = [Included(Candidate(ChunkRecord("", d, 1, s, e, ""), 1.0), ((s, e),), len) for d, s, e in included]
    selection = Selection(tuple(held), (), "", 0, 0)
    return Trace("", "", {}, 0, Route((), (), tuple(chunks)), selection, {}, {}, "", Answer("", ()))


def test_a_score_by_hand():
    # Evidence: "cde fghij" (8 visible). Prompt: "abcde f" (6) and "uv" (2), of which "cde f" (4) is evidence.
    found = score([("a", 0, 7), ("b", 0, 2)], ("a", "cde fghij"), budget=50)
    assert found == Score("q1", "head", 50, 4 / 8, 4 / 8, 4 / 12, False, 8)
    assert score([("a", 2, 11)], ("a", "cde fghij")) == Score("q1", "head", 10, 1.0, 1.0, 1.0, True, 8)


def test_overlapping_evidence_counts_once_and_a_span_given_twice_is_spent_twice():
    # "abcde" and "cde fgh" make "abcde fgh", 8 visible characters; the prompt has "bcde", 4 of them.
    assert score([("a", 1, 5)], ("a", "abcde"), ("a", "cde fgh")).recall == 4 / 8
    found = score([("a", 0, 5), ("a", 0, 5)], ("a", "abcde fghij"), ("a", "abcde"))
    assert (found.recall, found.precision, found.iou, found.spent) == (5 / 10, 5 / 10, 5 / 15, 10)


def test_white_space_and_other_documents_are_no_evidence():
    assert score([("a", 0, 13)], ("a", "abcde fghij\n\nk")).recall == 10 / 11
    assert score([("b", 0, 5)], ("a", "abcde")).recall == 0.0
    assert score([("a", 0, 5)], ("a", "abcde"), ("b", "uvwxy")).recall == 5 / 10


@pytest.mark.parametrize("prompt", [[], [("a", 3, 3)], [("a", 11, 13)]])
def test_a_prompt_of_nothing_visible_scores_nothing(prompt):
    assert score(prompt, ("a", "abcde")) == Score("q1", "head", 10, 0.0, 0.0, 0.0, False, 0)


def test_questions_go_in_order_at_each_budget_and_those_without_evidence_are_left_out():
    asked = []
    found = {"q2": [("a", "abcde")], "q3": [], "q1": [("b", "u")], "q4": [("a", " ")]}
    questions = [question(*evidence, name=name) for name, evidence in found.items()]
    scores = measure(lambda *got: asked.append(got) or [("a", 0, 5)], INDEX, questions, [30, 20])
    order = [("q2", 30), ("q1", 30), ("q2", 20), ("q1", 20)]
    assert [(s.question_id, s.budget) for s in scores] == order
    assert asked == [(f"What of {name}?", budget) for name, budget in order]
    assert [s.recall for s in scores] == [1.0, 0.0, 1.0, 0.0]
    assert measure(lambda *got: [], INDEX, [], [30]) == [] == measure(lambda *got: [], INDEX, questions, [])


@st.composite
def spans(draw):
    doc_id, start, end = draw(st.sampled_from(PLACES))
    cuts = sorted(draw(st.tuples(st.integers(start, end), st.integers(start, end))))
    return (doc_id, *cuts)


def places(spans):
    """Each visible character inside some spans, by document and position."""
    return {(d, i) for d, start, end in spans for i in range(start, end) if INDEX.documents[d].text[i].strip()}


EVIDENCE = st.lists(spans(), min_size=1, max_size=4).filter(places)


@given(st.lists(spans(), max_size=5), EVIDENCE, st.randoms(use_true_random=False))
def test_a_score_is_what_a_count_character_by_character_gives(prompt, evidence, random):
    # No two letters are alike, so a piece with one in it is found where it was cut.
    evidence = [piece for piece in evidence if places([piece])]
    pieces = [(d, INDEX.documents[d].text[s:e]) for d, s, e in evidence]
    found = score(prompt, *pieces)
    gold, inside, spent = places(evidence), places(evidence) & places(prompt), sum(len(places([p])) for p in prompt)
    shares = len(inside) / len(gold), len(inside) / max(1, spent), len(inside) / (spent + len(gold - inside))
    assert found == Score("q1", "head", 10, *shares, inside == gold, spent)
    assert score(random.sample(prompt, len(prompt)), *random.sample(pieces, len(pieces))) == found


def test_bad_budgets_are_refused_before_anything_is_asked():
    asked = []
    for budget, error in ((2.5, TypeError), (True, TypeError), (-5, ValueError)):
        with pytest.raises(error, match="budget must be a whole number of tokens, 0 or more; got"):
            measure(lambda *got: asked.append(got) or [], INDEX, [question(("a", "abcde"))], [10, budget])
    assert asked == []


@pytest.mark.parametrize("span", [(-1, 3), (0, 25), (5, 4), (25, 25)])
def test_a_span_outside_its_document_is_named(span):
    with pytest.raises(ValueError) as error:
        score([("a", 0, 24), ("a", *span)], ("a", "abcde"))
    assert str(error.value) == f"span {span} is outside 'a'; give a start and an end from 0 to 24"


def test_a_document_that_is_not_there_is_named():
    with pytest.raises(ValueError, match=r"no document 'c' in the index; name one of \['a', 'b'\]"):
        score([("c", 0, 1)], ("a", "abcde"))
    with pytest.raises(ValueError, match="the evidence 'uvw' is not in 'a'"):
        score([], ("a", "uvw"))


@pytest.mark.parametrize("questions", [["Who rings?"], "Who rings?", [question(("a", "abcde")), ("q2", "Who?")]])
def test_questions_without_their_evidence_are_refused_before_anything_is_asked(questions):
    asked = []
    with pytest.raises(TypeError, match="questions must be `Question`s, which hold their evidence; got"):
        measure(lambda *got: asked.append(got) or [], INDEX, questions, [10])
    assert asked == []


def test_spans_of_a_trace_are_merged_where_they_overlap_or_touch():
    included = [("b", 2, 4), ("a", 13, 18), ("a", 0, 5), ("a", 5, 9), ("a", 8, 11), ("b", 4, 6)]
    assert trace_spans(make_trace(included, [])) == [("a", 0, 11), ("a", 13, 18), ("b", 2, 6)]
    assert trace_spans(make_trace([], [])) == []


def test_each_loss_by_hand():
    evidence = [("a", (0, 11)), ("a", (13, 18)), ("b", (0, 6))]  # "abcde fghij", "klmno", "uvwxyz": 10 + 5 + 6
    # The prompt has "abc"; the candidates also "de f"; "ghij" is cut off; "klmno" and "uvwxyz" were never found.
    found = losses(make_trace([("a", 0, 3)], [("a", 0, 7), ("a", 19, 24)]), INDEX, evidence)
    assert found == Losses(reached=3 / 21, dropped=3 / 21, not_routed=11 / 21, split_off=4 / 21)
    # The same with pieces one after the other in one: what belongs together is split, not lost on its way.
    whole = losses(make_trace([("a", 0, 3)], [("a", 0, 7)]), INDEX, [("a", (0, 18))])
    assert whole == Losses(reached=3 / 15, dropped=3 / 15, not_routed=0.0, split_off=9 / 15)
    twice = losses(make_trace([], [("a", 0, 3)]), INDEX, [("a", (0, 5)), ("a", (4, 11)), ("a", (0, 5))])
    assert twice == Losses(reached=0.0, dropped=3 / 10, not_routed=0.0, split_off=7 / 10)


@pytest.mark.parametrize("evidence", [[], [("a", (11, 13))], [("a", (3, 3))]])
def test_losses_of_nothing_are_refused(evidence):
    with pytest.raises(ValueError, match="evidence must hold a visible character; leave out questions without any"):
        losses(make_trace([], []), INDEX, evidence)


@given(st.lists(spans(), max_size=4), st.lists(spans(), max_size=4), EVIDENCE, st.randoms(use_true_random=False))
def test_losses_make_up_the_whole(included, others, evidence, random):
    pieces = [(d, (s, e)) for d, s, e in evidence]
    found = losses(make_trace(included, included + others), INDEX, pieces)
    shares = [found.reached, found.dropped, found.not_routed, found.split_off]
    assert all(0 <= share <= 1 for share in shares)
    assert sum(Fraction(share).limit_denominator(26) for share in shares) == 1
    held, candidates, gold = (random.sample(part, len(part)) for part in (included, others + included, pieces))
    assert losses(make_trace(held, candidates), INDEX, gold) == found


TERNS = "Terns nest on the lock.\n\nA motor lifts the gate.\n\nKelp is cut in May."
SETTINGS = replace(PRESETS["default"](), recipe=default_recipe(target=25))


@pytest.mark.parametrize("policy", ["first-fit", "sentences"])
@pytest.mark.parametrize("budget", [0, 14, 20, 100])
def test_scores_and_losses_of_a_real_trace_agree_with_the_verdict(policy, budget):
    settings = replace(SETTINGS, policy=policy)
    index = prepare_index([Document("a.txt", TERNS), Document("b.txt", "Kelp floats.")], settings)
    asked = replace(question(("a.txt", "nest on"), ("a.txt", "lifts the gate")), text="Which motor do terns lift?")
    places = find_evidence(index, asked.evidence)
    trace = ask(asked.text, index, budget, settings)
    (found,) = measure(lambda text, tokens: trace_spans(ask(text, index, tokens, settings)), index, [asked], [budget])
    verdict, lost = judge(trace, index, places), losses(trace, index, places)
    assert found.recall == lost.reached == verdict.reached
    assert found.full == (verdict.text == VERDICTS[0])
    assert lost.reached + lost.dropped == pytest.approx(verdict.found)


SCORES = [
    Score("q1", "tail", 500, 0.5, 0.25, 0.125, False, 40),
    Score("q1", "tail", 50, 0.0, 0.0, 0.0, False, 4),
    Score("q2", "head", 500, 1.0, 0.75, 0.75, True, 20),
    Score("q2", "head", 50, 0.25, 0.5, 0.25, False, 8),
]


def test_means_by_one_key_and_by_several():
    assert list(mean_by(SCORES, "recall", "budget").items()) == [(50, 0.125), (500, 0.75)]
    assert list(mean_by(SCORES, "full", "kind").items()) == [("head", 0.5), ("tail", 0.0)]
    assert mean_by(SCORES, "spent", "question_id") == {"q1": 22, "q2": 14}
    both = {("head", 50): 0.25, ("head", 500): 0.75, ("tail", 50): 0.0, ("tail", 500): 0.125}
    assert list(mean_by(SCORES, "iou", "kind", "budget").items()) == list(both.items())
    assert mean_by([], "recall", "budget") == {}


def test_an_unknown_field_or_key_is_named_even_without_scores():
    with pytest.raises(ValueError, match=f"field must be one of {', '.join(FIELDS)}; got 'recal'"):
        mean_by([], "recal", "budget")
    with pytest.raises(ValueError, match=f"key must be one of {', '.join(KEYS)}; got 'sort'"):
        mean_by(SCORES, "recall", "kind", "sort")
