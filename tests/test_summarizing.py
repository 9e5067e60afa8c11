"""Summaries: unchanged sentences in their order, prose before structure, a limit that holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import assert_whole_graphemes, count_words, counters, pieces_of, texts

from rag_lessons.sentences import fold, sentence_spans
from rag_lessons.summarizing import (
    CentroidSummarizer,
    KeyTermSummarizer,
    Summary,
    cut_to_budget,
    keep_best,
    prose_spans,
)

summarize = CentroidSummarizer()
by_key_terms = KeyTermSummarizer({"pump"}, str.split, lambda text: text.split(" / "))
SLUICE = (
    "The sluice opens in March. Herons nest nearby. Rain fills the sluice. The sluice motor is new. Eels come back."
)


@given(texts(), st.integers(1, 6))
def test_sentences_of_the_text_in_its_order(text, sentences):
    summary = summarize(text, sentences)
    spans = sentence_spans(text)
    assert list(summary.spans) == [span for span in spans if span in summary.spans]
    assert len(summary.spans) == min(sentences, len(prose_spans(text)))
    assert "".join(summary.text.split()) == "".join("".join(pieces_of(text, summary.spans)).split())
    assert len(summary.text) <= len(text) and all(
        fold(piece) in summary.text for piece in pieces_of(text, summary.spans)
    )
    assert bool(summary.text) == bool(text.strip()) and not summary.truncated


def test_best_sentences_come_in_source_order():
    assert summarize(SLUICE, 3).text == "The sluice opens in March. Rain fills the sluice. The sluice motor is new."


def test_more_sentences_than_there_are():
    assert summarize("A gull. Two terns.", 40).text == "A gull. Two terns."


@pytest.mark.parametrize("text", ["Ebb tides are weak.", "Kelp", "\u6f6e"])
def test_one_sentence_is_its_own_summary(text):
    assert summarize(text, 3).text == text


def test_a_missing_space_after_a_stop_gives_no_empty_summary():
    assert summarize("The seal leaks at night.Workers swap the seal monthly.", 1).text


def test_headings_links_tables_and_code_are_left_out():
    structure = "# Seals\n\n- [One](#one)\n- [Two](#two)\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```\nseal = Seal()\n```"
    text = f"{structure}\n\nA seal wears out. Swap the seal."
    assert pieces_of(text, prose_spans(text)) == ["A seal wears out.", "Swap the seal."]
    assert summarize(text, 1).text in ("A seal wears out.", "Swap the seal.")


def test_a_text_of_structure_alone_still_has_a_summary():
    assert pieces_of("# Only\n\n| a |\n|---|", prose_spans("# Only\n\n| a |\n|---|")) == ["# Only", "| a |", "|---|"]


def test_key_terms_count_each_occurrence_and_ties_go_to_the_earlier():
    assert by_key_terms("one / a pump pump / b pump / c pump", 2).text == "a pump pump b pump"
    assert by_key_terms("first / second", 1).text == "first"


def test_scores_decide_and_ties_go_to_the_earlier():
    text = "One. Two. Six."
    scored = [((0, 4), 1.0), ((5, 9), 2.0), ((10, 14), 2.0)]
    assert keep_best(text, scored, 1).text == "Two."
    assert keep_best(text, scored, 2).spans == ((5, 9), (10, 14))


@given(texts(), counters, st.integers(0, 40))
def test_cut_never_costs_more_than_the_budget(text, counter, budget):
    whole = summarize(text, 3)
    cut = cut_to_budget(whole, budget, counter)
    assert counter(cut.text) <= budget or not cut.text
    assert whole.text.startswith(cut.text)
    assert cut.truncated == (cut.text != whole.text)
    assert_whole_graphemes(whole.text, [(0, len(cut.text))])
    if not cut.truncated:
        assert cut == whole


def test_cut_at_a_word_is_marked():
    cut = cut_to_budget(Summary("These five words are here.", ((0, 26),)), 3, count_words)
    assert (cut.text, cut.truncated, cut.spans) == ("These five words", True, ((0, 26),))
    assert cut_to_budget(Summary("Word", ((0, 4),)), 0) == Summary("", (), True)
    assert cut_to_budget(Summary(""), 0) == Summary("")


@pytest.mark.parametrize("call", [lambda n: summarize("One. Two.", n), lambda n: by_key_terms("One / Two", n)])
@pytest.mark.parametrize(
    ("sentences", "error"), [(0, ValueError), (-1, ValueError), (True, TypeError), (1.5, TypeError)]
)
def test_bad_number_of_sentences_is_named(call, sentences, error):
    with pytest.raises(error, match=f"sentences must be a whole number of sentences, 1 or more; got {sentences}"):
        call(sentences)


@pytest.mark.parametrize(
    ("lead", "error"), [(-0.1, ValueError), (float("nan"), ValueError), ("0.2", TypeError), (True, TypeError)]
)
def test_bad_lead_is_named(lead, error):
    with pytest.raises(error, match=f"lead must be a number, 0 or more; got {lead!r}"):
        CentroidSummarizer(lead)


def test_bad_budget_is_named():
    with pytest.raises(ValueError, match="budget must be a whole number of tokens, 0 or more; got -2"):
        cut_to_budget(Summary("text"), -2)
