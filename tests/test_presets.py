"""The `article` preset does what the plain reference does, on any folder and for any question."""

import functools
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
import reference_article as reference
from hypothesis import example, given
from hypothesis import strategies as st

from rag_lessons import PRESETS, article_settings, ask, data_folder, default_settings, load_documents, prepare_index
from rag_lessons.documents import Document
from rag_lessons.presets import KEY_TERMS, article_chunks, article_sentences, article_words, number_documents

QUESTION = "Why can RAG fail when the context budget is too small?"
QUESTIONS = [
    *[QUESTION, "", "???", "the of it", "budget", "summaries", "Which model has a window?", "a1 zz", "\u6f6e\u6c50"],
    *["What must the pump log hold after a failure?", "embedding EMBEDDINGS retrieval", "a b c d e"],
]
BITS = [
    *["RAG", "fail", "Budget", "failures.", "context", "window!", "Model?", "a1", "zz", "pump", "the", "of", "log"],
    *[
        "e.g. x.",
        "nai\u0308ve",
        "\u6f6e\u6c50\u3002",
        "\U0001f6a2",
        "\u00c9t\u00e9",
        "9",
        "kelp " * 30,
        "retrieval. " * 25,
    ],
    *[
        "\n",
        "\n\n",
        "\n\n",
        "\n \t\n",
        "\n\n\n\n",
        "\n\u00a0\n",
        "\x1c",
        "\u2028",
        "# Head\n",
        "```\n# c\n```\n",
        "| a | b |\n",
        "---",
    ],
    "Same words here, same as before.\n\n",
]
bodies = st.lists(st.tuples(st.sampled_from(BITS), st.sampled_from(["", " ", " "])), max_size=45).map(
    lambda bits: "".join(bit + gap for bit, gap in bits)
)
NAMES = ["a", "b c", "B", "\u00e9", "z.z", "doc-001"]
folders = st.dictionaries(st.sampled_from(NAMES), bodies, max_size=5)
budgets = st.integers(0, 500)
questions = st.one_of(
    st.sampled_from(QUESTIONS),
    st.lists(st.sampled_from([*KEY_TERMS, "pump", "log", "a1", "zz", "same"]), max_size=6).map(" ".join),
)


@pytest.fixture(scope="module", autouse=True)
def read_each_folder_once():
    """No folder here changes after it was read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "read_documents", functools.cache(reference.read_documents))
        yield


@functools.cache
def index_of_folder(folder):
    return prepare_index(load_documents(folder, suffixes=[".md"])[0], article_settings())


def preset_run(folder, question, budget):
    """What the preset does, in the form of the reference."""
    settings = article_settings()
    trace = ask(question, index_of_folder(folder), budget, settings)
    chosen = trace.selection
    tokens = {part.candidate.chunk.chunk_id: part.tokens for part in (*chosen.included, *chosen.skipped)}

    def hits(found):
        return [(hit.id, hit.score, trace.summaries[hit.id]) for hit in found]

    return {
        "document_hits": hits(trace.route.documents),
        "chunk_hits": hits(trace.route.chunks),
        "candidates": [(c.chunk.chunk_id, tokens[c.chunk.chunk_id]) for c in trace.route.candidates],
        "included": [i.candidate.chunk.chunk_id for i in chosen.included],
        "skipped": [s.candidate.chunk.chunk_id for s in chosen.skipped],
        "context": chosen.context,
    }


@pytest.mark.parametrize("budget", [0, 60, 109, 110, 230, 231, 787, 788, 5_000])
@pytest.mark.parametrize("corpus", ["notes", "handbook"])
def test_our_corpora(corpus, budget):
    for question in QUESTIONS:
        expected = reference.run(data_folder(corpus), question, budget)
        assert preset_run(data_folder(corpus), question, budget) == expected


@given(st.sampled_from(["notes", "handbook"]), questions, st.integers(0, 1_200))
def test_our_corpora_with_random_questions(corpus, question, budget):
    assert preset_run(data_folder(corpus), question, budget) == reference.run(data_folder(corpus), question, budget)


@given(folders, questions, budgets)
def test_random_folders(texts, question, budget):
    folder = Path(tempfile.mkdtemp())
    try:
        for stem, text in texts.items():
            (folder / f"{stem}.md").write_bytes(text.encode("utf-8"))
        assert preset_run(folder, question, budget) == reference.run(folder, question, budget)
    finally:
        shutil.rmtree(folder)


def test_line_ends_and_byte_order_marks_make_no_difference(tmp_path):
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbfRAG can fail.\r\n\r\nBudget first.\r\n \r\nWindow last.")
    assert preset_run(tmp_path, QUESTION, 300) == reference.run(tmp_path, QUESTION, 300)


@pytest.mark.parametrize("lengths", [(210, 210, 5), (210, 211, 5), (100, 100, 220, 1), (419, 1, 1), (421, 1)])
def test_chunks_at_the_limit(tmp_path, lengths):
    (tmp_path / "b.md").write_text(
        "\n\n".join(("fail " * n)[:n].strip().ljust(n, "x") for n in lengths), encoding="utf-8"
    )
    assert preset_run(tmp_path, "fail", 2_000) == reference.run(tmp_path, "fail", 2_000)


def test_ties_keep_their_order(tmp_path):
    for stem in "abcd":
        text = "\n\n".join("The model may fail. ".ljust(300, "x") for _ in range(4))
        (tmp_path / f"{stem}.md").write_text(text, encoding="utf-8")
    found = preset_run(tmp_path, QUESTION, 900)
    assert found == reference.run(tmp_path, QUESTION, 900)
    assert [name for name, _, _ in found["document_hits"]] == ["doc-001-a", "doc-002-b"]


@given(
    st.lists(
        st.lists(st.sampled_from(["RAG fails.", "Kelp.", "A model!", "Why so?", "y" * 60 + "."]), max_size=6).map(
            " ".join
        ),
        max_size=7,
    )
)
@example(["Kelp. Kelp. RAG fails. Why so? A model!"])
def test_document_summaries_of_the_article(found):
    summary = article_settings().recipe.summarize_document(found)
    assert summary.summary == reference.summarize_document(found)


@pytest.mark.parametrize("length", range(174, 190))
def test_batches_of_the_article(length):
    found = ["a" * length, "b" * 180, "c" * 9]
    level = article_settings().recipe.summarize_document(found).levels[1]
    assert [[found[i] for i in node.children] for node in level] == reference.pack_batches(found)


@given(bodies)
def test_chunks_of_the_article(text):
    chunks = ["\n\n".join(p.strip() for p in part.split("\n\n")) for part in reference.split_chunks(text)]
    spans = article_chunks(text)
    assert ["".join(text[start:end].split()) for start, end in spans] == ["".join(chunk.split()) for chunk in chunks]
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)


@given(bodies)
def test_words_and_sentences_of_the_article(text):
    assert article_words(text) == reference.words(text)
    assert "".join("".join(article_sentences(text)).split()) == "".join(text.split())


def test_only_markdown_files_are_numbered_in_order_of_their_path():
    found = [Document(name, "x", f"c/{name}") for name in ("b.MD", "a.txt", "a.md", "c/a.md")]
    assert [(d.doc_id, d.source) for d in number_documents(found)] == [
        ("doc-001-a", "c/a.md"),
        ("doc-002-b", "c/b.MD"),
        ("doc-003-a", "c/c/a.md"),
    ]


def test_the_route_without_boosts_is_another_one_on_the_same_index():
    settings = article_settings()
    scorer = settings.route.scorer
    index = prepare_index(load_documents(data_folder("notes"))[0], settings)
    plain = replace(settings, route=replace(settings.route, scorer=replace(scorer, boosts=())))
    first = [ask(QUESTION, index, 250, s).route.documents[0].id for s in (settings, plain, settings)]
    assert first == ["doc-003-large_rag_notes", "doc-001-context_window_notes", "doc-003-large_rag_notes"]
    assert ask(QUESTION, index, 250, plain).settings["scorer"] == "cosine"


def test_presets_are_made_anew_and_named():
    assert set(PRESETS) == {"default", "article"}
    assert [make().name for make in PRESETS.values()] == list(PRESETS)
    assert default_settings() is not default_settings()
