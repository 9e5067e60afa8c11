"""Scores by meaning: what an embedder may return, and how cosines join scores by words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import index_of

from rag_lessons import Document, ask, default_settings, prepare_index
from rag_lessons.embedding import EmbeddingScorer, FusedScorer, Letters, embed, fuse, shares
from rag_lessons.index import build_index
from rag_lessons.passages import Passages
from rag_lessons.routing import Candidate, HardRoute, SoftRoute
from rag_lessons.scoring import BM25
from rag_lessons.truncation import sliding_window

words = st.lists(st.text("abc .\n", max_size=6), max_size=8)
# Cosines apart from each other, as a model's are: the last digits of a difference are not the point.
cosines = st.lists(st.integers(-20, 20).map(lambda n: n / 20), max_size=9).map(np.array)


class Meaning:
    """Two dimensions: of the sea, and of the rest; a stand-in that knows that waves and water belong together."""

    name = "meaning"
    SEA = ("wave", "water", "sea", "tide")

    def __call__(self, texts):
        hits = np.array([[sum(word in text.lower() for word in self.SEA), 0.5] for text in texts])
        return (hits / np.linalg.norm(hits, axis=1, keepdims=True)).astype(np.float32)


class Bad(Letters):
    def __init__(self, make):
        super().__init__("abc")
        object.__setattr__(self, "make", make)

    def __call__(self, texts):
        return self.make(super().__call__(texts))


@given(words)
def test_each_text_has_a_row_of_length_one_and_a_blank_one_zeros(texts):
    found = embed(Letters("abc"), texts)
    assert len(found) == len(texts) and found.dtype == np.float32
    for text, row in zip(texts, found, strict=True):
        assert np.linalg.norm(row) == pytest.approx(1 if text.strip() else 0, abs=1e-5)
        if text.strip():
            assert np.array_equal(row, Letters("abc")([text])[0])


def test_equal_texts_are_embedded_once():
    asked = []
    bad = Bad(lambda found: asked.append(len(found)) or found)
    assert len(embed(bad, ["a", "b", "a", " "])) == 4
    assert asked == [2]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda found: found[:1], r"must return 2 rows for 2 texts; got shape \(1, 3\)"),
        (lambda found: found[0], r"got shape \(3,\)"),
        (lambda found: found * 2, "vectors of length 1; text 0, 'a', has 2"),
        (lambda found: found * np.array([[1], [np.nan]]), "text 1, 'b', has nan"),
        (lambda found: found * 0, "text 0, 'a', has 0"),
    ],
)
def test_vectors_that_are_none_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        embed(Bad(make), ["a", "b"])


def test_only_texts_are_embedded():
    with pytest.raises(TypeError, match="every text must be a str; got 7"):
        embed(Letters(), ["a", 7])
    assert embed(Letters("ab"), "ab").shape == (1, 2)  # one text is a list of one


@given(cosines)
def test_shares_go_from_zero_to_one_in_the_order_of_the_cosines(found):
    result = shares(found)
    assert result.shape == found.shape and (result >= 0).all() and (result <= 1).all()
    if (found > 0).any():
        assert result.max() == 1 and (result[found == found.max()] == 1).all()
        assert (result[found <= min(np.median(found), found.max() / 2)] == 0).all()
    else:
        assert not result.any()
    order = np.argsort(found, kind="stable")
    assert (np.diff(result[order]) >= 0).all()


def test_fusing_keeps_the_scale_of_the_words():
    assert fuse(np.array([4.0, 1.0]), np.array([0.0, 1.0]), 0.5).tolist() == [4.0, 3.0]
    assert fuse(np.zeros(2), np.array([0.0, 1.0]), 0.5).tolist() == [0.0, 0.5]
    assert fuse(np.zeros(0), np.zeros(0), 0.5).tolist() == []


def test_a_scorer_by_meaning_finds_what_shares_no_word():
    texts = ["The wave was high.", "The gate was shut."]
    assert BM25().fit(texts).scores("water").tolist() == [0, 0]
    for scorer in (EmbeddingScorer(Meaning()), FusedScorer(Meaning())):
        scores = scorer.fit(texts).scores("water")
        assert scores.argmax() == 0 and scores[0] > scores[1]
        assert scorer.fit([]).scores("water").shape == (0,)
        assert not scorer.fit(["", " "]).scores("water").any()
        assert not scorer.fit(texts).scores(" ").any()
        assert "meaning" in scorer.name


def test_words_still_decide_where_meaning_says_nothing():
    texts = ["gates and kelp", "gates", "kelp"]
    plain = BM25().fit(texts).scores("kelp")
    assert FusedScorer(Meaning(), weight=0).fit(texts).scores("kelp").tolist() == plain.tolist()
    with pytest.raises(ValueError, match="weight"):
        FusedScorer(Meaning(), weight=-1)


def test_two_models_of_one_name_are_told_apart_by_their_size():
    class Grows(Letters):
        def __call__(self, texts):
            return super().__call__(texts) if len(texts) > 1 else np.ones((1, 1), np.float32)

    with pytest.raises(ValueError, match="vectors of 26 numbers and now of 1"):
        EmbeddingScorer(Grows()).fit(["a", "b"]).scores("c")


TEXTS = {
    "a.txt": "The gate was shut.\n\nThe crew slept in the loft.",
    "b.txt": "Bread was scarce.\n\nA wave broke the glass of the lamp room.",
}


def test_the_default_settings_take_an_embedder_for_route_and_packing():
    index = prepare_index(Document(name, text) for name, text in TEXTS.items())
    question = "Was there water upstairs?"
    assert not ask(question, index, 40).selection.included
    settings = default_settings(Meaning())
    trace = ask(question, index, 40, settings)
    assert "A wave broke the glass" in trace.selection.context
    assert settings.name == "default with meaning" and "meaning" in trace.settings["route"]
    assert ask("", index, 40, settings).prompt  # nothing is asked: no error
    assert not ask("Was there water?", prepare_index([], settings), 40, settings).selection.included


def test_the_other_routes_and_the_window_take_a_scorer_by_meaning():
    index = prepare_index(Document(name, text) for name, text in TEXTS.items())
    found = HardRoute(FusedScorer(Meaning()), k_documents=1, k_chunks=1, neighbours=False)("water", index)
    assert "wave" in index.text(found.candidates[0].chunk)
    text = " ".join(TEXTS.values())
    assert "A wave" in sliding_window(text, "water", 14, scorer=FusedScorer(Meaning())).text


@given(st.lists(st.text("abc. \n", max_size=30), min_size=1, max_size=4), st.sampled_from(["a", "bc", "zz", " "]))
def test_a_route_by_meaning_looks_at_every_chunk(texts, question):
    index = index_of(texts)
    lexical, fused = SoftRoute(), SoftRoute(embedder=Letters("abc"))
    found = {candidate.chunk.chunk_id for candidate in fused(question, index).candidates}
    assert {candidate.chunk.chunk_id for candidate in lexical(question, index).candidates} <= found
    assert SoftRoute(embedder=Letters("abc"), meaning=0)(question, index).chunks == lexical(question, index).chunks


def test_nothing_of_meaning_changes_where_it_weighs_nothing():
    index = build_index([Document("a.txt", "Gates rust. Terns nest. They hatch in May.")])
    candidates = [Candidate(index.chunks[0], 1.0)]
    plain = Passages()("When do terns hatch?", index, candidates)
    assert Passages(embedder=Letters(), meaning=0)("When do terns hatch?", index, candidates) == plain
    assert Passages(embedder=Letters())("When do terns hatch?", index, candidates)[0][2] == (24, 42)
