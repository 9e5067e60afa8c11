"""`pack` hands each policy what it needs, and each policy gives its own result."""

from dataclasses import FrozenInstanceError

import pytest
from texts import index_of, render_with

from rag_lessons.budgeting import POLICIES, ContextBudget, pack
from rag_lessons.chunking import paragraph_spans
from rag_lessons.routing import Candidate

# Three chunks of one document: the first is long and fills the budget alone, the others fit together.
INDEX = index_of(["the longest of all\n\ngates rust\n\nterns nest"], lambda document: paragraph_spans(document.text))
LONG, GATES, TERNS = INDEX.chunks


def count_letters(text):
    return sum(sign.isalpha() for sign in text)


def packed(policy, scores, tokens, chunks=(LONG, GATES, TERNS), counter=count_letters):
    found = [Candidate(chunk, score) for chunk, score in zip(chunks, scores, strict=True)]
    render = render_with(INDEX)

    def halves(candidates):
        return [(1.0, place, (c.chunk.start, c.chunk.start + 5)) for place, c in enumerate(candidates)]

    return pack(found, ContextBudget(tokens, counter), render, policy, halves)


def test_each_policy_chooses_its_own():
    room = 25  # letters: 15 for the long one, 9 for each other, 3 for the label
    by_policy = {
        policy: [i.candidate.chunk for i in packed(policy, [1.0, 0.9, 0.8], room).included] for policy in POLICIES
    }
    assert by_policy["first-fit"] == [LONG]
    assert by_policy["best value"] == [GATES, TERNS]
    assert by_policy["stop at first"] == [LONG]
    assert by_policy["sentences"] == [LONG, GATES, TERNS]


def test_stop_at_first_takes_nothing_behind_what_does_not_fit():
    chunks, room = (GATES, LONG, TERNS), 25
    assert [i.candidate.chunk for i in packed("first-fit", [3, 2, 1], room, chunks).included] == [GATES, TERNS]
    assert [i.candidate.chunk for i in packed("stop at first", [3, 2, 1], room, chunks).included] == [GATES]


@pytest.mark.parametrize("score", [-5.0, -0.5])
def test_a_score_below_0_is_worth_nothing(score):
    room = packed("first-fit", [1, 1], 99, (GATES, TERNS)).tokens - 1
    assert [i.candidate.chunk for i in packed("best value", [score, 0.5], room, (GATES, TERNS)).included] == [TERNS]


def test_nothing_costs_nothing_and_something_at_least_one():
    budget, render = ContextBudget(5, lambda text: 0), render_with(INDEX)
    assert budget.cost(render, []) == 0
    chosen = pack([Candidate(GATES, 1.0)], budget, render)
    assert (chosen.included[0].tokens, chosen.included[0].spent) == (1, 1)
    assert pack([Candidate(GATES, 1.0)], ContextBudget(0, lambda text: 0), render).included == ()


def test_what_was_packed_cannot_be_changed_and_shows_no_function():
    chosen = packed("first-fit", [3, 2, 1], 25)
    fields = {chosen: "context", chosen.included[0]: "spans", chosen.skipped[0]: "reason", ContextBudget(5): "tokens"}
    for record, name in fields.items():
        with pytest.raises(FrozenInstanceError):
            setattr(record, name, None)
    assert "cost" not in repr(chosen)
