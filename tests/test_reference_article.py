"""The plain reference of the article: its table on data/notes, and its rules by hand."""

from pathlib import Path

import pytest
import reference_article as reference

from rag_lessons import article_settings, ask, load_documents, prepare_index

NOTES = Path(__file__).resolve().parent.parent / "data" / "notes"
QUESTION = "Why can RAG fail when the context budget is too small?"
TABLE = [
    ("doc-003-large_rag_notes-chunk-004", 110),
    ("doc-003-large_rag_notes-chunk-005", 121),
    ("doc-003-large_rag_notes-chunk-003", 117),
    ("doc-003-large_rag_notes-chunk-001", 116),
    ("doc-003-large_rag_notes-chunk-002", 120),
    ("doc-001-context_window_notes-chunk-001", 131),
    ("doc-001-context_window_notes-chunk-002", 73),
]
NAMES = [name for name, _ in TABLE]


def make_folder(tmp_path, **texts):
    for stem, text in texts.items():
        (tmp_path / f"{stem}.md").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("budget", "fitting"), [(250, 2), (1200, 7)])
def test_table_of_the_article(budget, fitting):
    result = reference.run(NOTES, QUESTION, budget)
    assert result["candidates"] == TABLE
    assert result["included"] == NAMES[:fitting]
    assert result["skipped"] == NAMES[fitting:]


def test_hits_behind_the_table():
    result = reference.run(NOTES, QUESTION, 250)
    documents = [(name, round(score, 3)) for name, score, _ in result["document_hits"]]
    chunks = [(name, round(score, 3)) for name, score, _ in result["chunk_hits"]]
    assert documents == [("doc-003-large_rag_notes", 1.603), ("doc-001-context_window_notes", 1.148)]
    assert chunks == [(NAMES[0], 1.716), (NAMES[3], 1.618), (NAMES[5], 1.271)]


def test_without_boosts_the_other_document_comes_first(monkeypatch):
    monkeypatch.setattr(reference, "TERM_BOOST", 0.0)
    monkeypatch.setattr(reference, "STRONG_BOOST", 0.0)
    result = reference.run(NOTES, QUESTION, 250)
    assert result["candidates"] == TABLE[5:] + TABLE[:5]
    assert result["included"] == NAMES[5:]


def test_the_evidence_is_seen_at_1200_and_dropped_at_250():
    evidence = "other passages ranked above it use up the room there is"
    assert evidence in reference.run(NOTES, QUESTION, 1200)["context"]
    assert evidence not in reference.run(NOTES, QUESTION, 250)["context"]


def test_context_stands_in_source_order():
    context = reference.run(NOTES, QUESTION, 1200)["context"]
    blocks = context.split("\n\n---\n\n")
    assert [block.split("\n")[1] for block in blocks] == [f"Chunk ID: {name}" for name in sorted(NAMES)]
    assert blocks[0].startswith("Source: notes/context_window_notes.md\n")


def test_no_documents(tmp_path):
    (tmp_path / "rag.txt").write_text("RAG can fail.", encoding="utf-8")
    assert reference.run(tmp_path, QUESTION, 250) == {
        "document_hits": [],
        "chunk_hits": [],
        "candidates": [],
        "included": [],
        "skipped": [],
        "context": "",
    }


def test_more_than_999_files_are_numbered_as_the_preset_does(tmp_path):
    for number in range(1_200):
        (tmp_path / f"n{number:04d}.md").write_text(f"RAG can fail {'again ' * (number % 7)}.", encoding="utf-8")
    (tmp_path / "n0007.md").rename(tmp_path / "n0007.MD")
    (tmp_path / ".n0000.md").write_text("RAG RAG RAG fail fail budget.", encoding="utf-8")
    settings = article_settings()
    trace = ask(QUESTION, prepare_index(load_documents(tmp_path)[0], settings), 250, settings)
    result = reference.run(tmp_path, QUESTION, 250)
    assert [hit.id for hit in trace.route.documents] == [name for name, *_ in result["document_hits"]]
    assert [hit.id for hit in trace.route.documents] == ["doc-0001-n0000", "doc-0008-n0007"]
    assert [i.candidate.chunk.chunk_id for i in trace.selection.included] == result["included"]
    assert trace.selection.context == result["context"] and "n0007.MD" in result["context"]


def test_empty_file_takes_a_number_and_is_never_hit(tmp_path):
    folder = make_folder(tmp_path, a="", b="RAG can fail.")
    assert [name for name, _ in reference.run(folder, QUESTION, 250)["candidates"]] == ["doc-002-b-chunk-001"]


def test_no_shared_word_gives_no_hit(tmp_path):
    folder = make_folder(tmp_path, a="Penguins swim.")
    assert reference.run(folder, QUESTION, 250)["document_hits"] == []


def test_long_paragraph_stands_alone_and_equal_fits(tmp_path):
    long = "RAG can fail here. " * 50
    folder = make_folder(tmp_path, a=f"Short start.\n\n{long}\n\nShort end.")
    result = reference.run(folder, "fail", 10_000)
    cost = (len(f"Source: {tmp_path.name}/a.md\nChunk ID: doc-001-a-chunk-002\nChunk position: 2\n\n") + 949) // 4
    assert result["candidates"][0] == ("doc-001-a-chunk-002", cost)
    assert [name[-3:] for name, _ in result["candidates"]] == ["002", "003", "001"]
    assert reference.run(folder, "fail", cost)["included"] == ["doc-001-a-chunk-002"]
    # One token less, and first-fit passes over it to the short ones behind.
    assert [name[-3:] for name in reference.run(folder, "fail", cost - 1)["included"]] == ["003", "001"]
    assert reference.run(folder, "fail", 0)["included"] == []


def test_blank_lines_may_hold_white_space():
    assert reference.split_chunks("  \n\nOne \n \t \nTwo\nstill two\n\n\n") == ["One\n\nTwo\nstill two"]


def test_joiners_are_not_counted_in_the_size_of_a_chunk():
    assert reference.split_chunks("a" * 210 + "\n\n" + "b" * 210) == ["a" * 210 + "\n\n" + "b" * 210]
    assert reference.split_chunks("a" * 210 + "\n\n" + "b" * 211) == ["a" * 210, "b" * 211]


def test_summary_counts_each_occurrence_and_keeps_text_order():
    text = "First. Nothing.\nA model\nand a model! RAG? Budget v1.5 too."
    assert reference.summarize(text, 1) == "A model and a model!"
    assert reference.summarize(text, 2) == "A model and a model! RAG?"
    assert reference.summarize("First. Second.", 1) == "First."


def test_batches_fill_up_to_90_tokens_or_go_in_pairs():
    assert reference.pack_batches(["a" * 180, "b" * 182, "c"]) == [["a" * 180, "b" * 182], ["c"]]
    assert reference.pack_batches(["a" * 180, "b" * 183, "c"]) == [["a" * 180], ["b" * 183, "c"]]
    big = ["a" * 400, "b" * 400, "c" * 400]
    assert reference.pack_batches(big) == [big[:2], big[2:]]


def test_one_chunk_summary_is_cut_to_three_sentences():
    summary = "Chunk 1 summary: One. Two. Three. RAG."
    assert reference.summarize_document([summary]) == "Chunk 1 summary: One. Two. RAG."


def test_similarity_by_hand():
    assert reference.similarity("the rag", "RAG, rag and fish") == pytest.approx(2 / 5**0.5 + 0.15)
    assert reference.similarity("fail", "fail") == pytest.approx(1 + 0.15 + 0.35)
    assert reference.similarity("fail", "fails") == 0
    assert reference.similarity("", "fail") == 0
