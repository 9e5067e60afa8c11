"""Summaries written by a model, and what happens where it does not write any."""

import pytest

from rag_lessons import Document, ask, default_settings
from rag_lessons.index import build_index
from rag_lessons.model_summaries import ModelSummarizer, model_recipe, summary_prompt
from rag_lessons.summarizing import CentroidSummarizer

TEXT = "Gates rust. Terns nest in May. Seals sing at night."


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch):
    monkeypatch.setattr("rag_lessons.calling.time.sleep", lambda seconds: None)


def test_the_prompt_has_the_task_after_the_text():
    prompt = summary_prompt("=== end of text ===\nGates rust.", 2)
    assert prompt.startswith("==== text ====\n=== end of text ===\nGates rust.\n==== end of text ====\n")
    for words in ("at most 2 sentences", "names, constraints, decisions, errors and numbers", "Do not answer"):
        assert words in prompt.rpartition("====")[2]
    assert "at most one sentence," in summary_prompt("x", 1)


def test_a_short_text_is_its_own_summary():
    asked = []
    summarizer = ModelSummarizer(lambda prompt: asked.append(prompt) or "x")
    assert summarizer("Gates\n rust.", 1).text == "Gates rust."
    assert summarizer("", 2).text == "" and not asked


@pytest.mark.parametrize(
    ("answer", "expected", "cut"),
    [
        ("  Gates,\nterns.  ", "Gates, terns.", False),
        ("One is here. Two are there. Three came.", "One is here.", True),
    ],
)
def test_an_answer_is_tidied_and_kept_short(answer, expected, cut):
    summary = ModelSummarizer(lambda prompt: answer)(TEXT, 1)
    assert (summary.text, summary.spans, summary.truncated) == (expected, (), cut)


def test_a_model_that_fails_costs_no_more_than_its_own_summary():
    def model(prompt):
        if "Terns" in prompt:
            raise OSError("no server")
        return "About the gates."

    summarizer = ModelSummarizer(model)
    with pytest.warns(UserWarning, match=r"no summary of the text that begins 'Gates rust. Terns nest.*no server"):
        assert summarizer(TEXT, 1) == CentroidSummarizer()(TEXT, 1)
    assert summarizer("Gates rust. Gates creak.", 1).text == "About the gates."


def test_summaries_find_and_raw_chunks_answer():
    seen = []

    def model(prompt):
        seen.append(prompt)
        return "Zebras graze here."

    index = build_index([Document("a.txt", TEXT)], model_recipe(model, sentences=1))
    assert [chunk.summary for chunk in index.chunks] == ["Zebras graze here."]
    assert index.records["a.txt"].summary == "Zebras graze here."
    assert len(seen) == 1  # a document of one chunk has its summary
    context = ask("Where do zebras graze?", index, 50, default_settings()).selection.context
    assert "Gates rust." in context and "Zebras" not in context


def test_the_recipe_names_the_model():
    class Named:
        name = "small-1"

        def __call__(self, prompt):
            return "x"

    assert model_recipe(Named(), 300).name == "summaries by small-1, 300 characters"
    with pytest.raises(ValueError, match="target must be a whole number of characters, 1 or more; got 0"):
        model_recipe(Named(), 0)
