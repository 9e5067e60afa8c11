"""Confidence is counted: it falls with what is missing, and says what is."""

from hypothesis import given
from hypothesis import strategies as st

from rag_lessons.confidence import LEVELS, judge_context, matching_share, percent

WORDS = ["gates", "rust", "terns", "nest", "pumps", "fail"]


def test_what_each_level_needs():
    question = "Do gates rust where terns nest?"  # four content words
    assert judge_context(question, "Gates rust; terns nest.", 1.0).level == "high"
    assert judge_context(question, "Gates rust; terns nest.", 0.9, "some").level == "high"
    assert judge_context(question, "Gates rust; terns nest.", 0.89, "some").level == "medium"
    assert judge_context(question, "Gates rust.", 1.0).level == "medium"
    assert judge_context(question, "Gates.", 1.0).level == "low"
    assert judge_context(question, "Gates rust; terns nest.", 0.49, "some").level == "low"
    assert judge_context(question, "", 1.0) == ("low", "nothing is in the context", 0.0, 0.0)


def test_the_reason_says_what_is_missing():
    found = judge_context("Do gates rust?", "Gates.", 0.25, "25 % of it is there")
    assert found.reason == "1 of 2 content words of the question are in the context (not rust); 25 % of it is there"
    assert judge_context("Do gates rust?", "Gates rust.", 1.0).reason.endswith("; nothing was left out")


def test_a_question_without_content_words_is_never_sure():
    assert judge_context("What is it?", "Gates rust.", 1.0).level == "medium"
    assert judge_context("", "Gates rust.", 1.0, "a part is missing").level == "low"


@given(
    question=st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join),
    more=st.lists(st.sampled_from(WORDS)),
    fewer=st.integers(0, 6),
    shares=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted),
)
def test_it_never_rises_where_less_is_there(question, more, fewer, shares):
    low, high = shares
    less = judge_context(question, " ".join(more[:fewer]), low, "x")
    assert LEVELS.index(less.level) <= LEVELS.index(judge_context(question, " ".join(more), high, "x").level)


def test_shares_of_what_matches():
    texts = {"a": "Gates rust. Gates jam.", "b": "Terns nest."}
    assert matching_share("Do gates rust?", texts, []) == 0.0
    assert matching_share("Do gates rust?", texts, [("a", (0, 11))]) == (1 / 2 + 1) / 2
    assert matching_share("Do gates rust?", texts, [("a", (0, 22)), ("b", (0, 11))]) == 1.0
    assert matching_share("Do seals sing?", texts, []) == 1.0  # nothing matches, so nothing is missing


def test_percent_never_rounds_to_all_or_nothing():
    assert [percent(share) for share in (0, 0.001, 0.5, 0.999, 1)] == ["0 %", "1 %", "50 %", "99 %", "100 %"]
