"""Cases of offsets: a chunk is a slice of its document, never searched for and never joined again.

The rules behind them are properties: `test_spans_hold_every_visible_character_once` in
tests/test_chunking.py and tests/test_markdown.py, `test_without_overlap_every_visible_character_once` in
tests/test_windows.py. Added here: repeats and any line ends, from a file to the chunks of an index.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ids import case
from texts import assert_spans, count_words, pieces_of, silently, texts

from rag_lessons import Document, load_documents, prepare_index
from rag_lessons.chunking import chunk_paragraphs, chunk_sentences
from rag_lessons.documents import decode
from rag_lessons.markdown import chunk_markdown
from rag_lessons.sentences import sentence_spans
from rag_lessons.windows import chunk_tokens


def count_sentences(text):
    return len(sentence_spans(text))


@case("OF-01")
def test_repeated_sentences_stand_where_they_stand():
    text = "Same line here. " * 6
    by_sentences = chunk_tokens(text, 2, 0, count_sentences)
    by_characters = chunk_sentences(text, len("Same line here. Same line here."))
    for spans in (by_sentences, by_characters):
        assert [start for start, _ in spans] == [0, 32, 64]
        assert pieces_of(text, spans) == ["Same line here. Same line here."] * 3


@case("OF-03")
def test_white_space_inside_a_chunk_stays_as_it_is():
    text = "one  two\t\tthree\n\n\n   four"
    spans = chunk_tokens(text, 2, 0, count_words)
    assert pieces_of(text, spans) == ["one  two", "three\n\n\n   four"]
    for chunk in (chunk_paragraphs, chunk_sentences, chunk_markdown):
        for target in range(1, 30):
            assert_spans(text, chunk(text, target))
    for size in range(1, 5):
        assert_spans(text, chunk_tokens(text, size, 0, count_words))
    index = prepare_index([Document("a.txt", text)])
    assert [index.text(chunk) for chunk in index.chunks] == [text]


@case("OF-04")
def test_starts_do_not_drift_with_an_overlap_of_words():
    text = "Alpha beta gamma delta. Epsilon zeta eta theta. Iota kappa."
    spans = chunk_tokens(text, 4, 1, count_words)
    assert [start for start, _ in spans] == [0, 17, 37]
    assert pieces_of(text, spans)[1] == "delta. Epsilon zeta eta"


@case("OF-05")
def test_offsets_fit_the_loaded_text_of_a_file_with_other_line_ends(tmp_path):
    (tmp_path / "win.txt").write_bytes(bytes.fromhex("61610d0a0d0a62622062620d0a0d0a6363"))
    [document], _ = load_documents(tmp_path)
    spans = chunk_paragraphs(document.text, 5)
    assert pieces_of(document.text, spans) == ["aa", "bb bb", "cc"]
    assert spans == [(0, 2), (4, 9), (11, 13)]


@pytest.mark.parametrize("name", ["a.md", "a.txt"])
@given(text=texts(), end=st.sampled_from(["\r\n", "\r", "\n"]), repeats=st.integers(1, 3))
def test_the_index_points_into_the_text_that_was_loaded(name, text, end, repeats):
    raw = "".join([text, "\n\n"] * repeats).replace("\n", end)
    loaded, _ = decode(raw.encode())
    assert loaded == raw.replace("\r\n", "\n").replace("\r", "\n")
    index = silently(prepare_index, [Document(name, loaded)])
    spans = [(chunk.start, chunk.end) for chunk in index.chunks]
    assert [index.text(chunk) for chunk in index.chunks] == pieces_of(loaded, spans)
    assert spans == sorted(set(spans)) and all(a[1] <= b[0] for a, b in zip(spans, spans[1:], strict=False))
