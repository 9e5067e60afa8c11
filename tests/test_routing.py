"""Routes: from a question to raw chunks, hard and soft, in one order whatever happens."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_lessons import Document
from rag_lessons.index import build_index, default_recipe
from rag_lessons.routing import HardRoute, SoftRoute

WORDS = ["pump", "gate", "rust", "kelp", "tide", "motor", "seal"]
paragraphs = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), max_size=5).map(
    "\n\n".join
)
corpora = st.lists(paragraphs, max_size=5)
questions = st.lists(st.sampled_from([*WORDS, "zebra", "the"]), max_size=3).map(" ".join)
ROUTES = [HardRoute(), HardRoute(neighbours=False, k_documents=3), SoftRoute(), SoftRoute(neighbours=0, k=4)]
each_route = pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)


def small_index(texts, target=20):
    return build_index([Document(f"d{n}.txt", text) for n, text in enumerate(texts)], default_recipe(target))


@each_route
@given(texts=corpora, question=questions)
def test_candidates_are_unique_scored_and_shown(route, texts, question):
    found = route(question, small_index(texts))
    ids = [candidate.chunk.chunk_id for candidate in found.candidates]
    assert len(set(ids)) == len(ids)
    assert all(candidate.score > 0 and math.isfinite(candidate.score) for candidate in found.candidates)
    assert {hit.id for hit in found.chunks} <= set(ids)
    assert all(hit.score > 0 for hit in (*found.documents, *found.chunks))
    assert [-hit.score for hit in found.documents] == sorted(-hit.score for hit in found.documents)
    shared = set(question.split()) & set(" ".join(texts).split()) & set(WORDS)
    assert bool(found.candidates) == bool(shared) or isinstance(route, HardRoute)


@given(corpora, questions, st.integers(0, 8))
def test_fewer_candidates_are_the_first_of_more(texts, question, k):
    index = small_index(texts)
    assert SoftRoute(k=k)(question, index).candidates == SoftRoute(k=50)(question, index).candidates[:k]
    some = HardRoute(k_documents=k)(question, index)
    assert some.candidates == HardRoute(k_documents=50)(question, index).candidates[: len(some.candidates)]


@each_route
@given(texts=corpora, question=questions)
def test_asking_twice_gives_the_same(route, texts, question):
    index = small_index(texts)
    assert route(question, index) == route(question, index) == route(question, small_index(texts))


@given(corpora, questions)
def test_unrelated_documents_are_never_candidates(texts, question):
    index = small_index([*texts, "walrus ballet", "walrus"])
    for route in ROUTES:
        places = {candidate.chunk.doc_id for candidate in route(question, index).candidates}
        assert not places & {f"d{len(texts)}.txt", f"d{len(texts) + 1}.txt"}


def test_hard_route_adds_the_next_then_the_previous_neighbour():
    index = small_index(["kelp one\n\nkelp two\n\npump three\n\nkelp four"], target=11)
    found = HardRoute()("pump", index)
    assert [(c.chunk.position, c.reason) for c in found.candidates] == [
        (3, "hit"),
        (4, "next of d0.txt-chunk-003"),
        (2, "previous of d0.txt-chunk-003"),
    ]
    assert found.candidates[1].score == found.candidates[0].score / 2
    alone = HardRoute(neighbours=False)("pump", index)
    assert [c.chunk.position for c in alone.candidates] == [3]


def test_documents_count_once_however_many_chunks_match():
    index = small_index(["\n\n".join(f"pump note {n}" for n in range(9)), "pump alone"], target=12)
    for route in (HardRoute(), SoftRoute()):
        assert {hit.id for hit in route("pump", index).documents} == {"d0.txt", "d1.txt"}


def test_chunks_of_the_better_document_come_first_in_the_hard_route():
    index = small_index(["pump gate", "pump gate seal"])
    found = HardRoute()("seal pump gate", index)
    assert [c.chunk.doc_id for c in found.candidates] == [hit.id for hit in found.documents] == ["d1.txt", "d0.txt"]


def test_equal_chunks_keep_the_order_of_their_documents():
    index = small_index(["gate motor"] * 5)
    assert [c.chunk.doc_id for c in SoftRoute()("motor", index).candidates] == [f"d{n}.txt" for n in range(5)]


def test_soft_route_reaches_a_chunk_that_no_summary_speaks_of():
    text = "Gates open. Gates shut. Gates rust. A heron nests."
    index = build_index([Document("a.txt", text), Document("b.txt", "Gates.")], default_recipe(420, 1))
    assert not HardRoute()("heron", index).candidates
    assert [c.chunk.doc_id for c in SoftRoute()("heron", index).candidates] == ["a.txt"]


def test_neighbours_raise_a_chunk_and_are_named():
    index = small_index(["seal kelp\n\nmotor tide\n\nrust gate"], target=11)
    found = SoftRoute()("seal", index)
    assert [c.chunk.position for c in found.candidates] == [1, 2, 3]
    assert [c.reason for c in found.candidates] == ["hit", "near a hit", "near a hit"]
    assert [c.chunk.position for c in SoftRoute(neighbours=0)("seal", index).candidates] == [1]


@each_route
@pytest.mark.parametrize("texts", [[], [""], ["", "kelp"]])
@pytest.mark.parametrize("question", ["", "???", "the of", "zebra"])
def test_nothing_found_is_empty(route, texts, question):
    found = route(question, small_index(texts))
    assert (found.documents, found.chunks, found.candidates) == ((), (), ())


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: HardRoute(k_documents=-1),
            ValueError,
            "k_documents must be a whole number of documents, 0 or more; got -1",
        ),
        (lambda: HardRoute(k_chunks=2.0), TypeError, "k_chunks must be a whole number of chunks, 0 or more; got 2.0"),
        (lambda: SoftRoute(k=True), TypeError, "k must be a whole number of chunks, 0 or more; got True"),
        (lambda: SoftRoute(summary=float("nan")), ValueError, "summary must be a number, 0 or more; got nan"),
        (lambda: HardRoute(neighbours=1), TypeError, "neighbours must be True or False; got 1"),
        (lambda: SoftRoute(neighbours=-0.5), ValueError, "neighbours must be a number, 0 or more; got -0.5"),
    ],
)
def test_bad_settings_are_named(make, error, message):
    with pytest.raises(error, match=message):
        make()
