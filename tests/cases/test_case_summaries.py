"""Cases of summaries: unchanged sentences of prose, in order, never none of them and never over a limit.

The rule behind them is a property in tests/test_summarizing.py: `test_sentences_of_the_text_in_its_order`
and, for the limit, `test_cut_never_costs_more_than_the_budget`.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import count_words, pieces_of

from rag_lessons import Document
from rag_lessons.index import build_index
from rag_lessons.sentences import sentence_spans
from rag_lessons.summarizing import CentroidSummarizer, cut_to_budget, is_code, prose_spans

summarize = CentroidSummarizer()
PROSE = ["The pump fails at low pressure.", "Replace the pump seal each year."]


@case("SU-01")
@pytest.mark.parametrize("text", ["Solar tides are small.", "Word", "Word\n", "\u8a9e", "(a)", "3"])
def test_a_text_of_one_sentence_is_its_own_summary(text):
    assert summarize(text, 3).text == text.strip()


@case("SU-03")
def test_kept_sentences_stand_in_source_order():
    text = (
        "The dam gate opens in spring. Birds nest near the river. Rain fills the dam in spring. "
        "The dam gate motor was replaced. Fish return in May."
    )
    for sentences in range(1, 6):
        summary = summarize(text, sentences)
        kept = pieces_of(text, summary.spans)
        assert len(kept) == sentences and summary.text == " ".join(kept)
        places = [text.index(sentence) for sentence in kept]
        assert places == sorted(places)


@case("SU-05")
def test_more_sentences_than_the_text_has_give_the_text():
    assert summarize("One cat. Two dogs.", 50).text == "One cat. Two dogs."
    for text in ("\u732b\u4e00\u53ea\u3002\u72d7\u4e24\u53ea\u3002", "One cat.Two dogs.", "Meow!\u732b\u3002"):
        assert summarize(text, 50).text == text  # no space where there was none


@case("SU-06")
@pytest.mark.parametrize("space", ["", " ", "\n"])
def test_a_text_that_is_not_blank_has_a_summary(space):
    text = f"The pump fails at low pressure.{space}Technicians replace the pump seal yearly."
    assert summarize(text, 1).text


STRUCTURE = (
    "# Plan\n\n- [Intro](#intro)\n- [End](#end)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\npump = Pump()\n```\n\n"
)


@case("SU-07")
def test_structure_wins_no_place():
    assert summarize(STRUCTURE + " ".join(PROSE), 1).text in PROSE
    assert summarize(STRUCTURE + " ".join(PROSE), 9).text == " ".join(PROSE)


@pytest.mark.parametrize(
    "block",
    [
        *["Pump plan\n=========", "Pump plan\n---", "## Pump ##", "#", "---", "***\n\n___"],
        *["1. [Pump](#pump)\n2. [Seal](#seal)", "- [Pump](#pump)\n  - [Seal](#seal)", "- **[Pump](#pump)**"],
        *["[Pump](pump.md)", "![pump](pump.png)", "[![pump](a.svg)](b)", "[pump]: pump.md\n[seal]: seal.md"],
        *["pump | seal\n--- | ---\n1 | 2", "  | pump |\n  |---|", "<!-- pump\nseal -->", "<br>", "$$\npump = 1\n$$"],
        *["~~~py\npump = 1\n~~~", "````\n```\npump\n```\n````", "```text\nThe pump. The seal.\n```"],
        *["const pump = new Pump();", "$ pump --start", "import pump\nfrom pump import seal", "if (pump) {\n}"],
    ],
)
def test_nor_does_structure_of_another_kind(block):
    for text in (f"{block}\n\n{' '.join(PROSE)}", f"{' '.join(PROSE)}\n\n{block}\n\n{' '.join(PROSE)}\n"):
        kept = pieces_of(text, prose_spans(text))
        assert kept == PROSE * (len(kept) // 2), kept
    assert summarize(block, 1).text  # where nothing else is there, it is what there is


def test_front_matter_is_no_sentence():
    text = f"---\ntitle: pump\ntags: pump\n---\n\n{' '.join(PROSE)}"
    assert pieces_of(text, prose_spans(text)) == PROSE


@pytest.mark.parametrize(
    "text",
    [
        *["- Check the seal.", "**Note** the seal.", "[Seals](a.md) wear out.", "See [seals](a.md) and [pumps](b.md)."],
        *["[Seals](a.md) and [pumps](b.md)", "<b>Seals</b> wear out.", "2 seals wear out.", "- [Seal](a.md) - how to"],
        *["It costs $5 per seal.", "Imports of seals rise.", "Pick a | b.", "Wow!", "_Seals_ wear out."],
    ],
)
def test_prose_with_marks_in_it_stays(text):
    assert pieces_of(f"{PROSE[0]}\n\n{text}", prose_spans(f"{PROSE[0]}\n\n{text}")) == [PROSE[0], text]
    assert not is_code(text)


@case("SU-09")
def test_a_limit_below_the_shortest_sentence_holds_and_is_marked():
    cut = cut_to_budget(summarize("This only sentence has exactly eight words here.", 1), 3, count_words)
    assert (cut.text, cut.truncated) == ("This only sentence", True)


lines = st.lists(st.sampled_from([*PROSE, "# Pump", "| a |", "- [a](b)", "---", "```", "pump = 1", "Birds nest."]))


@given(lines, st.integers(1, 4))
def test_structure_and_order_hold_for_any_mixture(chosen, sentences):
    text = "\n\n".join(chosen)
    summary = summarize(text, sentences)
    assert len(summary.text) <= len(text)
    assert [span for span in sentence_spans(text) if span in summary.spans] == list(summary.spans)
    if "```" not in chosen and set(chosen) & {*PROSE, "Birds nest."}:
        assert {*pieces_of(text, summary.spans)} <= {*PROSE, "Birds nest."}


def test_the_index_takes_its_summaries_from_prose():
    index = build_index([Document("a.txt", STRUCTURE + " ".join(PROSE))])
    assert index.chunks[0].summary == index.records["a.txt"].summary == " ".join(PROSE)
