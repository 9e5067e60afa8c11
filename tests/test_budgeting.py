"""Packing: one promise under every policy, counter and budget."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import COUNTERS, LINES, PROSE, count_words, counters, index_of, render_with, texts

from rag_lessons import Document, ask, prepare_index
from rag_lessons.budgeting import POLICIES, ContextBudget, pack
from rag_lessons.chunking import paragraph_spans
from rag_lessons.context import article_layout
from rag_lessons.pipeline import find_copies
from rag_lessons.routing import Candidate
from rag_lessons.sentences import sentence_spans

each_policy = pytest.mark.parametrize("policy", POLICIES)
ENOUGH = 100_000


@st.composite
def candidates(draw):
    """Some chunks of some texts, in any order, with any scores."""
    found = draw(st.lists(texts([*PROSE, *LINES[:9]], 10), max_size=4))
    index = index_of(found, lambda document: paragraph_spans(document.text))
    chosen = draw(st.lists(st.sampled_from(index.chunks), unique=True)) if index.chunks else []
    return index, [Candidate(chunk, draw(st.floats(0.1, 9))) for chunk in chosen]


def sentences_of(index):
    """Every sentence of every candidate, the later ones first."""

    def scored(found):
        units = []
        for place, candidate in enumerate(found):
            text, start = index.text(candidate.chunk), candidate.chunk.start
            units += [(start + s, place, (start + s, start + e)) for s, e in sentence_spans(text)]
        return units

    return scored


def run(index, found, tokens, policy, counter=len, **named):
    return pack(found, ContextBudget(tokens, counter), render_with(index), policy, sentences_of(index), **named)


@each_policy
@given(case=candidates(), tokens=st.integers(0, 120), counter=counters)
def test_the_promise(policy, case, tokens, counter):
    index, found = case
    chosen = run(index, found, tokens, policy, counter, copies=find_copies(index, found))
    inside = [i.candidate for i in chosen.included]
    outside = [s.candidate for s in chosen.skipped]
    # a partition, both parts in rank order, each skip with a reason
    assert inside == [c for c in found if c in inside] and outside == [c for c in found if c in outside]
    assert sorted(c.chunk.chunk_id for c in inside + outside) == sorted(c.chunk.chunk_id for c in found)
    assert all(skip.reason and skip.tokens > 0 for skip in chosen.skipped)
    # what is written is what was counted
    assert chosen.tokens == chosen.context_tokens == (counter(chosen.context) if inside else 0) <= tokens
    assert bool(chosen.context) == bool(inside)
    assert not (tokens == 0 and inside)
    for included in chosen.included:
        chunk = included.candidate.chunk
        assert included.spans == tuple(sorted(included.spans))
        assert all(chunk.start <= start < end <= chunk.end for start, end in included.spans)
        assert all(index.documents[chunk.doc_id].text[s:e].strip() in chosen.context for s, e in included.spans)


@each_policy
@given(case=candidates(), counter=counters)
def test_enough_room_includes_all(policy, case, counter):
    index, found = case
    chosen = run(index, found, ENOUGH, policy, counter)
    assert [i.candidate for i in chosen.included] == found and chosen.skipped == ()
    for included in chosen.included:
        start, end = included.candidate.chunk.start, included.candidate.chunk.end
        kept = "".join(index.documents[included.candidate.chunk.doc_id].text[s:e] for s, e in included.spans)
        assert "".join(kept.split()) == "".join(
            index.documents[included.candidate.chunk.doc_id].text[start:end].split()
        )


@given(case=candidates(), tokens=st.integers(0, 120), counter=counters)
def test_best_value_is_never_worth_less_than_first_fit(case, tokens, counter):
    worth = {
        policy: sum(i.candidate.score for i in run(*case, tokens, policy, counter).included)
        for policy in ("stop at first", "first-fit", "best value")
    }
    assert worth["stop at first"] <= worth["first-fit"] <= worth["best value"]


def test_one_budget_for_the_whole_context():
    index = index_of([f"p{n} " * 10 for n in range(6)])
    found = [Candidate(chunk, 1.0) for chunk in index.chunks]
    chosen = pack(found, ContextBudget(20, count_words), lambda pieces: " ".join(index.text(p.chunk) for p in pieces))
    assert [i.candidate.chunk.doc_id for i in chosen.included] == ["d0.md", "d1.md"] and chosen.tokens == 20


def test_costs_and_joiners_add_up():
    index = index_of([" ".join(f"w{n}_{i}" for i in range(n + 3)) for n in range(9)])
    found = [Candidate(chunk, 1.0) for chunk in index.chunks]
    chosen = run(index, found, 40, "first-fit", count_words)
    assert sum(i.tokens for i in chosen.included) == chosen.tokens == count_words(chosen.context)


def test_without_joiners_only_the_blocks_are_counted():
    index = index_of(["alpha", "beta"])
    found = [Candidate(chunk, 1.0) for chunk in index.chunks]
    for joiners, fitting in ((False, 2), (True, 1)):  # a block costs 9 words, the rule between two 1
        chosen = pack(found, ContextBudget(18, count_words, joiners), lambda pieces: article_layout(index, pieces))
        assert len(chosen.included) == fitting
        assert chosen.tokens == 9 * fitting
    blocks = pack(found, ContextBudget(18, count_words, False), lambda pieces: article_layout(index, pieces))
    assert blocks.context_tokens == 19


def test_overlapping_chunks_are_written_once():
    words = [f"t{n}" for n in range(30)]
    text = " ".join(words)
    index = index_of([text], lambda document: [(0, text.index("t18") - 1), (text.index("t12"), len(text))])
    found = [Candidate(chunk, 1.0) for chunk in index.chunks]
    for policy in POLICIES[:3]:
        chosen = run(index, found, 33, policy, count_words)
        assert len(chosen.included) == 2 and chosen.tokens == 33
        assert [chosen.context.split().count(word) for word in words] == [1] * 30


def test_copies_are_found_and_named():
    index = index_of(["Same  text.", "Other.", "Same text."])
    found = [Candidate(chunk, 1.0) for chunk in index.chunks]
    copies = find_copies(index, found)
    assert copies == {2: 0}
    for policy in POLICIES[:3]:
        chosen = run(index, found, ENOUGH, policy, copies=copies)
        assert [(s.candidate.chunk.doc_id, s.reason) for s in chosen.skipped] == [
            ("d2.md", "repeats the text of d0.md-chunk-001")
        ]


@each_policy
def test_no_candidates(policy):
    for tokens in (0, 10):
        chosen = run(index_of([]), [], tokens, policy)
        assert (chosen.included, chosen.skipped, chosen.context, chosen.tokens) == ((), (), "", 0)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (-1, ValueError),
        (None, TypeError),
        (True, TypeError),
        (2.5, TypeError),
        ("250", TypeError),
        (float("nan"), TypeError),
    ],
)
def test_bad_budget_is_named(value, error):
    with pytest.raises(error, match=f"budget must be a whole number of tokens, 0 or more; got {value!r}"):
        ContextBudget(value)


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8])
def test_a_whole_number_of_numpy_is_one(kind):
    index = prepare_index([Document("a.txt", "Gates rust. Birds nest.")])
    trace = ask("Do gates rust?", index, kind(200))
    assert trace == ask("Do gates rust?", index, 200)
    assert type(trace.budget) is int and json.loads(json.dumps(trace.to_dict())) == trace.to_dict()
    with pytest.raises(TypeError, match="got .*250.0"):
        ContextBudget(np.float64(250))


def test_bad_policy_is_named():
    index = index_of([])
    with pytest.raises(
        ValueError, match="policy must be one of first-fit, stop at first, best value, sentences; got 'best'"
    ):
        run(index, [], 5, "best")
    with pytest.raises(ValueError, match="the policy 'sentences' needs sentences"):
        pack([], ContextBudget(5), render_with(index), "sentences")


def test_every_counter_is_tried():
    assert set(COUNTERS) == {"words", "characters", "bytes", "estimate"}
