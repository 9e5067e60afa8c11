"""Cases of packing: one budget for the whole context, kept by the text as written, and every skip accounted for.

The rule behind them is a property in tests/test_budgeting.py: `test_the_promise`.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import PROSE, count_words, index_of, render_with, texts

from rag_lessons import Document, ask, prepare_index
from rag_lessons.budgeting import POLICIES, ContextBudget, pack
from rag_lessons.context import article_layout, merge_spans
from rag_lessons.routing import Candidate
from rag_lessons.sentences import sentence_spans

each_policy = pytest.mark.parametrize("policy", POLICIES)


def words_of(letter, count):
    return " ".join(f"{letter}{n}" for n in range(count))


def bare(index):
    """A layout without labels: the merged spans, a space between them, which costs no word."""

    def render(pieces):
        spans = [(piece.chunk.doc_id, span) for piece in pieces for span in piece.spans]
        parts = []
        for doc_id in sorted({doc_id for doc_id, _ in spans}):
            text = index.documents[doc_id].text
            parts += [text[s:e] for s, e in merge_spans(text, [span for name, span in spans if name == doc_id])]
        return " ".join(parts)

    return render


def packed(chunks, budget, policy="first-fit", render=bare, counter=count_words):
    """Pack some texts, each a chunk of its own document, in this order."""
    index = index_of(chunks)
    return pack_index(index, budget, policy, render, counter)


def pack_index(index, budget, policy="first-fit", render=bare, counter=count_words):
    found = [Candidate(chunk, 1.0) for chunk in index.chunks]

    def sentences(candidates):
        units = []
        for place, candidate in enumerate(candidates):
            start = candidate.chunk.start
            spans = sentence_spans(index.text(candidate.chunk))
            units += [(1.0, place, (start + s, start + e)) for s, e in spans]
        return units

    return pack(found, ContextBudget(budget, counter), render(index), policy, sentences)


def numbers(parts):
    return [int(part.candidate.chunk.doc_id[1:-3]) for part in parts]


@case("PK-01")
@pytest.mark.parametrize("policy", ["first-fit", "best value", "sentences"])
def test_a_chunk_that_does_not_fit_is_passed_over(policy):
    chosen = packed([words_of("a", 50), words_of("b", 8), words_of("c", 7)], 20, policy)
    assert (numbers(chosen.included), chosen.tokens, numbers(chosen.skipped)) == ([1, 2], 15, [0])
    if policy != "sentences":
        assert {"50", "20"} <= set(re.findall(r"\d+", chosen.skipped[0].reason))


@case("PK-03")
@each_policy
@pytest.mark.parametrize("counter", [count_words, len, lambda text: len(text) // 99], ids=["words", "len", "free"])
def test_a_budget_of_0_lets_nothing_in_and_no_limit_comes_by_accident(policy, counter):
    chosen = packed(["a0 a1 a2"], 0, policy, counter=counter)
    assert (chosen.included, chosen.context, chosen.tokens) == ((), "", 0)
    assert numbers(chosen.skipped) == [0] and chosen.skipped[0].reason
    with pytest.raises(ValueError, match="0 or more; got -1"):
        packed(["a0 a1 a2"], -1, policy)
    with pytest.raises(TypeError, match="got None"):
        packed(["a0 a1 a2"], None, policy)
    index = prepare_index([Document("a.md", "a0 a1 a2")])
    for budget in (-1, None, True, float("nan"), "9"):
        with pytest.raises((TypeError, ValueError), match=f"budget must be .* got {budget!r}"):
            ask("a1", index, budget)


@case("PK-05")
@each_policy
@pytest.mark.parametrize("starts", [(0, 15), (0, 20), (0, 1)])
def test_what_chunks_share_is_written_and_paid_once(policy, starts):
    words = [f"t{n}" for n in range(35)]
    text = " ".join(words)
    ends = (text.index("t20") - 1, len(text))
    begins = [text.index(words[start]) for start in starts]
    index = index_of([text], lambda document: list(zip(begins, ends, strict=True)))
    chosen = pack_index(index, 40, policy)
    assert len(chosen.included) == 2 and chosen.skipped == () and chosen.tokens == 35
    assert chosen.context.split() == words


def test_what_repeats_in_the_source_is_left_in():
    text = "Same here. Same here. Then other."
    index = index_of([text], lambda document: [(0, 21), (11, len(text))])
    assert pack_index(index, 40).context == text


@case("PK-07")
@each_policy
@pytest.mark.parametrize("render", [bare, render_with, lambda index: lambda pieces: article_layout(index, pieces)])
def test_the_trace_adds_up(policy, render):
    chunks = [" ".join(f"x{n}_{i}" for i in range(n + 3)) for n in range(12)]
    chosen = packed(chunks, 40, policy, render)
    inside, outside = numbers(chosen.included), numbers(chosen.skipped)
    assert sorted(inside + outside) == list(range(12)) and not set(inside) & set(outside)
    joiners = (len(inside) - 1) * (render not in (bare, render_with))  # a rule costs a word, a space or line end none
    assert sum(part.spent for part in chosen.included) + joiners == chosen.tokens
    assert chosen.tokens == count_words(chosen.context) <= 40
    assert all(word in chosen.context.split() for n in inside for word in chunks[n].split())
    assert all(part.reason for part in chosen.skipped)


@case("PK-08")
@each_policy
def test_the_budget_is_for_all_chunks_together_and_equal_fits(policy):
    chosen = packed([" ".join(f"p{n}_{i}" for i in range(10)) for n in range(6)], 20, policy)
    assert (len(chosen.included), chosen.tokens) == (2, 20)
    if policy != "best value":  # which of the equal ones it takes is its own affair
        assert numbers(chosen.included) == [0, 1]


@each_policy
@given(st.lists(texts(PROSE, 6), max_size=6), st.integers(0, 60), st.sampled_from([bare, render_with]))
def test_included_and_skipped_are_all_and_the_text_is_what_was_counted(policy, chunks, budget, render):
    chosen = packed(chunks, budget, policy, render)
    candidates = [n for n, text in enumerate(chunks) if text.strip()]
    assert sorted(numbers(chosen.included) + numbers(chosen.skipped)) == candidates
    assert count_words(chosen.context) == chosen.tokens <= budget
    assert bool(chosen.included) == bool(chosen.context) and not (budget == 0 and chosen.included)
