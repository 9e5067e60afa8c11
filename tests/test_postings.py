"""Postings in two levels and the soft route over them, against scores added up chunk by chunk."""

from dataclasses import replace

import pytest
import texts
from hypothesis import given
from hypothesis import strategies as st

from rag_lessons import Document
from rag_lessons.chunking import paragraph_spans
from rag_lessons.index import Recipe, build_index
from rag_lessons.postings import TwoLevelPostings
from rag_lessons.reduction import Reduction
from rag_lessons.routing import SoftRoute
from rag_lessons.scoring import BM25, KeyTermCosine
from rag_lessons.terms import terms

WORDS = ["pump", "gate", "rust", "kelp", "tide", "motor", "seal"]
ALL = 1000
chunk_texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
corpora = st.dictionaries(st.sampled_from("abcde"), st.lists(chunk_texts, max_size=12).map("\n\n".join), max_size=5)
questions = st.lists(st.sampled_from([*WORDS, "pumps", "zebra", "the"]), max_size=4).map(" ".join)
weights = st.sampled_from([0, 0.2, 0.3, 1.0])
routes = st.builds(
    SoftRoute, k=st.just(ALL), summary=weights, document=weights, neighbours=weights,
    k_documents=st.sampled_from([0, 1, 2, 3, ALL]),
)  # fmt: skip


# A chunk's summary holds a word that the chunk may lack; a document without text has a summary, too.
RECIPE = Recipe(
    "paragraphs",
    lambda document: paragraph_spans(document.text),
    lambda text, position: f"{text.split()[0]} {WORDS[position % len(WORDS)]}",
    lambda summaries: Reduction((), " ".join(["kelp", *summaries[:2]]), True, 0),
)


def index_of(corpus):
    return build_index([Document(name, text) for name, text in corpus.items()], RECIPE)


def plain(found):
    """Documents d0.md, d1.md and so on, cut into paragraphs, with no summaries."""
    return texts.index_of(found, lambda document: paragraph_spans(document.text))


def weigh(found):
    """For each text, what each of its terms adds to the score: BM25 read off, one term at a time."""
    fitted = BM25().fit(found)
    table = [{} for _ in range(fitted.size)]
    for term, i in fitted.vocabulary.items():
        for j in range(fitted.edges[i], fitted.edges[i + 1]):
            table[fitted.rows[j]][term] = fitted.idf(term) * float(fitted.weights[j])
    return table


def reference(route, question, index):
    """chunk id -> (score, is a hit), and document id -> score, for the chosen documents."""
    asked, ids = list(dict.fromkeys(terms(question))), sorted(index.records)
    text, brief = weigh(index.text(c) for c in index.chunks), weigh(c.summary for c in index.chunks)
    about = dict(zip(ids, weigh(index.records[name].summary for name in ids), strict=True))
    adds = {
        chunk.chunk_id: [text[i].get(term, 0) + route.summary * brief[i].get(term, 0) for term in asked]
        for i, chunk in enumerate(index.chunks)
    }
    inside = {name: [adds[chunk.chunk_id] for chunk in index.records[name].chunks] for name in ids}
    bounds = {
        name: sum(
            max((row[j] for row in inside[name]), default=0) + about[name].get(term, 0) for j, term in enumerate(asked)
        )
        for name in ids
    }
    chosen = [name for name in sorted(ids, key=lambda name: (-bounds[name], name)) if bounds[name] > 0]
    chunks, documents = {}, {}
    for name in chosen[: route.k_documents]:
        own = [sum(row) for row in inside[name]]
        summary = sum(about[name].get(term, 0) for term in asked)
        documents[name] = route.document * (summary + max(own, default=0))
        for i, chunk in enumerate(index.records[name].chunks):
            near = own[i]
            for far in range(1, 5):
                beside = sum(own[j] for j in (i - far, i + far) if 0 <= j < len(own))
                near += route.neighbours * (5 - far) / 4 * beside
            if near > 0:
                chunks[chunk.chunk_id] = near + documents[name], own[i] > 0
    return chunks, {name: score for name, score in documents.items() if score > 0}


@given(corpora, questions, routes)
def test_the_soft_route_scores_as_a_sum_chunk_by_chunk_does(corpus, question, route):
    index = index_of(corpus)
    found, (chunks, documents) = route(question, index), reference(route, question, index)
    assert {c.chunk.chunk_id: c.score for c in found.candidates} == pytest.approx(
        {name: score for name, (score, _) in chunks.items()}, abs=1e-9, rel=0
    )
    assert {c.chunk.chunk_id for c in found.candidates if c.reason == "hit"} == {
        n for n, (_, hit) in chunks.items() if hit
    }
    place = {chunk.chunk_id: i for i, chunk in enumerate(index.chunks)}
    order = [(-c.score, place[c.chunk.chunk_id]) for c in found.candidates]
    assert order == sorted(order)
    assert {hit.id: hit.score for hit in found.documents} == pytest.approx(documents, abs=1e-9, rel=0)
    rows, scores = route.search(question, index)
    assert [(index.chunks[i], s) for i, s in zip(rows, scores, strict=True)] == [
        (c.chunk, c.score) for c in found.candidates
    ]


def test_a_hit_raises_four_chunks_to_either_side_and_no_other_document():
    fill = ["tide"] * 5
    index = index_of({"a": "\n\n".join(fill), "b": "\n\n".join([*fill, "gate", *fill]), "c": "tide"})
    found = SoftRoute(summary=0, document=0, neighbours=0.4)("gate", index).candidates
    hit = found[0].score
    assert {c.chunk.chunk_id: c.score / hit for c in found} == pytest.approx({
        f"b-chunk-{6 + n:03d}": 1 if n == 0 else 0.1 * (5 - abs(n)) for n in range(-4, 5)
    })


def test_documents_are_chosen_by_the_best_each_term_can_do_and_then_by_id():
    # In d1 both words stand, apart; in d2 and d3 one alone, which beats any chunk of d1; in d0 it stands twice, lower.
    index = plain(["gate tide tide tide\n\n" * 2, "gate tide\n\nrust tide", "gate", "gate"])
    flat = SoftRoute(summary=0, document=0, neighbours=0)
    assert [c.chunk.doc_id for c in flat("gate", index).candidates] == [f"d{n}.md" for n in (2, 3, 1, 0, 0)]
    for k, expected in enumerate([[], [1], [1, 2], [1, 2, 3], [0, 1, 2, 3]]):
        found = replace(flat, k_documents=k)("gate rust", index)
        assert {c.chunk.doc_id for c in found.candidates} == {f"d{n}.md" for n in expected}


def test_equal_chunks_stand_in_order_of_their_documents_whichever_can_score_more():
    index = plain(["gate", "gate\n\nrust"])
    found = SoftRoute(document=0, neighbours=0)("gate rust", index).candidates
    assert [c.chunk.chunk_id for c in found] == ["d1.md-chunk-002", "d0.md-chunk-001", "d1.md-chunk-001"]


def test_a_word_that_only_summaries_hold_finds_its_chunk():
    index = index_of({"a": "tide\n\ntide", "b": "tide"})  # the summaries say "gate", "rust" and "gate"
    found = SoftRoute(neighbours=0)("rust", index).candidates
    assert [c.chunk.chunk_id for c in found] == ["a-chunk-002"]
    assert SoftRoute(summary=0)("rust", index).candidates == ()


def test_found_says_where_each_document_stands():
    index = plain(["gate tide rust", "tide\n\nseal\n\ntide", "", "tide\n\ngate"])
    found = TwoLevelPostings(index, BM25(), 0.0).find("seal gate", k_documents=2, gap=2)
    assert (found.documents.tolist(), found.first.tolist()) == ([1, 3], [1, 4])
    assert (found.starts.tolist(), found.sizes.tolist()) == ([0, 5], [5, 4])
    assert (found.scores > 0).tolist() == [False, True, False, False, False, False, True, False, False]


@pytest.mark.parametrize(
    "corpus", [{}, {"a": ""}, {"a": "", "b": " \n"}, {"a": "gate"}, {"a": "gate\n\nseal", "b": ""}]
)
@pytest.mark.parametrize(
    "route", [SoftRoute(), SoftRoute(k=0), SoftRoute(k_documents=0), SoftRoute(k=1, k_documents=1)]
)
@pytest.mark.parametrize("question", ["gate", "", "???", "of the", "zebra"])
def test_nothing_to_find_is_an_empty_route(corpus, route, question):
    found = route(question, index_of(corpus))
    some = question == "gate" and route.k and route.k_documents and "gate" in corpus.get("a", "")
    assert bool(found.candidates) == bool(found.chunks) == bool(some)
    if question != "gate" or not route.k_documents:
        assert found.documents == ()


@given(corpora, questions, st.randoms(use_true_random=False))
def test_the_order_in_which_documents_came_changes_nothing(corpus, question, random):
    names = random.sample(sorted(corpus), len(corpus))
    mixed, straight = ({name: corpus[name] for name in order} for order in (names, sorted(corpus)))
    assert SoftRoute()(question, index_of(mixed)) == SoftRoute()(question, index_of(straight))


@given(corpora, corpora, questions)
def test_a_changed_index_answers_as_a_new_one(corpus, later, question):
    index = index_of(corpus)
    SoftRoute()(question, index)
    for name in set(corpus) - set(later):
        index.remove(name)
        SoftRoute()(question, index)
    for name, text in later.items():
        index.update(Document(name, text))
    assert SoftRoute()(question, index) == SoftRoute()(question, index_of(later))


def test_another_scorer_is_refused():
    with pytest.raises(TypeError, match="scorer must be a BM25, whose scores add up term by term; got KeyTermCosine"):
        SoftRoute(KeyTermCosine(str.split))
