"""Cases of ranking: finite scores, an IDF above 0, one total order, and a word where nothing matched.

The rules behind them are properties in tests/test_scoring.py: `test_scores_are_finite_and_0_without_a_match`
and `test_rank_is_a_total_order_with_prefixes`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import PROSE, texts

from rag_lessons import PRESETS, Document, LongContext, ask, prepare_index
from rag_lessons.presets import BOOSTS, article_words
from rag_lessons.scoring import BM25, KeyTermCosine, rank
from rag_lessons.strategies import STRATEGIES
from rag_lessons.terms import terms

ROOT = Path(__file__).resolve().parents[2]
SCORERS = [BM25(), BM25(k1=0, b=0), BM25(b=1), KeyTermCosine(article_words, BOOSTS), KeyTermCosine(str.split)]
each_scorer = pytest.mark.parametrize("scorer", SCORERS, ids=range(len(SCORERS)))
each_preset = pytest.mark.parametrize("make", PRESETS.values(), ids=PRESETS)


def ask_chunks(chunks, question, make, budget=250):
    """Ask about some texts, each a document."""
    settings = make()
    index = prepare_index([Document(f"d{n}.md", text) for n, text in enumerate(chunks)], settings)
    return ask(question, index, budget, settings)


@case("RK-01")
@each_scorer
@pytest.mark.parametrize("blank", ["", "...", "\u200b", "\n", "\U0001f6a2"])
def test_texts_without_terms_score_0_and_come_last(scorer, blank):
    scores = scorer.fit([blank, "...", "pump seal"]).scores("pump")
    assert np.isfinite(scores).all() and scores[:2].tolist() == [0.0, 0.0] and scores[2] > 0
    assert np.argsort(-scores, kind="stable").tolist() == [2, 0, 1] and rank(scores) == [2]


@case("RK-03")
@each_preset
@pytest.mark.parametrize("question", ["what is it of the?", "", "???", " \n", "\u2026 \U0001f6a2"])
def test_a_question_without_content_words_says_so(make, question):
    chunks = ["First part about pumps.", "Second part about gates."]
    scores = BM25().fit(chunks).scores(question)
    assert scores.tolist() == [0.0, 0.0] and np.argsort(-scores, kind="stable").tolist() == [0, 1]
    trace = ask_chunks(chunks, question, make)
    assert trace.notes == ("the question has no content words",) and trace.notes[0] in repr(trace)
    assert (trace.selection.context, trace.answer.quotes) == ("", ())
    context = LongContext(500, reserve=100)
    context.add(Document(f"{n}.md", chunk) for n, chunk in enumerate(chunks))
    for strategy in (None, *STRATEGIES):
        found = context.ask(question, strategy=strategy)
        assert found.notes[0] == "the question has no content words" and found.confidence.level != "high"
        assert found.prompt.index("pumps") < found.prompt.index("gates")


@case("RK-04")
@each_scorer
def test_a_term_of_half_or_all_texts_still_counts(scorer):
    fitted = scorer.fit(["windy day", "sunny day"])
    windy, day = fitted.scores("windy"), fitted.scores("day")
    assert windy[0] > windy[1] >= 0 and rank(windy) == [0]
    assert day[0] == day[1] > 0 and rank(day) == [0, 1]


ORDERS = """
import json
from rag_lessons import PRESETS, Document, prepare_index, ask
from rag_lessons.scoring import BM25, rank
from rag_lessons.routing import SoftRoute
same = ["same words here"] * 6
found = [rank(BM25().fit(same).scores("words"), k) for k in (1, 3, 6)]
others = [Document(f"{name}.md", f"unrelated {name}") for name in ("zz", "a", "m")]
for more in (others, others[::-1]):
    index = prepare_index(more + [Document(f"d{n}.md", text) for n, text in enumerate(same)])
    for k in (1, 3, 6):
        found.append([int(c.chunk.doc_id[1]) for c in SoftRoute(k=k)("words", index).candidates])
    trace = ask("words here", index, 500)
print(json.dumps([found, trace.to_dict()]))
"""


@case("RK-05")
def test_equal_scores_keep_one_order_whatever_the_seed_and_the_number():
    said = []
    for seed in ("0", "1", "12345"):
        done = subprocess.run(
            [sys.executable, "-c", ORDERS],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert said[0] == said[1] == said[2]
    assert json.loads(said[0])[0] == [[0], [0, 1, 2], [0, 1, 2, 3, 4, 5]] * 3


@case("RK-07")
@each_preset
@pytest.mark.parametrize("budget", [0, 3, 250])
def test_no_match_is_said_and_nothing_is_passed_off_as_relevant(make, budget):
    chunks = ["River gauges.", "Gate motors."]
    assert BM25().fit(chunks).scores("zebra migration").tolist() == [0.0, 0.0]
    trace = ask_chunks(chunks, "zebra migration", make, budget)
    assert (trace.route.candidates, trace.route.documents, trace.selection.included) == ((), (), ())
    assert trace.notes == ("no term of the question was found",)
    assert "no term of the question was found" in trace._repr_html_() and not trace.answer.quotes


@case("RK-09")
@each_preset
@pytest.mark.parametrize(
    "question",
    [
        "\u00bfCu\u00e1nto dura la junta de la bomba?",
        "\u6cf5\u8981\u591a\u4e45\uff1f",
        "\u041d\u0430\u0441\u043e\u0441?",
    ],
)
def test_a_question_in_another_language_is_not_answered_without_a_word(make, question):
    trace = ask_chunks(["The pump seal wears out in a year."], question, make)
    assert trace.notes == ("no term of the question was found",) and trace.notes[0] in repr(trace)
    assert trace.answer.text == "No answer: nothing reached the context."
    context = LongContext(500, reserve=100)
    context.add(Document("a.md", "The pump seal wears out in a year."))
    for strategy in (None, *STRATEGIES[:3]):
        found = context.ask(question, strategy=strategy)
        assert "The pump seal wears out" in found.prompt and found.confidence.level == "low"
        assert found.notes == ("no term of the question is in the context",) and found.answer.startswith("No answer")


@each_scorer
@given(chunks=st.lists(texts(PROSE, 5), max_size=6), question=texts(PROSE, 4))
def test_the_order_of_chunks_is_total(scorer, chunks, question):
    scores = scorer.fit(chunks).scores(question)
    assert np.isfinite(scores).all() and (scores >= 0).all()
    order = rank(scores)
    assert order == sorted((i for i, score in enumerate(scores) if score > 0), key=lambda i: (-scores[i], i))
    assert [order[:k] for k in range(7)] == [rank(scores, k) for k in range(7)]


@given(st.lists(texts(PROSE, 5), min_size=1, max_size=6))
def test_each_term_there_is_weighs_more_than_nothing(chunks):
    fitted = BM25().fit(chunks)
    assert all(fitted.idf(term) > 0 for chunk in chunks for term in terms(chunk))


@pytest.mark.parametrize(("k", "error"), [(-1, ValueError), (True, TypeError), (2.0, TypeError), ("3", TypeError)])
def test_a_number_of_texts_that_is_none_is_named(k, error):
    with pytest.raises(error, match=f"k must be a whole number of texts, 0 or more; got {k!r}"):
        rank(np.array([1.0, 2.0]), k)
