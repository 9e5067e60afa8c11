"""The index: ids, ways back to the raw text, updates that leave nothing behind."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import LINES, PROSE, index_of, texts

from rag_lessons import Document
from rag_lessons.chunking import paragraph_spans
from rag_lessons.index import build_index, chunk_document, default_recipe
from rag_lessons.routing import SoftRoute
from rag_lessons.scoring import BM25, KeyTermCosine

RECIPE = default_recipe(target=60, sentences=1)
corpora = st.dictionaries(
    st.sampled_from(["a.md", "b.txt", "c.md", "d/e.md"]), texts([*PROSE, *LINES[:6]], 10), max_size=4
)


def documents_of(corpus):
    return [Document(name, text) for name, text in corpus.items()]


def state(index):
    return index.documents, index.records, index.chunks


@given(corpora)
def test_every_chunk_resolves_and_belongs_to_one_document(corpus):
    index = build_index(documents_of(corpus), RECIPE)
    ids = [chunk.chunk_id for chunk in index.chunks]
    assert len(set(ids)) == len(ids)
    assert [chunk.doc_id for chunk in index.chunks] == sorted(chunk.doc_id for chunk in index.chunks)
    for doc_id, record in index.records.items():
        assert tuple(index.chunks[place] for place in index.place(doc_id)) == record.chunks
        assert [chunk.position for chunk in record.chunks] == list(range(1, len(record.chunks) + 1))
        assert all(index.text(chunk) == corpus[doc_id][chunk.start : chunk.end] for chunk in record.chunks)
        for chunk, after in zip(record.chunks, record.chunks[1:], strict=False):
            assert index.neighbour(chunk, 1) == after and index.neighbour(after, -1) == chunk
        if record.chunks:
            assert index.neighbour(record.chunks[0], -1) is None is index.neighbour(record.chunks[-1], 1)


@given(corpora, st.sampled_from(["a.md", "b.txt"]), texts(PROSE, 8))
def test_update_equals_a_new_build_and_twice_equals_once(corpus, name, text):
    index = build_index(documents_of(corpus), RECIPE)
    assert index.chunks is index.chunks
    for _ in range(2):
        index.update(Document(name, text))
        assert state(index) == state(build_index(documents_of(corpus | {name: text}), RECIPE))
    index.remove(name)
    rest = {key: value for key, value in corpus.items() if key != name}
    assert state(index) == state(build_index(documents_of(rest), RECIPE))


def test_a_shorter_text_leaves_nothing_of_the_longer_one():
    route = SoftRoute()
    index = build_index([Document("log.md", "Amber buoy.\n\nCopper bell.\n\nIron chain.")], default_recipe(target=15))
    assert route("copper", index).candidates
    index.update(Document("log.md", "Amber buoy."))
    assert not route("copper", index).candidates and not route("iron", index).candidates
    assert index.records["log.md"].summary == "Amber buoy." and len(index.chunks) == 1
    index.remove("log.md")
    assert not route("amber", index).candidates and index.chunks == ()


def test_repeated_passages_have_ids_of_their_own():
    index = index_of(["Same.\n\nSame.\n\nSame.", "Same."], lambda document: paragraph_spans(document.text))
    assert [c.chunk_id for c in index.chunks] == [
        "d0.md-chunk-001",
        "d0.md-chunk-002",
        "d0.md-chunk-003",
        "d1.md-chunk-001",
    ]


def test_order_of_documents_changes_nothing():
    corpus = documents_of({"b.md": "Buoys.", "a.md": "Anchors.", "c.md": ""})
    one, other = build_index(corpus), build_index(corpus[::-1])
    assert one.chunks == other.chunks
    assert SoftRoute()("anchors buoys", one) == SoftRoute()("anchors buoys", other)


@pytest.mark.parametrize("text", ["", " \n", "---\ntitle: x\n---\n"])
def test_a_document_without_text_has_no_chunk(text):
    index = build_index([Document("empty.md", text), Document("full.md", "Full.")])
    assert index.records["empty.md"].chunks == () and index.records["empty.md"].summary == ""
    assert list(index.place("empty.md")) == [] and list(index.place("full.md")) == [0]


def test_markdown_by_section_and_other_texts_by_paragraph():
    text = "# A\n\none\n\n# B\n\ntwo"
    assert [tuple(chunk[:2]) for chunk in chunk_document(Document("x.MD", text))] == [(0, 8), (10, 18)]
    assert chunk_document(Document("x.txt", text)) == [(0, 18)]


def test_headings_and_leads_count_in_the_search_but_are_no_part_of_the_text():
    text = "# Winches\n\n| part | age |\n|---|---|\n" + "\n".join(f"| drum {n} | {n} y |" for n in range(12))
    index = build_index([Document("w.md", text)], default_recipe(target=60))
    last = index.chunks[-1]
    assert last.path == ("Winches",) and last.lead.startswith("| part | age |")
    assert "Winches" not in index.text(last)
    assert index.scorer(BM25(), "chunk text").scores("winches")[-1] > 0


def test_fitted_scorers_are_kept_by_their_settings_and_forgotten_on_change():
    index = build_index([Document("a.md", "rust rust kelp"), Document("b.md", "rust")])
    first = index.scorer(BM25(), "chunk text")
    assert index.scorer(BM25(), "chunk text") is first
    assert index.scorer(BM25(b=0.0), "chunk text") is not first
    boosted = KeyTermCosine(str.split, [({"rust"}, 1.0)])
    plain = replace(boosted, boosts=())
    gain = index.scorer(boosted, "chunk text").scores("rust") - index.scorer(plain, "chunk text").scores("rust")
    assert gain.tolist() == pytest.approx([1.0, 1.0])
    stronger = replace(boosted, boosts=[({"rust"}, 5.0)])  # another scorer of the same name
    assert index.scorer(stronger, "chunk text").scores("rust")[1] == pytest.approx(6.0)
    index.update(Document("c.md", "kelp"))
    assert len(index.scorer(BM25(), "chunk text").scores("rust")) == 3


def test_errors_name_value_and_remedy():
    index = build_index([Document("a.md", "x")])
    with pytest.raises(ValueError, match=r"two documents have the id 'a.md'; give each its own"):
        build_index([Document("a.md", "x"), Document("a.md", "y")])
    with pytest.raises(TypeError, match="documents must be Document objects; got 'a.md'"):
        build_index(["a.md"])
    with pytest.raises(KeyError, match=r"no document 'b.md'; there are \['a.md'\]"):
        index.remove("b.md")
    with pytest.raises(ValueError, match="field must be .* got 'title'"):
        index.scorer(BM25(), "title")
    with pytest.raises(ValueError, match="target must be a whole number of characters, 1 or more; got 0"):
        default_recipe(target=0)
