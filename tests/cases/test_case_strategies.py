"""Cases of choosing a strategy: what fits is tested against what is really left, and what is left out is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import assert_whole_graphemes, count_words, counters, texts

from rag_lessons import Document, LongContext
from rag_lessons.analysis import analyse
from rag_lessons.budgeting import ContextBudget
from rag_lessons.cuts import head, middle, tail
from rag_lessons.map_reduce import map_reduce
from rag_lessons.planning import plan_window
from rag_lessons.strategies import STRATEGIES, Thresholds, choose, full_document, hybrid, smart_selection
from rag_lessons.truncation import sliding_window


def parts(fact=""):
    """Ten parts of forty made-up words under a heading each, and one fact in the eighth."""
    bodies = [" ".join(f"p{part}_{word}" for word in range(40)) for part in range(1, 11)]
    bodies[7] += f" {fact}" if fact else ""
    return Document("guide.md", "\n\n".join(f"## Part {n}\n\n{body}" for n, body in enumerate(bodies, start=1)))


def run(document, question, room, strategy, counter):
    """The text that one strategy brings in."""
    index = LongContext(8192)
    index.add(document)
    functions = {
        "full document": lambda: full_document(document, question, room, counter),
        "smart selection": lambda: smart_selection(document, question, room, counter),
        "hybrid": lambda: hybrid(document, question, room, index.index, counter),
        "map-reduce": lambda: map_reduce(document, question, room, size=50, overlap=5, counter=counter),
    }
    return functions[strategy]()


@case("ST-01")
@pytest.mark.parametrize(("words", "full"), [(59, True), (60, True), (61, False)])
def test_what_fits_is_what_prompt_question_and_answer_leave(words, full):
    plan = plan_window(100, margin=1, reserve=25, system=10, question=5, overhead=0, counter=count_words)
    found = analyse(Document("a.txt", "w " * words), count_words)
    assert (plan.room, found.tokens) == (60, words)
    choice = choose(found, plan.room, "Which word?", Thresholds(full=1.0))
    assert (choice.strategy == "full document") is full


@case("ST-03")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_fact_far_from_the_beginning_reaches_the_prompt(strategy):
    document = parts("The warranty of the winch lasts 31 months.")
    if strategy == "full document":  # by itself it cuts; chosen by size it is not
        assert choose(analyse(document, count_words), 100, "How long?").strategy == "map-reduce"
        return
    found = run(document, "How many months does the warranty last?", 100, strategy, count_words)
    assert "31 months" in found.text and found.tokens == count_words(found.text) <= 100


@case("ST-04")
@pytest.mark.parametrize("question", ["Summarise this.", "What is it about?", "", "???"])
@pytest.mark.parametrize("strategy", STRATEGIES[1:])
def test_a_question_without_content_words_gets_more_than_the_first_part(question, strategy):
    found = run(parts(), question, 100, strategy, count_words)
    named = {n for n in range(1, 11) if f"p{n}_" in found.text}
    assert len(named) > 1 and found.tokens <= 100


@case("ST-05")
def test_reserves_over_the_window_are_named():
    with pytest.raises(ValueError, match=r"window of 50 .*prompt takes 30 .*reserve 30, so -10 are left"):
        plan_window(50, margin=1, reserve=30, system=30, overhead=0)
    with pytest.raises(ValueError, match="so -"):
        LongContext(50, reserve=30)
    with pytest.raises(ValueError, match="budget must be a whole number of tokens, 0 or more; got -10"):
        ContextBudget(-10)


@case("ST-07")
def test_what_is_dropped_is_told():
    document = Document("a.txt", " ".join(f"w{n}" for n in range(500)))
    for strategy in STRATEGIES[:3]:
        found = run(document, "Which is w7?", 50, strategy, count_words)
        assert (found.strategy, found.document_tokens, found.truncated) == (strategy, 500, True)
        kept = sum(part.tokens for part in found.kept)
        assert 0 < kept < 50 and found.dropped_tokens == 500 - kept
        assert found.confidence.level == "low" or strategy != "full document" or "w7" in found.text
        assert found.strategy in repr(found) and "out" in repr(found)
    for cut in (head, tail, middle):
        assert cut(document.text, 50, count_words).truncated
    assert sliding_window(document.text, "w7", 50, count_words).truncated
    assert not full_document(document, "Which is w7?", 600, count_words).truncated


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(
    text=texts(), room=st.integers(0, 60), counter=counters, question=st.sampled_from(["Which valve?", "", "潮汐表"])
)
def test_every_strategy_stays_within_its_room_and_tells_what_it_left_out(strategy, text, room, counter, question):
    document = Document("a.md", text)
    found = run(document, question, max(room, int(strategy == "map-reduce")), strategy, counter)
    assert (counter(found.text) if found.text else 0) <= found.tokens <= max(room, 1)
    if strategy != "map-reduce":
        assert found.tokens <= room
        assert_whole_graphemes(text, [span for _, *span in found.spans])
        inside = {i for _, start, end in found.spans for i in range(start, end)}
        assert all(0 <= start < end <= len(text) for _, start, end in found.spans)
        missing = any(i not in inside and not sign.isspace() for i, sign in enumerate(text))
        assert found.truncated is bool(found.dropped_tokens) is missing
