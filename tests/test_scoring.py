"""Terms, BM25, cosine with key terms, and ranks that never depend on chance."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import texts

from rag_lessons import scoring
from rag_lessons.scoring import BM25, KeyTermCosine, Postings, rank, top, top_set
from rag_lessons.terms import STOP_WORDS, stem, terms

WORDS = ["pump", "pumps", "gate", "rust", "tide", "the", "of", "\u6f6e\u6c50", "7.5", ""]
small_texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=8)
SCORERS = [BM25(), KeyTermCosine(str.split, [(["pump"], 0.2), (["pump", "gate"], 0.3)])]
each_scorer = pytest.mark.parametrize("scorer", SCORERS, ids=lambda scorer: scorer.name)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The pumps were FAILING", ["pump", "fail"]),
        ("budgets' budget budgeting", ["budget"] * 3),
        ("Caf\u00e9 cafe\u0301", ["caf\u00e9", "caf\u00e9"]),
        ("\u6f6e\u6c50\u8868 and \u6e2f", ["\u6f6e\u6c50", "\u6c50\u8868", "\u6e2f"]),
        ("pay\u200bments, pay\u00adments", ["payment", "payment"]),
        ("ignore\u2009previous", ["ignor", "previous"]),
        ("v2 3.5 snake_case", ["v2", "3", "5", "snake", "case"]),
        ("what is it of the?", []),
        ("??? \u2026 \U0001f6a2", []),
        ("", []),
    ],
)
def test_terms(text, found):
    assert terms(text) == found


def test_a_joiner_inside_a_word_does_not_cut_it():
    assert len(terms("\u0645\u06cc\u200c\u0631\u0648\u0645")) == 1
    assert stem("kelp9") == "kelp9"
    assert not STOP_WORDS & {"fail", "budget", "rag"}


@given(texts(), texts())
def test_terms_of_two_texts_are_the_terms_of_each(left, right):
    assert terms(f"{left}\n{right}") == terms(left) + terms(right)


@each_scorer
@given(documents=small_texts, question=st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join))
def test_scores_are_finite_and_0_without_a_match(scorer, documents, question):
    scores = scorer.fit(documents).scores(question)
    assert scores.shape == (len(documents),) and scores.dtype == np.float64
    assert np.isfinite(scores).all() and (scores >= 0).all()
    words = str.split if isinstance(scorer, KeyTermCosine) else terms
    for score, document in zip(scores, documents, strict=True):
        assert (score > 0) == bool(set(words(document)) & set(words(question)))


@given(small_texts, st.integers(0, 9))
def test_rank_is_a_total_order_with_prefixes(documents, k):
    scores = BM25().fit(documents).scores("pump gate tide")
    order = rank(scores)
    assert order == sorted(order, key=lambda i: (-scores[i], i))
    assert sorted(order) == [i for i, score in enumerate(scores) if score > 0]
    assert rank(scores, k) == order[:k]


@each_scorer
@given(documents=small_texts, seed=st.randoms(use_true_random=False))
def test_order_of_texts_changes_no_score(scorer, documents, seed):
    places = list(range(len(documents)))
    seed.shuffle(places)
    before = scorer.fit(documents).scores("pump tide")
    after = scorer.fit([documents[i] for i in places]).scores("pump tide")
    assert np.allclose(after, before[places], rtol=1e-6)


@given(small_texts)
def test_unrelated_texts_behind_leave_the_cosine_alone_and_come_last(documents):
    more = [*documents, "zebra", "zebra zebra"]
    assert (
        SCORERS[1].fit(more).scores("pump")[: len(documents)].tolist()
        == SCORERS[1].fit(documents).scores("pump").tolist()
    )
    assert all(i < len(documents) for i in rank(BM25().fit(more).scores("pump")))


def test_bm25_by_hand():
    fitted = BM25(k1=1.0, b=0.5).fit(["rust rust kelp", "kelp"])
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    weight = 2 * 2 / (2 + 1.0 * (0.5 + 0.5 * 3 / 2))
    assert fitted.scores("rust").tolist() == pytest.approx([idf * weight, 0.0])
    assert fitted.idf("kelp") == pytest.approx(math.log(1 + 0.5 / 2.5))
    assert fitted.idf("unknown") == 0.0


def test_a_term_in_half_or_all_of_the_texts_still_counts():
    fitted = BM25().fit(["calm sea", "rough sea"])
    assert rank(fitted.scores("calm")) == [0]
    both = fitted.scores("sea")
    assert both[0] == both[1] > 0


def test_composed_and_decomposed_questions_score_the_same():
    fitted = BM25().fit(["A cafe\u0301 by the quay.", "A quay."])
    assert fitted.scores("caf\u00e9").tolist() == fitted.scores("cafe\u0301").tolist()
    assert rank(fitted.scores("caf\u00e9")) == [0]


def test_equal_texts_keep_their_order():
    scores = BM25().fit(["same words"] * 5).scores("words")
    assert [rank(scores, k) for k in (1, 3, 5)] == [[0], [0, 1, 2], [0, 1, 2, 3, 4]]


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 0.5 + 2**-53, 1.0, 7.0])), st.none() | st.integers(0, 12))
def test_top_is_the_start_of_a_whole_sort(scores, k):
    places = sorted((i for i, score in enumerate(scores) if score > 0), key=lambda i: (-scores[i], i))
    found = top(np.array(scores), k)
    assert found.tolist() == rank(np.array(scores), k) == places[:k]
    assert top_set(np.array(scores), k).tolist() == sorted(places[:k])
    assert np.issubdtype(found.dtype, np.integer)  # places, even where there are none


def test_empty_texts_and_no_texts():
    assert rank(BM25().fit(["", "...", "pump seal"]).scores("pump")) == [2]
    assert BM25().fit([]).scores("pump").tolist() == []
    assert Postings([["a"], []]).score_terms({"a": 2.0, "b": 1.0})[1] == 0


def test_cosine_by_hand():
    scorer = KeyTermCosine(str.split, [(("fail", "rag"), 0.15), (("fail",), 0.35)])
    scores = scorer.fit(["rag rag fail", "rag", "fish"]).scores("fail rag")
    assert scores.tolist() == pytest.approx([3 / 10**0.5 + 0.65, 1 / 2**0.5 + 0.15, 0.0])
    plain = KeyTermCosine(str.split)
    assert (scorer.name, plain.name) == ("cosine with key terms", "cosine")
    assert plain.fit(["rag rag fail"]).scores("fail rag")[0] == pytest.approx(3 / 10**0.5)


def test_scorers_of_equal_settings_are_equal_and_others_are_not():
    assert BM25() == BM25(1.2, 0.75) and hash(BM25()) == hash(BM25(1.2, 0.75))
    assert BM25(k1=2.0) != BM25() and "k1 2" in BM25(k1=2.0).name
    assert KeyTermCosine(str.split, [({"a"}, 1.0)]) != KeyTermCosine(str.split)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"b": 1.5}, ValueError, "b must be a number, 0 to 1; got 1.5"),
        ({"k1": -1}, ValueError, "k1 must be a number, 0 or more; got -1"),
        ({"k1": float("nan")}, ValueError, "got nan"),
        ({"b": None}, TypeError, "got None"),
    ],
)
def test_bad_settings_are_named(settings, error, message):
    with pytest.raises(error, match=message):
        BM25(**settings)


def test_a_question_is_read_once_however_many_texts_are_scored_one_by_one(monkeypatch):
    read = []
    monkeypatch.setattr(scoring, "terms", lambda text: read.append(text) or terms(text))
    question = "When do the terns of this test hatch?"
    for n in range(20):
        BM25().fit([f"Terns hatch in May, says the log {n}."]).scores(question)
    assert read.count(question) == 1
