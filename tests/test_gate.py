"""The gate on its own, and how it does on the handbook where MiniLM is installed."""

import math
from collections import Counter
from dataclasses import replace

import pytest
from models import need_models

from rag_lessons import Document, ask, data_folder, default_settings, load_documents, prepare_index
from rag_lessons.corpora import load_unanswerable
from rag_lessons.embedding import Letters
from rag_lessons.evaluation import load_questions
from rag_lessons.gate import EvidenceGate, known_share
from rag_lessons.index import build_index
from rag_lessons.minilm import MiniLM
from rag_lessons.routing import SoftRoute
from rag_lessons.vector_cache import CachedEmbedder

INDEX = build_index([Document("a.txt", "Gates rust. Gates creak. Terns nest."), Document("b.txt", "Terns sing.")])


def test_words_that_stand_nowhere_weigh_most():
    assert known_share("gates", INDEX) == known_share("Do terns sing at the gates?", INDEX) == 1
    assert known_share("zebras", INDEX) == known_share("", INDEX) == known_share("the", INDEX) == 0
    nowhere, once = math.log(1 + 2.5 / 0.5), math.log(1 + 1.5 / 1.5)  # of two chunks
    assert known_share("gates zebras", INDEX) == pytest.approx(once**2 / (once**2 + nowhere**2))
    assert known_share("gates gates zebras", INDEX) == known_share("gates zebras", INDEX)


def test_the_score_is_the_mean_of_both_signs():
    gate = EvidenceGate(Letters())
    assert gate.score(ask("Terns sing.", INDEX, 50), INDEX) == pytest.approx(1)
    small = ask("Terns sing.", INDEX, 50, replace(default_settings(), route=SoftRoute(k=1)))
    assert small.selection.included
    only = replace(small, question="Gates creak.")  # what did not reach the context does not count
    assert 0.5 < gate.score(only, INDEX) < 0.95
    assert gate.score(ask("Terns sing.", INDEX, 0), INDEX) == 0
    assert gate.passes(gate.least) and not gate.passes(gate.least - 0.01)


@pytest.mark.parametrize("least", [-0.1, 1.1, float("nan")])
def test_the_least_score_is_between_0_and_1(least):
    with pytest.raises(ValueError, match="least"):
        EvidenceGate(Letters(), least)


def test_what_it_refuses_of_the_handbook(tmp_path):
    need_models()
    embedder = CachedEmbedder(MiniLM(), tmp_path / "vectors.sqlite")
    settings, gate = default_settings(embedder), EvidenceGate(embedder)
    index = prepare_index(load_documents(data_folder("handbook"))[0], settings)

    def refused(question):
        return not gate.passes(gate.score(ask(question, index, 500, settings), index))

    questions = load_questions()
    answerable = [refused(question.text) for question in questions if question.evidence]
    assert (len(answerable), sum(answerable)) == (121, 4)
    foreign = Counter(asked.kind for asked in load_unanswerable() if refused(asked.question))
    assert foreign == {"off": 20, "missing": 18}  # of 20 each
    # Their subject is there and their answer is not: no score of evidence tells that.
    near = [refused(question.text) for question in questions if not question.evidence]
    assert len(near) == 20 and sum(near) == 3
