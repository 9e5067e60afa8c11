"""Cases of the index: ids, ways back to the raw text, updates that leave nothing behind, empty documents.

The rule behind them is a property in tests/test_index.py: `test_update_equals_a_new_build_and_twice_equals_once`.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import LINES, PROSE, index_of, texts

from rag_lessons import PRESETS, Document, ask, prepare_index
from rag_lessons.budgeting import POLICIES
from rag_lessons.chunking import paragraph_spans
from rag_lessons.index import build_index, default_recipe
from rag_lessons.routing import HardRoute, SoftRoute
from rag_lessons.saving import load_index, save_index
from rag_lessons.scoring import BM25

each_preset = pytest.mark.parametrize("make", PRESETS.values(), ids=PRESETS)


def stored(index):
    """Every text that the index holds, raw or summarized."""
    summaries = [chunk.summary for chunk in index.chunks] + [record.summary for record in index.records.values()]
    return " ".join([*(document.text for document in index.documents.values()), *map(index.text, index.chunks)]) + (
        " ".join(summaries)
    )


@case("IX-01")
@pytest.mark.parametrize("target", [12, 420])
@pytest.mark.parametrize("later", ["alpha one.", "alpha one.\n\ndelta four.", ""])
def test_an_update_leaves_nothing_of_the_longer_text(target, later):
    index = build_index([Document("d.md", "alpha one.\n\nbravo two.\n\ncharlie three.")], default_recipe(target))
    assert SoftRoute()("charlie", index).candidates and HardRoute()("charlie", index).candidates
    index.update(Document("d.md", later))
    for word in ("charlie", "bravo"):
        assert word not in stored(index)
        assert not SoftRoute()(word, index).candidates and not HardRoute()(word, index).candidates
        assert not index.scorer(BM25(), "chunk text").scores(word).any()
    assert index.records["d.md"].summary == later.replace("\n\n", " ")
    assert len(index.chunks) == len(index.records["d.md"].chunks)


def assert_all_resolve(index):
    """From each document to its chunks, to their raw text, and back to one parent."""
    parents = {}
    for doc_id, record in index.records.items():
        for chunk in record.chunks:
            assert chunk.doc_id == doc_id and chunk in index.chunks
            assert index.text(chunk) == index.documents[doc_id].text[chunk.start : chunk.end] != ""
            assert chunk.chunk_id not in parents
            parents[chunk.chunk_id] = doc_id
    assert sorted(parents) == sorted(chunk.chunk_id for chunk in index.chunks)
    assert set(index.records) == set(index.documents)


@case("IX-03")
def test_every_way_down_and_up_leads_somewhere(tmp_path):
    files = {"a.md": "A one.\n\nA two.", "b.md": "B one.", "e.md": ""}
    recipe = default_recipe(target=7)
    built = build_index([Document(name, text) for name, text in files.items()], recipe)
    loaded = load_index(save_index(built, tmp_path / "index.json"), recipe)
    assert loaded.chunks == built.chunks and loaded.records == built.records
    for index in (built, loaded):
        assert_all_resolve(index)
        assert [len(record.chunks) for record in index.records.values()] == [2, 1, 0]
        index.update(Document("a.md", "A three."))
        index.remove("b.md")
        assert_all_resolve(index)


@case("IX-04")
@pytest.mark.parametrize("k", [1, 2, 3])
def test_documents_are_counted_as_documents(k):
    many = "\n\n".join(f"pump note {n}" for n in range(10))
    index = build_index([Document("many.md", many), Document("one.md", "pump alone")], default_recipe(target=12))
    for route in (HardRoute(k_documents=k), SoftRoute(k_documents=k)):
        found = route("pump", index)
        assert len({hit.id for hit in found.documents}) == len(found.documents) == min(k, 2)
        assert len({candidate.chunk.doc_id for candidate in found.candidates}) == min(k, 2)


@case("IX-05")
def test_repeated_passages_have_ids_of_their_own_that_stay():
    same = ["Same.\n\nSame.\n\nSame.", "Same."]
    one, other = (index_of(same, lambda document: paragraph_spans(document.text)) for _ in range(2))
    ids = [chunk.chunk_id for chunk in one.chunks]
    assert len(ids) == len(set(ids)) == 4
    assert ids == [chunk.chunk_id for chunk in other.chunks]


EMPTY = ["", "# Only heading", " \n\t\n", "---\ntitle: x\n---\n", "\ufeff", "\u200b", "...", "the of and", "```\n```"]


@case("IX-07")
@each_preset
@pytest.mark.parametrize("policy", POLICIES)
def test_documents_without_an_answer_give_an_empty_context_and_say_why(make, policy):
    settings = replace(make(), policy=policy)
    for found in (["", "# Only heading"], EMPTY, [""], []):
        index = prepare_index([Document(f"e{n}.md", text) for n, text in enumerate(found)], settings)
        trace = ask("anything", index, 250, settings)
        assert (trace.selection.context, trace.selection.included, trace.selection.tokens) == ("", (), 0)
        why = "no term of the question was found" if index.chunks else "the index holds no text"
        assert trace.notes == (why,) and why in repr(trace)
        assert_all_resolve(index)


corpora = st.dictionaries(st.sampled_from(["a.md", "b.txt", "c/d.md"]), texts([*PROSE, *LINES[:6], *EMPTY], 6))


@given(st.lists(corpora, min_size=1, max_size=4))
def test_any_row_of_updates_ends_as_a_new_build_does(steps):
    index, wanted = build_index([], default_recipe(target=50)), {}
    for step in steps:
        wanted |= step
        for name, text in step.items():
            index.update(Document(name, text))
            SoftRoute()("valve", index)  # what a search keeps must not outlive a change
    fresh = build_index([Document(name, text) for name, text in sorted(wanted.items())], default_recipe(target=50))
    assert index.chunks == fresh.chunks and index.records == fresh.records
    assert_all_resolve(index)
    for question in ("valve tides", "RAG", "\u6f6e\u6c50"):
        assert SoftRoute()(question, index) == SoftRoute()(question, fresh)
