"""`LongContext`: documents in, one answer out, by the strategy that fits, within the window."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import silently, texts

from rag_lessons import Document, LongContext, data_folder, load_documents
from rag_lessons.extractive import ExtractiveModel
from rag_lessons.strategies import STRATEGIES, Thresholds
from rag_lessons.tokens import estimate_tokens

MANUAL = "\n\n".join(f"# {n} Pump {n}\n\n" + f"Pump {n} lifts water from tank {n}. " * 8 for n in range(1, 12))
DOCUMENTS = [Document("manual.md", MANUAL), Document("birds.txt", "Terns nest on the roof in May.")]


def context(window=400, **settings):
    found = LongContext(window, **{"reserve": 50, "backoff": 0, **settings})
    found.add(DOCUMENTS)
    return found


def test_one_document_or_all():
    assert context().ask("When do terns nest?").answer == "Terns nest on the roof in May."
    found = context().ask("When do terns nest?", "birds.txt")
    assert (found.strategy, found.document_tokens, found.confidence.level) == ("full document", 8, "high")
    assert "Pump" not in found.prompt
    assert "Terns" not in context().ask("When do terns nest?", "manual.md", "hybrid").prompt


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_strategy_can_be_asked_for(strategy):
    found = context().ask("What does pump 7 lift?", "manual.md", strategy)
    assert (found.strategy, found.choice.reason) == (strategy, "as asked")
    assert found.tokens_used > 0 and found.trace.tokens <= found.plan.room and strategy in repr(found)


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(
    text=texts(),
    window=st.integers(100, 500),
    bars=st.sampled_from([2, 8, 60]),
    talkative=st.booleans(),
    question=st.sampled_from(["Which valve sticks?", "Summarize it.", "", "=" * 40]),
)
def test_every_prompt_fits_the_window(strategy, text, window, bars, talkative, question):
    prompts = []

    def model(prompt):
        prompts.append(prompt)
        return "So many words. " * 20 if talkative else ExtractiveModel()(prompt)

    long = LongContext(window, reserve=20, model=model)
    long.add([Document("a.md", text), Document("b.md", f"{'=' * bars}\n{text}")])
    try:
        found = silently(long.ask, question, strategy=strategy)
    except ValueError as error:
        assert strategy == "map-reduce" and window < 400
        assert f"the window of {window} has no room for map-reduce: a prompt may take" in str(error)
    else:
        assert not found.trace.text or found.prompt in prompts
        for prompt in prompts:
            assert estimate_tokens(prompt) + found.plan.overhead + 20 <= window * 0.9


def test_the_strategy_goes_by_size_and_question():
    by_window = {
        window: context(window).ask("What does pump 7 lift?", "manual.md").strategy for window in (300, 600, 1000, 2000)
    }
    assert list(by_window.values()) == ["map-reduce", "hybrid", "smart selection", "full document"]
    assert context(1000).ask("Summarize the manual.", "manual.md").strategy == "map-reduce"
    assert context(300).ask("What does section 7 say?", "manual.md").strategy == "smart selection"
    everything = Thresholds(9, 9, 9)
    assert context(300, thresholds=everything).ask("Which?", "manual.md").strategy == "full document"


def test_adding_again_replaces():
    found = context()
    found.add(Document("birds.txt", "Gulls nest in June."))
    assert [document.doc_id for document in found.documents] == ["birds.txt", "manual.md"]
    assert found.ask("When do gulls nest?", "birds.txt").answer == "Gulls nest in June."
    assert "Terns" not in found.ask("When do terns nest?", "birds.txt").prompt
    found.remove("manual.md")
    assert [document.doc_id for document in found.documents] == ["birds.txt"]


def test_unknown_ids_and_strategies_name_those_there_are():
    with pytest.raises(KeyError, match=r"no document 'x.md'; there are \['birds.txt', 'manual.md'\]"):
        context().ask("Why?", "x.md")
    with pytest.raises(KeyError, match="no document 'x.md'"):
        context().remove("x.md")
    with pytest.raises(ValueError, match="strategy must be one of full document, smart selection, hybrid, map-reduce"):
        context().ask("Why?", strategy="magic")
    with pytest.raises(TypeError, match="question must be a string; got None"):
        context().ask(None)


def test_no_documents_is_an_answer():
    found = LongContext(1000, reserve=10).ask("Why?")
    assert found.answer == "No answer: nothing reached the context." and found.tokens_used == 0
    assert found.notes[0] == "there are no documents: add some" and found.confidence.level == "low"


def test_any_model_answers_from_the_prompt_alone():
    prompts = []

    def model(prompt):
        prompts.append(prompt)
        return "In May."

    found = context(model=model).ask("When do terns nest?", "birds.txt")
    assert (found.answer, prompts) == ("In May.", [found.prompt])
    assert found.tokens_used == estimate_tokens(found.prompt) + estimate_tokens("In May.")


def test_a_model_that_fails_is_told():
    def model(prompt):
        raise ConnectionError("no line")

    found = context(model=model).ask("When do terns nest?", "birds.txt")
    assert found.answer == "No answer: the call failed (ConnectionError: no line)."


@pytest.mark.parametrize("strategy", [None, *STRATEGIES])
def test_asking_asynchronously_gives_the_same(strategy):
    async def model(prompt):
        return "It lifts water."

    plain = context(model=lambda prompt: "It lifts water.").ask("What does pump 7 lift?", "manual.md", strategy)
    found = asyncio.run(context(model=model).ask_async("What does pump 7 lift?", "manual.md", strategy))
    assert (found.answer, found.strategy, found.tokens_used) == (plain.answer, plain.strategy, plain.tokens_used)


def test_settings_are_checked_at_once():
    with pytest.raises(ValueError, match="nothing is left for documents"):
        LongContext(100)
    with pytest.raises(ValueError, match="concurrency must be a whole number of calls, 1 or more; got 0"):
        LongContext(9000, concurrency=0)
    with pytest.raises(ValueError, match="retries"):
        LongContext(9000, retries=-1)
    with pytest.raises(TypeError, match="model must be a function"):
        LongContext(9000, model="gpt")
    with pytest.raises(TypeError, match="counter must be a function"):
        LongContext(9000, counter=7)
    with pytest.raises(KeyError, match="no document"):
        context().ask("Why?", ["birds.txt"])
    with pytest.raises(TypeError, match="documents must be Document objects"):
        LongContext(9000).add(["text"])


def test_chinese_documents_and_questions():
    documents, _ = load_documents(data_folder("handbook"))
    long = LongContext(2000, reserve=100)
    long.add(documents)
    found = long.ask("\u9a8c\u7535\u7b14\u653e\u5728\u54ea\u91cc\uff1f", "guide_visiting_scholars_zh.md")
    assert found.trace.tokens <= found.plan.room and found.confidence.reason


def test_an_index_of_some_documents_is_not_built_again():
    whole = context().index
    part = whole.only(["birds.txt"])
    assert part.records["birds.txt"] is whole.records["birds.txt"] and list(part.records) == ["birds.txt"]
    assert [chunk.doc_id for chunk in part.chunks] == ["birds.txt"]
    with pytest.raises(KeyError, match="no document 'x.md'; there are"):
        whole.only(["x.md"])
